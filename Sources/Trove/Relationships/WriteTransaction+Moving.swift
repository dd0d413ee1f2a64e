extension WriteTransaction {
    /// Stores a record in the place of the one with another key, to which all that points at that one points from then on; returns false, with nothing
    /// changed, when there is a record with the new key, or none with the old one.
    ///
    /// That the key is another one concerns no inverse: both sides of it are rewritten where they are. In what else the record differs from the old one
    /// inverses and owners follow, as they follow a save.
    ///
    /// - Throws: what a save throws. What unique indexes and the engine refuse leaves the transaction one that can only roll back.
    func move(_ move: RecordMove, to record: StoredRecord, _ model: OpenModel) throws -> Bool {
        let keeper = try openRelationships()
        try keeper.carryOver()
        // Whoever catches an error of a taken id may go on, so it is found out before anything is removed.
        if let keyspace = model.keyspace, try reader.contains(move.newKey, in: keyspace) { return false }
        guard var before = try storedRecord(under: move.oldKey, model) else { return false }
        before = StoredRecord(key: move.new.keyBytes, layout: model.binding.layout, values: before.values)
        var after = record
        let relationships = try relationshipsAndMemberships
        for relationship in relationships where relationship.model === model.binding {
            try move.replace(in: &before, relationship)
            try move.replace(in: &after, relationship)
        }
        let sources = try relationships.map { relationship in
            let keys = try sourceKeys(of: move.old, in: relationship)
            // The record itself is written anew; one of another model may have the same key.
            return (relationship, relationship.model === model.binding ? keys.filter { $0 != move.oldKey } : keys)
        }.filter { !$0.1.isEmpty }
        let oldBuffer = try buffer(of: before, model)
        let newBuffer = try buffer(of: after, model)
        let early = try keeper.referencesBefore(move, model.binding)
        // The annexes go with the old record.
        let annexes = try newBuffer.record.annexes.map { offer in
            let provider = annexProvider(of: offer.id) ?? offer.provider
            return AnnexOffer(id: offer.id, provider: provider.isInMemory ? provider : AnnexBytes(try bytes(of: provider)))
        }
        // Unique indexes judge when all has been noted.
        try offering(annexes) {
            try batch {
                try keeper.noting(.nothing) {
                    _ = try removeRecord(of: move.old.modelName, move.oldKey.span.bytes)
                    try upsert(newBuffer, model)
                    for (relationship, keys) in sources {
                        let moved = try relationship.moved([move])
                        for key in keys { try replace(moved, relationship, key) }
                    }
                }
                try oldBuffer.withBytes { key, old in
                    try newBuffer.withBytes { _, new in
                        try withRecordView(old, key: key, model) { old in
                            try withRecordView(new, key: key, model) { try keeper.noteMove(move, from: old, to: $0, early, model.binding) }
                        }
                    }
                }
            }
        }
        return true
    }

    /// Lets what points at documents, which only references to any model do, point at where they are stored now.
    func redirect(_ moves: [RecordMove]) throws {
        guard !moves.isEmpty else { return }
        let keeper = try openRelationships()
        try keeper.carryOver()
        let records = RecordTable()
        let targets = keeper.byModel(Set(moves.map { records.record($0.old) })).map { (model: $0.model, numbers: records.sorted($0.numbers, of: $0.model)) }
        for relationship in try relationshipsAndMemberships where relationship.target == nil {
            let sources = try sourceKeys(of: targets, in: records, relationship)
            if sources.count == 0 { continue }
            let moved = try relationship.moved(moves)
            try batch {
                try keeper.noting(.nothing) {
                    for source in sources.sorted(Array(0..<sources.count)) { try replace(moved, relationship, sources[source]) }
                }
            }
        }
    }

    /// The engine's keys of the records that point at some of many others, each once: a bag may have many of them.
    private func sourceKeys(
        of targets: [(model: Int, numbers: [Int])], in records: RecordTable, _ relationship: RelationshipBinding
    ) throws -> KeyTable {
        let keys = KeyTable()
        // For each relationship anew, since the one before has changed records.
        let scan = try SourceScan(self, relationship)
        for (model, numbers) in targets {
            try scan.forEachSource(of: numbers, in: records, model) { _, key in
                _ = keys.number(adding: key)
                return .next
            }
        }
        return keys
    }

    /// Rewrites one record that points at what is moved.
    private func replace(_ moved: MovedReferences, _ relationship: RelationshipBinding, _ key: [UInt8]) throws {
        guard let model = try openRecordsForChanging(named: relationship.model.schema.name),
            let stored = try recordToEdit(under: key, model, changing: { [relationship.name] })
        else { return }
        var record = stored
        try relationship.redirect(moved, in: &record)
        guard record != stored else {
            // The index has what the model makes of an earlier version.
            guard stored.version < model.binding.schema.version, stored[relationship.name] == nil else { return }
            throw TroveError.needsModel(stored.modelName, reason: "a record of it is of an earlier layout, without '\(relationship.name)', which has to change")
        }
        try update(buffer(of: record, model), model)
    }
}

