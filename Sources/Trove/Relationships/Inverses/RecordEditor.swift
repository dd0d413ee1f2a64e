/// Puts references into stored records and takes them out, each record rewritten once.
struct RecordEditor {
    private let transaction: WriteTransaction
    private let rules: RelationshipRules

    init(_ transaction: WriteTransaction, _ rules: RelationshipRules) {
        self.transaction = transaction
        self.rules = rules
    }

    /// Makes the edits, removals before insertions and these in their order. Records that are not there are left out.
    ///
    /// - Returns: the references that were to be taken out and cannot be nil.
    func apply(_ edits: [ReferenceEdit], _ records: RecordTable) throws -> [OnesidedReference] {
        var onesided: [OnesidedReference] = []
        try transaction.batch {
            var start = 0
            let order = sorted(edits, records)
            while start < order.count {
                let record = edits[order[start]].record
                var end = start + 1
                while end < order.count, edits[order[end]].record == record { end += 1 }
                try apply(order[start..<end].map { edits[$0] }, to: record, records, &onesided)
                start = end
            }
        }
        return onesided
    }

    /// The edits by record and relationship, otherwise as they were.
    private func sorted(_ edits: [ReferenceEdit], _ records: RecordTable) -> [Int] {
        edits.indices.sorted { left, right in
            let (first, second) = (edits[left], edits[right])
            if first.record != second.record { return records.precedes(first.record, second.record) }
            return (first.relationship, left) < (second.relationship, right)
        }
    }

    private func apply(
        _ edits: [ReferenceEdit], to record: RecordNumber, _ records: RecordTable, _ onesided: inout [OnesidedReference]
    ) throws {
        let name = records.modelName(record)
        func fields() -> Set<String> { Set(edits.map { rules.relationships[$0.relationship].name }) }
        guard let model = try transaction.openRecordsForChanging(named: name),
            let stored = try transaction.recordToEdit(under: records.key(record), model, changing: fields)
        else { return }
        var changed = stored
        var rest = edits[...]
        while let first = rest.first {
            let group = rest.prefix { $0.relationship == first.relationship }
            rest = rest.dropFirst(group.count)
            let relationship = rules.relationships[first.relationship]
            guard let old = changed[relationship.name] else {
                // Without the model nobody can bring the record into a layout that has the relationship, nor tell what the model makes of an earlier version.
                guard group.contains(where: \.inserts) || stored.version < model.binding.schema.version else { continue }
                throw TroveError.needsModel(name, reason: "a record of it is of an earlier layout, without '\(relationship.name)', which has to change")
            }
            for edit in group { try learnWholeKey(of: edit.target, records) }
            let new = try value(old, relationship, group, records)
            let isSame = new.isSame(as: old)
            if relationship.schema.shape == .requiredOne, isSame {
                for edit in group where !edit.inserts {
                    onesided.append(OnesidedReference(relationship: edit.relationship, source: record, target: edit.target))
                }
            }
            if !isSame { try relationship.set(new, in: &changed) }
        }
        guard changed != stored else { return }
        let buffer = try transaction.buffer(of: changed, model)
        // It follows from what became of the record at the other end.
        if let journal = transaction.journal {
            try journal.causing(records.reference(edits[0].target)) { try transaction.update(buffer, model) }
        } else {
            try transaction.update(buffer, model)
        }
    }

    /// A record that was met as a source has only the key of the engine, from which a reference cannot always be made.
    private func learnWholeKey(of record: RecordNumber, _ records: RecordTable) throws {
        guard records.lacksWholeKey(record), let model = try transaction.openRecords(named: records.modelName(record)),
            let stored = try transaction.storedRecord(under: records.key(record), model)
        else { return }
        records.noteWholeKey(stored.key, of: record)
    }

    /// What becomes of a relationship's value.
    private func value(
        _ old: StoredValue, _ relationship: RelationshipBinding, _ edits: ArraySlice<ReferenceEdit>, _ records: RecordTable
    ) throws -> StoredValue {
        let removed = ReferenceSet(try edits.filter { !$0.inserts }.map { try relationship.storedReference(to: records.reference($0.target)) })
        let inserted = try edits.filter(\.inserts).map { try relationship.storedReference(to: records.reference($0.target)) }
        switch (relationship.schema.shape, old) {
        case (.optionalOne, _): return inserted.last ?? (removed.contains(old) ? .null : old)
        case (.requiredOne, _): return inserted.last ?? old
        case (.ordered, .array(let values)), (.set, .array(let values)):
            var kept = removed.isEmpty ? values.array : values.filter { !removed.contains($0) }
            if inserted.isEmpty { return .array(kept) }
            var present = ReferenceSet(kept)
            for reference in inserted where present.insert(reference) { kept.append(reference) }
            return .array(kept)
        case (.keyed, .object(let values)): return .object(values.dictionary.filter { !removed.contains($0.value) })
        case (.ordered, _), (.set, _), (.keyed, _): return old
        }
    }
}

extension RelationshipBinding {
    /// Gives a record, which may be in an older layout, a value of the relationship.
    ///
    /// - Throws: ``TroveError/needsModel(_:reason:)`` when that layout cannot hold the value.
    func set(_ value: StoredValue, in record: inout StoredRecord) throws {
        do {
            try record.set(name, to: value)
        } catch TroveError.encodingFailed(_, _, let reason) {
            throw TroveError.needsModel(record.modelName, reason: "a record of it is of an earlier layout, in which '\(name)' cannot change so: \(reason)")
        }
    }

    /// A reference as the field's values have it.
    func storedReference(to target: AnyReference) throws -> StoredValue {
        guard let model = self.target else { return try target.storedBytes.withUnsafeBytes { try FieldValue.data($0).storedValue() } }
        return try target.keyBytes.withUnsafeBytes { key in
            try RecordID.withValue(of: key, type: model.idType?.unwrapped) { try $0.storedValue() }
        }
    }
}

/// References as a field's values have them. One to an id that is no number is equal to itself here, as all such ids are one.
struct ReferenceSet {
    private var values: Set<StoredValue>
    private var hasNaN: Bool

    init(_ values: some Sequence<StoredValue>) {
        self.values = Set(values)
        hasNaN = self.values.contains { $0 != $0 }
    }

    var isEmpty: Bool { values.isEmpty }

    func contains(_ value: StoredValue) -> Bool { values.contains(value) || hasNaN && value != value }

    /// Adds a reference; returns whether it is a new one.
    mutating func insert(_ value: StoredValue) -> Bool {
        if contains(value) { return false }
        if value != value { hasNaN = true }
        return values.insert(value).inserted
    }
}
