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
        let sources = try relationships.map { ($0, try sourceKeys(of: move.old, in: $0).filter { $0 != move.oldKey }) }
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
                        for key in keys { try replace([move], relationship, key) }
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
        let keeper = try openRelationships()
        try keeper.carryOver()
        for relationship in try relationshipsAndMemberships where relationship.target == nil {
            // Each record is written once: a bag may have many of them.
            var sources: [[UInt8]: [RecordMove]] = [:]
            for move in moves {
                for key in try sourceKeys(of: move.old, in: relationship) { sources[key, default: []].append(move) }
            }
            if sources.isEmpty { continue }
            try batch {
                try keeper.noting(.nothing) {
                    for (key, moves) in sources.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { try replace(moves, relationship, key) }
                }
            }
        }
    }

    /// Rewrites one record that points at what is moved.
    private func replace(_ moves: [RecordMove], _ relationship: RelationshipBinding, _ key: [UInt8]) throws {
        guard let model = try openRecordsForChanging(named: relationship.model.schema.name), let stored = try recordToEdit(under: key, model) else { return }
        var record = stored
        for move in moves { try move.replace(in: &record, relationship) }
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
        guard relationship.mayPoint(at: old.modelName), let value = record[relationship.name] else { return }
        let replaced = value.replacing(
            try relationship.storedReference(to: old), by: try relationship.storedReference(to: new), isSet: relationship.schema.shape == .set)
        if replaced != value { try relationship.set(replaced, in: &record) }
    }
}

extension StoredValue {
    /// A relationship's value with one reference in the place of another.
    fileprivate func replacing(_ old: StoredValue, by new: StoredValue, isSet: Bool) -> StoredValue {
        switch self {
        case old: return new
        case .array(let values):
            // It may point already at what was not stored yet.
            if isSet, values.contains(new) { return .array(values.filter { $0 != old }) }
            return .array(values.map { $0 == old ? new : $0 })
        case .object(let values): return .object(values.dictionary.mapValues { $0 == old ? new : $0 })
        default: return self
        }
    }
}
