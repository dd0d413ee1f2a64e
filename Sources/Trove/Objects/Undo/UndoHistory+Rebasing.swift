/// What other contexts and programs have saved since a step, and this context has taken over, is not the step's to take back.
extension UndoHistory {
    /// What is to be done to objects that may not be as the step left them, and whether they all are.
    ///
    /// Only what the step changed goes back, and of that what nobody else has changed since; lists and dictionaries of references are merged. What others have
    /// deleted, or brought back, stays so.
    func rebased(_ entries: [UndoEntry]) throws -> (entries: [UndoEntry], areAsLeft: Bool) {
        var areAsLeft = true
        var rebased: [UndoEntry] = []
        for var entry in entries {
            let present = image(entry.object)
            if present != entry.before, try !isAsLeft(entry, present) {
                areAsLeft = false
                guard let left = entry.before, let present else { continue }
                entry.after = try entry.after.map { try merge(present, from: left, to: $0, of: entry.object, keepingOwn: true) }
                entry.wasRestored = entry.object.live.isRestored
            }
            entry.before = present
            rebased.append(entry)
        }
        return (rebased, areAsLeft)
    }

    /// Whether an object whose record has other bytes than the step left is as it was all the same.
    private func isAsLeft(_ entry: UndoEntry, _ present: [UInt8]?) throws -> Bool {
        guard let present, let left = entry.before else { return false }
        let (now, before) = try (context.storedRecord(present, of: entry.object), context.storedRecord(left, of: entry.object))
        return type(of: entry.object).schema.fields.allSatisfy { field in
            // The dates of a save are set by the save, and by the next one again.
            if field.options.contains(.creationDate) || field.options.contains(.modificationDate) || !now.differs(from: before, in: field.name) { return true }
            // Rules add to a set where a list has its end.
            guard case .set = field.type, case .array(let own)? = now[field.name], case .array(let former)? = before[field.name] else { return false }
            return Set(own) == Set(former)
        }
    }

    /// A record with what changed from one record to another.
    func merge(_ present: [UInt8], from left: [UInt8], to after: [UInt8], of object: any LiveModel, keepingOwn: Bool) throws -> [UInt8] {
        let merged = try context.storedRecord(present, of: object).merging(
            changesFrom: context.storedRecord(left, of: object), to: context.storedRecord(after, of: object), of: type(of: object), keepingOwn: keepingOwn)
        return try context.image(merged, context.core.binding(for: type(of: object)))
    }

    /// Lets rules and inverses have the last word about objects that were restored, and returns what has become of these, and of others by that.
    ///
    /// Of a link one side may be as the step left it and the other one not.
    ///
    /// - Parameter known: what the objects pointed at before, when the step may lack the other side; nil when it has both.
    func settledBesideOthers(_ restored: [UndoEntry], whichHad known: [[Int: Set<AnyReference>]]?) -> [UndoEntry] {
        for entry in restored { entry.object.live.isRestored = false }
        settled = OpenUndoStep(depth: 0, name: nil)
        watchAll()
        if let known { connect(restored, whichHad: known) }
        context.settle()
        let own = Set(restored.map { ObjectIdentifier($0.object) })
        var entries = restored + (settled?.touched ?? []).filter { !own.contains(ObjectIdentifier($0.object)) }
        settled = nil
        for position in entries.indices {
            entries[position].after = image(entries[position].object)
            entries[position].isRestored = entries[position].object.live.isRestored
        }
        return entries
    }

    /// What each relationship of an object points at, by the numbers of the fields.
    func targets(of object: any LiveModel) -> [Int: Set<AnyReference>] {
        let fields = type(of: object).schema.fields
        return Dictionary(uniqueKeysWithValues: fields.indices.filter { fields[$0].relationship != nil }.map { ($0, Set(object._$targets(of: $0))) })
    }

    /// Lets the other sides of links follow that were restored.
    private func connect(_ entries: [UndoEntry], whichHad known: [[Int: Set<AnyReference>]]) {
        for (entry, known) in zip(entries, known) where entry.after != nil {
            for (field, targets) in targets(of: entry.object) {
                guard let side = context.domain.inverse(of: field, in: type(of: entry.object)) else { continue }
                let former = known[field] ?? []
                let (removed, added) = (Array(former.subtracting(targets)), Array(targets.subtracting(former)))
                context.domain.connect(entry.object.reference, side, removed: removed, added: added)
            }
        }
    }

    /// Takes out of objects that were restored what they point at again, and what others have deleted meanwhile. Returns whether there was such.
    ///
    /// What other steps deleted stays: undoing them too brings it back.
    func dropLost(_ entries: [UndoEntry], whichHad known: [[Int: Set<AnyReference>]]) throws -> Bool {
        var added: [(object: any LiveModel, field: Int, targets: Set<AnyReference>)] = []
        for (entry, known) in zip(entries, known) where entry.after != nil {
            for (field, targets) in targets(of: entry.object) {
                let new = targets.subtracting(known[field] ?? [])
                if !new.isEmpty { added.append((entry.object, field, new)) }
            }
        }
        if added.isEmpty { return false }
        let all = added.reduce(into: Set<AnyReference>()) { $0.formUnion($1.targets) }
        var lost = try context.lost(among: all)
        if lost.isEmpty { return false }
        lost.subtract(whatOtherStepsBringBack)
        if lost.isEmpty { return false }
        for (object, field, targets) in added { context.domain.drop(targets.intersection(lost), from: object, field: field) }
        return true
    }

    /// The objects that undoing or redoing other steps makes again.
    private var whatOtherStepsBringBack: Set<AnyReference> {
        var found: Set<AnyReference> = []
        for step in done {
            found.formUnion(step.entries.filter { $0.after == nil }.map { $0.object.reference })
            found.formUnion(step.sideEffects.filter { $0.after == nil }.map(\.reference))
        }
        for step in undone { found.formUnion(step.entries.filter { $0.before == nil }.map { $0.object.reference }) }
        return found
    }
}
