/// Writes the records of one layout as JSON, their values where they lie in the record.
struct JSONRecordWriter {
    let layout: RecordLayout
    private let id: IDCoding
    private let fields: [(name: [UInt8], access: FieldAccess)]

    init(_ layout: RecordLayout, id: IDCoding) {
        self.layout = layout
        self.id = id
        fields = layout.fields.map { (Array($0.name.utf8), FieldAccess($0, of: layout, names: [])) }
    }

    /// Appends `{"$model": …, "$id": …, …}` with the fields in the layout's order.
    ///
    /// - Parameter number: the layout's number in a transfer where the model has several; nil where it needs none.
    /// - Throws: `DecodingFault`, ``TroveError/corruptValue(reason:)`` and ``TroveError/corruptKey(reason:)`` for damaged bytes.
    func write(_ record: RecordView, number: Int? = nil, to writer: inout JSONWriter) throws {
        writer.beginObject()
        writer.name(raw: "$model")
        writer.text(layout.modelName)
        if let number {
            writer.name(raw: "$layout")
            writer.digits(Int64(number))
        }
        writer.name(raw: "$id")
        try id.write(record.wholeKey, to: &writer)
        for (name, access) in fields {
            name.withUnsafeBytes { writer.name($0) }
            try access.withValue(in: record) { try writer.value($0) }
        }
        writer.endObject()
    }
}
