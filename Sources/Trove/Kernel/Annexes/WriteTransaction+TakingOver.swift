/// Records of a context whose lazy values somebody else has replaced, or deleted with their record, since the context read them.
extension WriteTransaction {
    /// The names of the fields of a record whose annexes neither the store nor anybody in memory has.
    ///
    /// - Parameter key: the engine's key of the record.
    func lostLazyFields(of record: UnsafeRawBufferPointer, key: [UInt8], _ model: OpenModel) throws -> [String] {
        guard model.hasLazyFields else { return [] }
        let layout = model.binding.layout
        let keyspace = try reader.keyspace(named: AnnexSpace.name(of: layout.modelName))
        return try key.withUnsafeBytes { keyBytes in
            let view = try RecordView(trusting: record, key: keyBytes, layout: layout)
            return try layout.lazyFields.map { layout.fields[$0] }.filter { field in
                guard let id = try LazyForm.annexID(in: view.variable(field.place)) else { return false }
                if let provider = annexProvider(of: id), provider.stored.map({ $0.recordKey != key || $0.modelName != layout.modelName }) ?? true { return false }
                guard let keyspace else { return true }
                return try !reader.contains(AnnexSpace.key(of: id, key), in: keyspace)
            }.map(\.name)
        }
    }

    /// A record of a context in which the lazy values that are lost are those that are stored now; nil when none is lost.
    ///
    /// - Parameter stored: the record that is stored, in the model's current layout.
    func takingOver(_ stored: [UInt8], in record: UnsafeRawBufferPointer, key: [UInt8], _ model: OpenModel) throws -> [UInt8]? {
        let lost = try lostLazyFields(of: record, key: key, model)
        if lost.isEmpty { return nil }
        var mended = try storedRecord(record.bytes, key: key.span.bytes)
        let theirs = try storedRecord(stored.span.bytes, key: key.span.bytes)
        for field in lost { mended.copy(field, from: theirs) }
        var buffer = RecordBuffer()
        try buffer.encode(mended, model.binding.layout)
        offers.keep(buffer.record.annexes)
        return buffer.withBytes { _, bytes in [UInt8](copying: bytes) }
    }
}
