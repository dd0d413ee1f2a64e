extension LiveModel {
    /// The object that the reading context has of the record, or a new one; without a context, a new object in none.
    public static func _makeObject(from record: inout RecordDecoder, for reading: (any _ObjectReading)?) throws -> Self {
        guard let reading = reading as? ContextReading else { return try newObject(from: &record) }
        return try reading.object(Self.self, &record)
    }

    /// True.
    public static var _isLive: Bool { true }

    /// Throws when the object is in a context, because a thread that holds the context's lock may wait for this transaction.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the object is in a context.
    public func _checkBeforeWriting() throws {
        if _$live.domain === ObjectDomain.detached { return }
        throw TroveError.contextMisuse(
            reason: "a \(Self.schema.name) that is in a context cannot be stored by a transaction of the store; save the context")
    }
}

extension _LiveObjectState {
    /// Takes an object that was just made of a record, and that nobody else has, into a context.
    func join(_ domain: ObjectDomain, as status: LiveObjectStatus, version: UInt64, group: FaultGroup?) {
        move(to: domain)
        self.status = status
        self.version = version
        self.group = group
    }

    /// Makes the object one without changes: its record is of this version.
    func becomeClean(version: UInt64) {
        status = .clean
        self.version = version
        forgetChanges()
    }

    /// Forgets what was changed, so that the context is told of the next change.
    func forgetChanges() { edits = nil }
}

extension StoreCore {
    /// The models that are classes, by their names.
    var liveModels: [String: any LiveModel.Type] {
        var classes: [String: any LiveModel.Type] = [:]
        for binding in modelBindings {
            if let type = model(named: binding.schema.name) as? any LiveModel.Type { classes[binding.schema.name] = type }
        }
        return classes
    }
}
