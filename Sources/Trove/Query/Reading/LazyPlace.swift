/// Where a lazy value is, worked out once for a layout.
final class LazyPlace: Sendable {
    private let modelName: String
    private let field: String
    /// The number of the field's entry in the table of ends.
    private let number: Int

    init(_ field: RecordLayout.Field, of layout: RecordLayout) {
        modelName = layout.modelName
        self.field = field.name
        number = field.place
    }

    /// Calls `body` with the value, which is valid during the call.
    ///
    /// - Throws: what reading an annex throws; what `body` throws.
    func withValue<Result>(in record: RecordView, _ body: (FieldValue) throws -> Result) throws -> Result {
        let form = try record.variable(number)
        guard let id = try LazyForm.annexID(in: form) else {
            return try body(FieldValue(nested: UnsafeRawBufferPointer(rebasing: form.dropFirst())))
        }
        let annex = StoredAnnex(id, modelName: modelName, field: field, recordKey: [UInt8](record.key), record.annexes)
        var result: Result?
        try annex.withBytes { result = try body(FieldValue(nested: $0)) }
        guard let result else { throw annex.gone }
        return result
    }
}
