extension ObjectContext {
    /// Whether there is something to save. An object that was changed and changed back counts until a save or roll-back looks at it.
    public var hasChanges: Bool {
        domain.withLock { state.pending.contains { $0._$live.status.isPending } }
    }

    /// The objects that were inserted and not saved yet, in that order.
    public var insertedObjects: [any LiveModel] { pendingObjects(.inserted) }

    /// The objects that were changed and not saved yet, in the order of their first changes.
    public var changedObjects: [any LiveModel] { pendingObjects(.changed) }

    /// The objects that were deleted and not saved yet, in that order. What their delete rules delete is found out by the save.
    public var deletedObjects: [any LiveModel] { pendingObjects(.deleted) }

    /// The names of the properties that have other values than when the object was read or saved last; all of an inserted object.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when a value cannot be stored.
    public func changedProperties<Object: LiveModel>(of object: Object) throws -> [String] {
        try domain.withLock {
            guard object._$live.domain === domain else { return [] }
            switch object._$live.status {
            case .inserted: return Object.schema.fields.map(\.name)
            case .detached, .clean, .gone: return []
            case .changed, .deleted:
                try checkNoChangeUnderWay()
                guard let image = object._$live.image else { return [] }
                let before = try storedRecord(image, of: object)
                let now = try storedRecord(encoded(object), of: object)
                return now.fieldNames.filter { now[$0] != before[$0] }
            }
        }
    }

    private func pendingObjects(_ status: LiveObjectStatus) -> [any LiveModel] {
        domain.withLock { state.pending.filter { $0._$live.status == status } }
    }
}

extension LiveObjectStatus {
    /// Whether a save has something to do about the object.
    var isPending: Bool { self == .inserted || self == .changed || self == .deleted }
}