extension ReadTransaction {
    /// The engine's keys of the records that point at an object through a relationship.
    fileprivate func sourceKeys(of target: AnyReference, in relationship: RelationshipBinding) throws -> [[UInt8]] {
        guard relationship.mayPoint(at: target.modelName) else { return [] }
        var keys: [[UInt8]] = []
        try forEachSource(of: target, in: relationship) { key, _ in keys.append([UInt8](copying: key)) }
        return keys
    }
}

/// A reference that stood at a new key before there was a record with it.
struct EarlyReference {
    /// The relationship that has it.
    let relationship: Int
    /// The engine's key of the record that has it.
    let source: [UInt8]
}

extension RelationshipKeeper {
    /// What points already at the new key of a record, through inverses of the record's relationships.
    fileprivate func referencesBefore(_ move: RecordMove, _ model: ModelBinding) throws -> [EarlyReference] {
        try rules.model(model.schema.name).tracked.compactMap(\.inverse).flatMap { inverse in
            try transaction.sourceKeys(of: move.new, in: rules.relationships[inverse]).map { EarlyReference(relationship: inverse, source: $0) }
        }
    }

    /// Notes what is other in a record than before it was moved, and what pointed at its new key before.
    fileprivate func noteMove(
        _ move: RecordMove, from old: RecordView, to new: RecordView, _ early: [EarlyReference], _ model: ModelBinding
    ) throws {
        let target = records.record(move.new)
        for reference in early {
            let name = rules.relationships[reference.relationship].model.schema.name
            let isItself = name == move.old.modelName && reference.source == move.oldKey
            let source = isItself ? target : reference.source.withUnsafeBytes { records.record(records.model(name), $0) }
            changes.append(LinkChange(relationship: reference.relationship, source: source, target: target, adds: true))
        }
        let rules = rules.model(model.schema.name)
        // What the record has itself counts more than what pointed at it before.
        for relationship in rules.tracked where early.contains(where: { $0.relationship == relationship.inverse }) {
            for other in try relationship.binding.targets(of: new) {
                changes.append(LinkChange(relationship: relationship.number, source: target, target: records.record(other), adds: true))
            }
        }
        guard !rules.tracked.isEmpty else { return }
        let notes = RelationshipNotes(self, model, rules)
        try notes.note(RecordTransition(key: new.key, old: old, new: new, oldBytes: old.bytes, newBytes: new.bytes))
        notes.accept()
    }
}

/// That a record gets another key, and what pointed at the old one points at the new one.
struct RecordMove {
    let old: AnyReference
    let new: AnyReference

    /// The engine's key of the record before.
    var oldKey: [UInt8] { RecordKey(old.keyBytes).bytes }

    /// The engine's key of the record after.
    var newKey: [UInt8] { RecordKey(new.keyBytes).bytes }

    /// Lets a record's relationship point at the new key, in the same places.
    func replace(in record: inout StoredRecord, _ relationship: RelationshipBinding) throws {
        try relationship.redirect(relationship.moved([self]), in: &record)
    }
}

extension RelationshipBinding {
    /// What references to records that get other keys become, both as the field's values have them.
    fileprivate func moved(_ moves: [RecordMove]) throws -> MovedReferences {
        var moved: [StoredValue: StoredValue] = [:]
        for move in moves where mayPoint(at: move.old.modelName) { moved[try storedReference(to: move.old)] = try storedReference(to: move.new) }
        return MovedReferences(moved)
    }

    /// Lets a record point at what references become, in the same places: one pass, however many they are.
    fileprivate func redirect(_ moved: MovedReferences, in record: inout StoredRecord) throws {
        guard !moved.isEmpty, let value = record[name], let redirected = value.replacing(moved, isSet: schema.shape == .set) else { return }
        try set(redirected, in: &record)
    }
}

/// What references become, by what they are.
private struct MovedReferences {
    private let values: [StoredValue: StoredValue]
    /// What one to an id that is no number becomes, which no key equals.
    private let ofNaN: StoredValue?

    init(_ values: [StoredValue: StoredValue]) {
        self.values = values
        ofNaN = values.first { $0.key != $0.key }?.value
    }

    var isEmpty: Bool { values.isEmpty }

    subscript(reference: StoredValue) -> StoredValue? { values[reference] ?? (reference != reference ? ofNaN : nil) }
}

extension StoredValue {
    /// A relationship's value with other references in the place of some; nil when it has none of them.
    fileprivate func replacing(_ moved: MovedReferences, isSet: Bool) -> StoredValue? {
        switch self {
        case .array(let values):
            guard values.contains(where: { moved[$0] != nil }) else { return nil }
            guard isSet else { return .array(values.map { moved[$0] ?? $0 }) }
            // It may point already at what was not stored yet.
            var present = ReferenceSet(values.filter { moved[$0] == nil })
            return .array(values.compactMap { value in
                guard let new = moved[value] else { return value }
                return present.insert(new) ? new : nil
            })
        case .object(let values):
            guard values.contains(where: { moved[$0.value] != nil }) else { return nil }
            return .object(values.dictionary.mapValues { moved[$0] ?? $0 })
        default: return moved[self]
        }
    }
}
