/// Has relationships told of changes where one asks for it.
struct RelationshipFollowing: ChangeFollowing {
    func listener(for model: ModelBinding, in transaction: WriteTransaction) throws -> (any ChangeListener)? {
        let rules = try transaction.relationships.rules.model(model.schema.name)
        return try rules.tracked.isEmpty ? nil : RelationshipNotes(transaction.openRelationships(), model, rules)
    }

    func asksObjects(of model: any Model.Type) -> Bool { model is any CustomDeleteRule.Type }
}

extension WriteTransaction {
    /// What keeps the relationships; nil while there was nothing to keep.
    private var keeper: RelationshipKeeper? { follower as? RelationshipKeeper }

    /// What keeps the relationships, made when it is first needed.
    func openRelationships() throws -> RelationshipKeeper {
        if let keeper { return keeper }
        let keeper = RelationshipKeeper(self, try relationships.rules)
        follower = keeper
        return keeper
    }

    /// Deletes records, judged together, with all that the rules of their relationships ask for; returns how many of them there were.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)``, with nothing changed.
    @discardableResult
    func delete(_ references: some Sequence<AnyReference>) throws -> Int {
        var keys: [String: KeyList] = [:]
        for reference in references {
            RecordKey(reference.keyBytes).bytes.withUnsafeBytes { keys[reference.modelName, default: KeyList()].append($0) }
        }
        return try deleteTogether(keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Deletes the records of models with these keys of the engine, judged together; returns how many there were.
    ///
    /// - Parameters:
    ///   - letsGoOfMissing: as ``DeletionPlan/letsGoOfMissing``.
    ///   - long: those of them whose keys of the engine are shortened: of a record that is not there nothing else tells the whole key.
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)``, with nothing changed.
    func deleteTogether(_ keys: [(modelName: String, keys: KeyList)], letsGoOfMissing: Bool = false, long: [AnyReference] = []) throws -> Int {
        let keeper = try openRelationships()
        let plan = try keeper.planDeletion()
        plan.letsGoOfMissing = letsGoOfMissing
        for reference in long { _ = plan.record(reference) }
        var requested: [RecordNumber] = []
        for (name, keys) in keys {
            let model = plan.model(name)
            keys.forEach { key in
                let record = key.withUnsafeBytes { plan.record(model, $0) }
                // One that is named twice is there once.
                if plan.state(record) == .met { requested.append(record) }
                plan.doom(record)
                return .next
            }
        }
        try plan.complete()
        let count = requested.count { plan.isDoomed($0) }
        if count > 0 || letsGoOfMissing { try keeper.carryOut(plan) }
        return count
    }

    /// What relationships ask of deletions; bags let go of what is deleted in a store that has had one.
    var rules: RelationshipRules {
        get throws { try hasBags ? relationships.rulesWithBags : relationships.rules }
    }

    /// Whether a deletion of a model's records may concern others.
    func relationshipsConcernDeletion(of modelName: String) throws -> Bool { try rules.model(modelName).concernsDeletion || mayHaveCustomDeleteRule(modelName) }

    /// Whether a model may have a function that is asked when its objects are deleted.
    private func mayHaveCustomDeleteRule(_ modelName: String) throws -> Bool { try core.mayHaveCustomDeleteRule(modelName, in: indexTable) }

    /// Whether all records of a model can be deleted without a look at each: nothing else points at them, and they own and deny nothing else.
    func relationshipsAllowRemovalOfAll(_ modelName: String) throws -> Bool {
        let all = try rules
        let rules = all.model(modelName)
        if try mayHaveCustomDeleteRule(modelName) { return false }
        guard rules.concernsDeletion else { return true }
        try keeper?.carryOver()
        try pipeline?.flush(insideBatch: true)
        for number in rules.incoming {
            let relationship = all.relationships[number]
            if relationship.model.schema.name == modelName { continue }
            guard try !mayHaveReferences(relationship, to: modelName) else { return false }
        }
        for number in rules.spreading {
            let relationship = all.relationships[number]
            if relationship.target?.schema.name == modelName { continue }
            guard try !mayHaveReferences(relationship, to: nil) else { return false }
        }
        return true
    }

    /// Whether a relationship may point at any object, or at one of a model: what its index can tell.
    private func mayHaveReferences(_ relationship: RelationshipBinding, to modelName: String?) throws -> Bool {
        guard let index = try reverseIndex(of: relationship) else { return true }
        guard let entries = try indexKeyspace(index) else { return false }
        var prefix = [KeyPart.present]
        if relationship.target == nil, let modelName {
            let reference = AnyReference(modelName: modelName, keyBytes: [])
            // Without the byte that ends the part, and as entries have it that are cut.
            if let part = try relationship.references.bytes(of: reference) { prefix = Array(part.dropLast().prefix(EntryFormat.keptPartsSize)) }
        }
        var isThere = false
        try reader.scan(.prefix(prefix), in: entries) { _, _ in
            isThere = true
            return .stop
        }
        return isThere
    }
}

extension ReadTransaction {
    /// Whether the store has, or once had, a bag: from its first one on it has indexes of bags.
    var hasBags: Bool {
        get throws { try indexTable.hasEntries(of: StoredBag.schema.name) }
    }

    /// All relationships, and what points from bags to their members.
    var relationshipsAndMemberships: [RelationshipBinding] {
        get throws { try relationships.table.all + (hasBags ? [core.bags.members] : []) }
    }
}
