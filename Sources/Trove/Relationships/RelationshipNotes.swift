/// Takes note of what changes in the relationships of one model's records.
///
/// Like what keeps an index, it is told of a change before the record is written; the change counts from ``accept()`` on.
final class RelationshipNotes: ChangeListener {
    private let keeper: RelationshipKeeper
    private let rules: ModelRules
    private let modelName: String
    private var changes: [LinkChange] = []
    private var orphans: [Orphan] = []
    private var newRecord: RecordNumber?
    /// The references of a field before and after, by the parts of their index.
    private let oldParts = KeyTable()
    private let newParts = KeyTable()

    init(_ keeper: RelationshipKeeper, _ model: ModelBinding, _ rules: ModelRules) {
        self.keeper = keeper
        self.rules = rules
        modelName = model.schema.name
    }

    func note(_ change: RecordTransition) throws {
        undo()
        let (old, new) = (change.old, change.new)
        guard keeper.noting != .nothing, let new else { return }
        var record: RecordNumber?
        for relationship in rules.tracked where keeper.noting == .changes || relationship.owns {
            oldParts.removeAll()
            newParts.removeAll()
            if let old {
                do {
                    if try new.agrees(with: old, in: [relationship.field]) { continue }
                    try gather(relationship, old, oldParts)
                } catch {
                    throw OldRecordFault(underlying: error)
                }
            }
            try gather(relationship, new, newParts)
            guard oldParts.count + newParts.count > 0 else { continue }
            let source = try record ?? number(of: new)
            record = source
            try note(relationship, oldParts, without: newParts) { keeper, target in
                if keeper.noting == .changes, relationship.inverse != nil {
                    changes.append(LinkChange(relationship: relationship.number, source: source, target: target, adds: false))
                }
                if relationship.owns { orphans.append(Orphan(record: target, rule: relationship.binding.schema.deleteRule, owner: source)) }
            }
            guard keeper.noting == .changes, relationship.inverse != nil else { continue }
            try note(relationship, newParts, without: oldParts) { _, target in
                changes.append(LinkChange(relationship: relationship.number, source: source, target: target, adds: true))
            }
        }
        if old == nil, keeper.noting == .changes, rules.hasInverses { newRecord = try record ?? number(of: new) }
    }

    func accept() {
        keeper.changes += changes
        keeper.orphans += orphans
        if let newRecord { keeper.newRecords.append(newRecord) }
        undo()
    }

    func undo() {
        changes.removeAll(keepingCapacity: true)
        orphans.removeAll(keepingCapacity: true)
        newRecord = nil
    }

    /// Nothing: all records are removed at once only where no relationship asks anything of it.
    func noteRemovalOfAll(in records: Keyspace) {}

    private func number(of view: RecordView) throws -> RecordNumber {
        let model = keeper.records.model(modelName)
        return try keeper.records.record(model, view)
    }

    private func gather(_ relationship: TrackedRelationship, _ record: RecordView, _ parts: KeyTable) throws {
        try relationship.binding.forEachPart(of: record) { part in
            part.withUnsafeBytes { part in
                if part.first == KeyPart.present { _ = parts.number(adding: part) }
            }
        }
    }

    /// Calls `body` with the target of each part that the others do not have.
    private func note(
        _ relationship: TrackedRelationship, _ parts: KeyTable, without others: KeyTable,
        _ body: (RelationshipKeeper, RecordNumber) throws -> Void
    ) throws {
        for number in 0..<parts.count {
            try parts.withKey(number) { part in
                guard others.number(of: part) == nil, let target = try relationship.binding.references.target(of: part) else { return }
                try body(keeper, keeper.records.record(target))
            }
        }
    }
}
