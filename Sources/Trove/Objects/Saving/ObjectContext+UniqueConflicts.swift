/// Saves that meet unique values which somebody else has stored meanwhile; see ``ContextOptions/uniqueConflicts``.
///
/// Such a save fails, and stores nothing. Then the new objects become the stored ones in memory, and it is tried again: each time there are fewer new objects.
extension ObjectContext {
    /// Saves in the context's turn.
    func saveUnifying(_ durability: Durability, _ addition: ((WriteTransaction) throws -> Void)?) throws -> FinishedSave {
        while true {
            do {
                return try saveAlone(durability, addition)
            } catch let error as TroveError {
                guard try unify(after: error) else { throw error }
            }
        }
    }

    /// Saves on the writer thread. Each try has a turn of its own, in which what the last one has met is settled first.
    func saveUnifying(
        _ durability: Durability, _ addition: (@Sendable (WriteTransaction) throws -> Void)?, _ own: OwnChanges?,
        _ preparing: @escaping @Sendable () throws -> Void
    ) async throws -> FinishedSave {
        var violation: TroveError?
        while true {
            do {
                let save = QueuedSave(self, durability, addition, own: own) { [violation] in
                    own?.content.withLock { $0 = OwnChanges.Content() }
                    try preparing()
                    if let violation, try !self.unify(after: violation) { throw UnsettledViolation(error: violation) }
                }
                return try await save.run()
            } catch let unsettled as UnsettledViolation {
                throw unsettled.error
            } catch let error as TroveError {
                guard case .uniqueViolation = error else { throw error }
                violation = error
            }
        }
    }

    /// Lets new objects become stored ones with their unique values, after a save that has failed; false when none can.
    private func unify(after error: TroveError) throws -> Bool {
        guard options.uniqueConflicts != .error, case .uniqueViolation(let model, _, _, let id, let otherID) = error, let type = classes[model] else {
            return false
        }
        return try domain.withLock {
            // What rules delete with the save may have values that are free then: only the two are known to have the same.
            let known = mayFreeValues ? Set([id, otherID]) : nil
            return try undoGroup { try unifyInserted(type, known) }
        }
    }

    private func unifyInserted<Object: LiveModel>(_ type: Object.Type, _ known: Set<String>?) throws -> Bool {
        let binding = try binding(of: type)
        if binding.naturalKey != nil { return false }
        var new: [Object] = []
        for pending in state.pending where pending.status == .inserted {
            if let object = pending.object as? Object, Swift.type(of: object) == type, known?.contains(object.shownID) ?? true { new.append(object) }
        }
        let given = try new.map { GivenObject(object: $0, key: $0.contextKey, record: try encoded($0)) }
        let lookup = try read(includingPendingChanges: false) { try $0.lookUp(given) }
        // What was stored meanwhile is not in memory yet.
        try bringUpToDate(lookup.objects, keepingChanges: true)
        var claims = UniqueClaims(lookup.indexes)
        try claims.update(type, state.pending) { try uniqueValues(of: $0, lookup.indexes) }
        var isChanged = false
        for (given, values) in zip(given, lookup.values) {
            let owners = Set(values.compactMap { claims.owner(of: $0, stored: lookup.owners[$0], otherThan: given.key) })
            guard owners.count == 1, let key = owners.first, let present = map.object(type, key), present.live.status.hasRecord,
                known?.contains(present.shownID) ?? true
            else { continue }
            try give(way: given, to: present)
            isChanged = true
        }
        return isChanged
    }

    /// Lets a new object of the context become another one.
    ///
    /// Relationships that have an inverse are followed from the other side, so that the object that stays keeps what it has there beside what comes.
    private func give<Object: LiveModel>(way given: GivenObject<Object>, to present: Object) throws {
        let move = RecordMove(old: given.object.reference, new: present.reference)
        let isKept = options.uniqueConflicts == .storeWins
        let fields = Object.schema.fields.enumerated().filter { position, field in
            field.relationship == nil || domain.inverse(of: position, in: Object.self) == nil && !given.targets(of: position).isEmpty
        }
        try delete(given.object, leavingGhost: false)
        for pending in state.pending where pending.status.isStored { try follow(move, in: pending.object, to: present, isKept: isKept) }
        if !isKept { try takeOver(Set(fields.map(\.element.name)), of: given, into: present) }
    }

    /// Lets an object point at the one that stays where it points at the one that gives way.
    ///
    /// - Parameter isKept: whether what the one that stays points at already counts more, where it can point at one object only.
    private func follow<Object: LiveModel>(_ move: RecordMove, in object: Object, to present: any LiveModel, isKept: Bool) throws {
        for relationship in core.relationships(of: Object.schema.name) where isKept {
            guard let side = domain.inverse(of: relationship.field, in: Object.self), side.isInverseToOne,
                object._$targets(of: relationship.field).contains(move.old),
                let other = present._$targets(of: side.inverse).first, other != object.reference
            else { continue }
            domain.drop([move.old], from: object, field: relationship.field)
        }
        for field in try repoint(object, move) {
            if let side = domain.inverse(of: field, in: Object.self) { domain.connect(object.reference, side, removed: [], added: [move.new]) }
        }
    }
}

/// Ends a save whose violation no stored object can settle.
private struct UnsettledViolation: Error {
    let error: TroveError
}
