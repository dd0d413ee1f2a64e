extension WriteTransaction {
    /// The error for a conflict that `record`, when given, has with a stored one.
    func violation(_ conflict: UniqueConflict, _ record: RecordView?) throws -> TroveError {
        let binding = conflict.binding
        let model = OpenModel(try self.binding(named: conflict.binding.modelName))
        var values: String?
        var ids: [String] = []
        for key in [conflict.recordKey, conflict.otherKey] {
            var id = StoredRecord.text(of: key)
            let read = { (view: RecordView) in
                if values == nil { values = try binding.describedValues(of: view) }
                id = try binding.describedID(of: view)
            }
            if let record, record.key.elementsEqual(key) {
                try read(record)
            } else if let keyspace = try reader.keyspace(named: binding.modelName) {
                _ = try reader.get(key.span.bytes, in: keyspace) { try withRecordView($0, key: key.span.bytes, model, read) }
            }
            ids.append(id)
        }
        return .uniqueViolation(
            model: binding.modelName, index: binding.schema.name, values: values ?? "these values", id: ids[0], otherID: ids[1])
    }
}

extension IndexBinding {
    /// The values of the index's parts in a record, for a message: `artist = Bill Evans, year = 1959`.
    func describedValues(of record: RecordView) throws -> String {
        try fields.parts.map { part in "\(part.part.path) = \(try part.reader.value(record).shownInErrors)" }.joined(separator: ", ")
    }

    /// The record's id, for a message.
    func describedID(of record: RecordView) throws -> String {
        guard fields.hasSimpleID else { return StoredRecord.text(of: [UInt8](record.key)) }
        return try fields.id.value(record).shownInErrors
    }
}
