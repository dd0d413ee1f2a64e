/// The changes of a chunk that is being filled.
struct HistoryChanges: ~Copyable {
    private var bytes = ByteWriter(capacity: 512)
    /// The numbers of the models that were named.
    private var models: [String: UInt64] = [:]

    /// How many bytes they take.
    var size: Int { bytes.count }

    /// Adds a change that was encoded.
    mutating func append(_ modelName: String, _ change: UnsafeRawBufferPointer) {
        if let number = models[modelName] {
            bytes.append(varint: number)
        } else {
            bytes.append(varint: 0)
            bytes.append(varint: UInt64(modelName.utf8.count))
            bytes.append(utf8: modelName)
            models[modelName] = UInt64(models.count + 1)
        }
        bytes.append(change)
    }

    mutating func removeAll() {
        bytes.count = 0
        models.removeAll(keepingCapacity: true)
    }

    /// The value that the engine has under a key.
    func sealed(_ header: HistoryChunk.Header, with key: [UInt8]) -> [UInt8] {
        var chunk = ByteWriter(capacity: bytes.count + 64)
        HistoryChunk.encode(header, into: &chunk)
        bytes.withBytes { $0.withUnsafeBytes { chunk.append($0) } }
        return chunk.withBytes { $0.withUnsafeBytes { Checksum.sealed($0, seed: Checksum.hash(key)) } }
    }
}
