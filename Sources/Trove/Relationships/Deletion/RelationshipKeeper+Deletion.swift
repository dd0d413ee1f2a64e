extension RelationshipKeeper {
    /// A plan for a deletion, after what was saved before it has been carried over.
    func planDeletion() throws -> DeletionPlan {
        try carryOver()
        return try newPlan()
    }

    /// An empty plan by the rules there are now: a bag may have been made since the last.
    func newPlan() throws -> DeletionPlan {
        rules = try transaction.rules
        let plan = DeletionPlan(transaction, rules)
        for reference in spared { plan.spare(reference) }
        return plan
    }

    /// Deletes what a plan has, and takes the references to it out of what stays.
    ///
    /// - Throws: what deleting and saving records throws; then what was done must not be committed.
    func carryOut(_ plan: DeletionPlan) throws {
        try noting(.nothing) {
            try transaction.batch {
                for (model, name) in plan.records.modelNames.enumerated() {
                    let doomed = plan.doomed(model)
                    if !doomed.isEmpty { try delete(doomed, model, name, plan) }
                }
                let edits = plan.removals.filter { !plan.isDoomed($0.source) }.map {
                    ReferenceEdit(relationship: $0.relationship, record: $0.source, target: $0.target, inserts: false)
                }
                if !edits.isEmpty { _ = try RecordEditor(transaction, rules).apply(edits, plan.records) }
            }
        }
        for record in plan.stillReferenced {
            // What points at it may be gone when the transaction ends.
            orphans.append(Orphan(record: records.record(plan.records.reference(record)), rule: .cascadeWhenUnreferenced, owner: nil))
        }
    }

    private func delete(_ numbers: [Int], _ model: Int, _ name: String, _ plan: DeletionPlan) throws {
        let keys = numbers.map { plan.records.keys[model][$0] }
        let writer = try transaction.writer
        if writer.prefetches, let keyspace = try writer.keyspace(named: name) { try writer.prefetch(keys, in: keyspace) }
        guard let journal = transaction.journal else {
            for key in keys { _ = try transaction.removeRecord(of: name, key.span.bytes) }
            return
        }
        for (number, key) in zip(numbers, keys) {
            let cause = plan.cause(of: RecordNumber(model: Int32(model), key: UInt32(number)))
            _ = try journal.causing(cause) { try transaction.removeRecord(of: name, key.span.bytes) }
        }
    }
}

/// A record that was taken out of a relationship that owns it.
struct Orphan: Hashable {
    let record: RecordNumber
    /// ``DeleteRule/cascade`` or ``DeleteRule/cascadeWhenUnreferenced``.
    let rule: DeleteRule
    /// The record that had it; nil where that is not known.
    let owner: RecordNumber?
}

extension RelationshipKeeper {
    /// Deletes the orphans that were noted since a mark and have no owner; ends what was left open of inverses.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when a rule denies the deletion of one; what deleting and saving throw.
    func settle(since mark: (any FollowerMark)?) throws {
        let isWhole = mark == nil
        let mark = mark as? Mark ?? .start
        try transaction.change {
            try carryOver()
            repeat {
                try deleteOrphans(since: mark.orphans)
                try completeOnesided(since: mark.onesided)
            } while orphans.count > mark.orphans
        }
        forgetRecords()
        // What comes next in the transaction may be another caller's.
        if isWhole { spared = [] }
    }

    /// Notes a record that an owner has let go of, otherwise than by a change of the owner's record.
    func noteOrphan(_ reference: AnyReference, _ rule: DeleteRule) {
        orphans.append(Orphan(record: records.record(reference), rule: rule, owner: nil))
    }

    private func deleteOrphans(since mark: Int) throws {
        guard orphans.count > mark else { return }
        let noted = Set(orphans[mark...])
        orphans.removeSubrange(mark...)
        let plan = try newPlan()
        for orphan in noted {
            let record = plan.record(records.reference(orphan.record))
            if let owner = orphan.owner { plan.noteCause(of: record, plan.record(records.reference(owner))) }
            plan.consider(record, DeletionPlan.Reason(orphan.rule))
        }
        try plan.complete()
        let count = orphans.count
        try carryOut(plan)
        // Nothing else is done after this that could take the last reference away, so they need not be looked at again.
        orphans.removeSubrange(count...)
    }

    /// Puts the source of a reference that stayed, since it cannot be nil, back into its target's inverse.
    private func completeOnesided(since mark: Int) throws {
        guard onesided.count > mark else { return }
        // In the order of the sources, so that their order does not depend on how they came here.
        let noted = onesided[mark...].sorted { records.precedes($0.source, $1.source) }
        onesided.removeSubrange(mark...)
        var edits: [ReferenceEdit] = []
        for reference in noted {
            guard let inverse = rules.inverses[reference.relationship], !rules.relationships[inverse].schema.shape.isToOne else { continue }
            let target = records.reference(reference.target)
            guard try targets(of: reference.source, rules.relationships[reference.relationship]).contains(target) else { continue }
            edits.append(ReferenceEdit(relationship: inverse, record: reference.target, target: reference.source, inserts: true))
        }
        try noting(.orphans) { try apply(edits) }
    }
}
