extension ReadTransaction {
    /// A record's bytes in the current layout of its model.
    ///
    /// - Parameter key: the id's bytes.
    func record(_ bytes: [UInt8], key: [UInt8], inLayoutOf binding: ModelBinding) throws -> [UInt8] {
        if binding.layout.isLayout(of: bytes) { return bytes }
        let key = RecordKey(key)
        var buffer = RecordBuffer()
        try withDecoder(bytes.span.bytes, key: key.bytes.span.bytes, OpenModel(binding)) { try binding.normalise(self, &$0, &buffer) }
        return buffer.withBytes { _, record in [UInt8](copying: record) }
    }

    /// The stored records of some ids of a model, in their order; nil where there is none.
    func storedVersions(of keys: [[UInt8]], _ type: any LiveModel.Type) throws -> [StoredVersion?] {
        let model = try open(type)
        var versions = [StoredVersion?](repeating: nil, count: keys.count)
        guard let keyspace = model.keyspace else { return versions }
        let recordKeys = keys.map { RecordKey($0) }
        try reader.getMany(recordKeys.map(\.bytes), in: keyspace) { position, record in
            guard let record else { return }
            let key = recordKeys[position]
            var layout: RecordLayout?
            // Checks the record, and that it is not another id's with the same shortened key.
            try withDecoder(record, key: key.bytes.span.bytes, model, matching: key.long) { layout = $0.layout }
            guard let layout else { return }
            let bytes = [UInt8](copying: record)
            versions[position] = StoredVersion(
                bytes: try self.record(bytes, key: keys[position], inLayoutOf: model.binding), version: RecordVersion.of(bytes), layout: layout)
        }
        return versions
    }
}

extension RecordLayout {
    /// Whether a record is written in this layout.
    func isLayout(of record: [UInt8]) -> Bool {
        guard record.count >= Self.headerSize else { return false }
        return record.withUnsafeBytes { UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) } == number
    }
}
