import Trove

/// Whole records as JSON objects, in the form that exports have: `{"$model":"Song","$id":…,"title":…}`. A document's values stand in it by their own names,
/// one that has no names by `$value`.
/// What is still encrypted, since the store has no key of it, is left out.
package final class RecordJSON {
    private let model: StoredModel
    private let json: JSONText
    /// What stands before the id.
    private let lead: [UInt8]
    /// The names of the fields of the last record, each as it is written with the comma before it.
    private var names: (fields: [String], written: [[UInt8]]) = ([], [])

    package init(_ model: StoredModel, _ json: JSONText) {
        self.model = model
        self.json = json
        var lead: [UInt8] = []
        json.appendName("$model", isData: false, to: &lead)
        json.append(model.name, to: &lead)
        lead.append(UInt8(ascii: ","))
        json.appendName(StoredModel.idName, isData: false, to: &lead)
        self.lead = lead
    }

    /// Appends what stands between the braces of a record's object.
    package func append(_ record: StoredRecord, to bytes: inout [UInt8]) throws {
        bytes.append(contentsOf: lead)
        json.append(json: try model.ids.json(of: record.key), to: &bytes)
        if model.isCollection { return try appendDocument(record, to: &bytes) }
        let fields = record.fieldNames
        if names.fields != fields {
            names = (fields, fields.map { name in
                var written = [UInt8(ascii: ",")]
                json.appendName(name, isData: true, to: &written)
                return written
            })
        }
        for (position, name) in fields.enumerated() where record.sealedFields.isEmpty || !record.sealedFields.contains(name) {
            bytes.append(contentsOf: names.written[position])
            try json.append(record.value(of: name), to: &bytes)
        }
    }

    private func appendDocument(_ record: StoredRecord, to bytes: inout [UInt8]) throws {
        func append(_ name: String, _ value: StoredValue, isData: Bool) throws {
            bytes.append(UInt8(ascii: ","))
            json.appendName(name, isData: isData, to: &bytes)
            try json.append(value, to: &bytes)
        }
        if let name = record[DocumentRecord.className], name != .null { try append(DocumentRecord.className, name, isData: false) }
        guard case .object(let values)? = record[DocumentRecord.root] else {
            return try append("$value", record[DocumentRecord.root] ?? .null, isData: false)
        }
        for (name, value) in values { try append(name, value, isData: true) }
    }
}
