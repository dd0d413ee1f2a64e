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
