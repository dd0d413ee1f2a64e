/// Saves that meet unique values which somebody else has stored meanwhile; see ``ContextOptions/uniqueConflicts``.
///
/// Such a save fails, and stores nothing. Then the new objects become the stored ones in memory, and it is tried again in the same turn: each time there are
/// fewer new objects, unless hooks insert more. When a later try fails otherwise, they are new objects again.
extension ObjectContext {
    /// How many tries more a save has than new objects: hooks are called with each try, and may insert each time what somebody has stored.
    private static let triesForHooks = 8

    /// Saves in the context's turn.
    func saveUnifying(_ durability: Durability, _ addition: ((WriteTransaction) throws -> Void)?, _ own: OwnChanges?) throws -> FinishedSave {
        var settled: [OwnChanges] = []
        while true {
            var journal: ChangeJournal?
            do {
                return try saveAlone(durability, addition, &journal)
            } catch {
                guard let more = unify(after: error, journal, own, settled) else {
                    takeBack(settled)
                    throw error
                }
                settled.append(more)
            }
        }
    }

    /// Lets new objects become stored ones with their unique values, after a save that has failed; nil when none can, and nothing is changed.
    ///
    /// - Parameters:
    ///   - journal: that of the save's transaction, which knows the two records.
    ///   - own: what the save does for itself, which learns what the new objects have become.
    ///   - former: what became of new objects after the tries before.
    func unify(after error: any Error, _ journal: ChangeJournal?, _ own: OwnChanges?, _ former: [OwnChanges]) -> OwnChanges? {
        guard options.uniqueConflicts != .error, case TroveError.uniqueViolation(let model, _, _, let id, let otherID) = error, let type = classes[model] else {
            return nil
        }
        return domain.withLock {
            let settled = OwnChanges()
            let newCount = former.first?.newCount ?? state.pending.count { $0.status == .inserted }
            guard former.count < newCount + Self.triesForHooks else { return nil }
            settled.content.withLock { $0.newCount = newCount }
            do {
                // What rules delete with the save may have values that are free then: only the two are known to have the same.
                let known = mayFreeValues ? MetObjects(ids: [id, otherID], keys: journal?.conflict.map { [$0.recordKey, $0.otherKey] }) : nil
                guard try inLastStep({ try unifyInserted(type, known, settled) }) else { return nil }
                let moves = settled.content.withLock { $0.moves }
                own?.content.withLock { $0.moves.merge(moves) { $1 } }
                return settled
            } catch {
                // Who saves has to know of the violation, which comes first.
                inLastStep { takeBackHere(settled) }
                report(error)
                return nil
            }
        }
    }

    /// Makes the new objects again that have become stored ones for a save that has failed.
    func takeBack(_ settled: [OwnChanges]) {
        if settled.isEmpty { return }
        domain.withLock { inLastStep { for own in settled.reversed() { takeBackHere(own) } } }
    }

    /// Makes what `body` changes a part of the last undo step that is not saved: who undoes an insertion does not want to know what it has become.
    private func inLastStep<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.history?.endStepOutsideGroup()
        state.history?.joinsLast = true
        defer { state.history?.joinsLast = false }
        return try undoGroup(nil, body)
    }

    private func unifyInserted<Object: LiveModel>(_ type: Object.Type, _ known: MetObjects?, _ own: OwnChanges) throws -> Bool {
        let binding = try binding(of: type)
        if binding.naturalKey != nil { return false }
        var new: [Object] = []
        for pending in state.pending where pending.status == .inserted {
            if let object = pending.object as? Object, Swift.type(of: object) == type, known?.contains(object) ?? true { new.append(object) }
        }
        let given = try new.map { GivenObject(object: $0, key: $0.contextKey, record: try encoded($0)) }
        let lookup = try read(includingPendingChanges: false) { try $0.lookUp(given) }
        // What was stored meanwhile is not in memory yet.
        try bringUpToDate(lookup.objects, keepingChanges: true)
        var claims = UniqueClaims(lookup.indexes)
        try claims.update(type, state.pending) { try uniqueValues(of: $0, lookup.indexes) }
        try noting(own) {
            for (given, values) in zip(given, lookup.values) {
                let owners = Set(values.compactMap { claims.owner(of: $0, stored: lookup.owners[$0], otherThan: given.key) })
                guard owners.count == 1, let key = owners.first, let present = map.object(type, key), present.live.status.hasRecord,
                    known?.contains(present) ?? true
                else { continue }
                own.content.withLock { content in
                    content.replaced.append(given.object)
                    content.moves[given.object.reference] = present.reference
                }
                try give(way: given, to: present)
            }
        }
        return own.content.withLock { !$0.replaced.isEmpty }
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

/// The two objects whose unique values have met.
private struct MetObjects {
    /// As the error shows them, which is not how each id shows itself.
    let ids: Set<String>
    /// The engine's keys; nil where the transaction was told of the conflict for several saves together.
    let keys: Set<[UInt8]>?

    func contains(_ object: some LiveModel) -> Bool { keys?.contains(RecordKey(object.contextKey.bytes).bytes) ?? ids.contains(object.shownID) }
}
