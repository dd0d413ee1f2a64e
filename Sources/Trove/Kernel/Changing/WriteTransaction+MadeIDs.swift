/// Ids that objects make of their properties: a record whose properties make another id than that of its key would be found under the one and be the other.
extension WriteTransaction {
    /// Whether the object of the record in a buffer has the id whose key the buffer has.
    ///
    /// - Throws: what making the object throws.
    func keepsID(_ buffer: borrowing RecordBuffer, _ model: OpenModel) throws -> Bool {
        var made: [UInt8] = []
        try buffer.withBytes { key, record in
            try withDecoder(record, key: key, model) { made = try model.binding.objectKey(&$0) }
        }
        return made == buffer.key.bytes
    }
}
