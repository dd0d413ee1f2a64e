/// The record keys of the documents of one block; empty where there is no document.
///
/// The value is a checksum, the length of all keys or 0 when they differ, a bit for each document that there is, and the keys, each
/// after its length when those differ.
struct RecordKeyBlock {
    private static let headerSize = 5
    static let size = Int(FullTextFormat.keyBlockSize)

    private(set) var keys = [[UInt8]](repeating: [], count: size)

    init() {}

    /// Reads a block.
    init(_ value: RawSpan, key: [UInt8], _ index: InvertedIndex) throws {
        try Self.forEach(value, key: key, index) { slot, recordKey in keys[slot] = [UInt8](recordKey) }
    }

    subscript(slot: Int) -> [UInt8] {
        get { keys[slot] }
        set { keys[slot] = newValue }
    }

    /// Calls `body` with the place and the record key of each document of a stored block.
    static func forEach(
        _ value: RawSpan, key: [UInt8], _ index: InvertedIndex, _ body: (_ slot: Int, _ recordKey: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try value.withUnsafeBytes { value in
            guard let rest = key.withUnsafeBytes({ FullTextFormat.checked(value, key: $0) }), rest.count >= headerSize else {
                throw index.corrupt("a block of documents does not fit its checksum; rebuild the index")
            }
            let present = UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
            var offset = headerSize
            for slot in 0..<size where present & 1 << UInt32(slot) != 0 {
                let stored = rest[0] == 0 ? Varint.read(rest, &offset) : UInt64(rest[0])
                guard let length = stored, length > 0, length <= UInt64(rest.count - offset) else {
                    throw index.corrupt("a block of documents ends in the middle of one; rebuild the index")
                }
                try body(slot, UnsafeRawBufferPointer(rebasing: rest[offset..<offset + Int(length)]))
                offset += Int(length)
            }
        }
    }

    /// Stores the block under `key`, or removes it when it is empty.
    func save(_ key: [UInt8], _ writer: any StorageWriter, _ documents: Keyspace) throws {
        guard let length = keys.first(where: { !$0.isEmpty })?.count else {
            try writer.delete(key, in: documents)
            return
        }
        let isUniform = length < 256 && keys.allSatisfy { $0.isEmpty || $0.count == length }
        var value = ByteWriter(capacity: 1024)
        value.append(UInt32(0))
        value.append(UInt8(isUniform ? length : 0))
        var present: UInt32 = 0
        for slot in 0..<Self.size where !keys[slot].isEmpty { present |= 1 << UInt32(slot) }
        value.append(present.littleEndian)
        for recordKey in keys where !recordKey.isEmpty {
            if !isUniform { value.append(varint: UInt64(recordKey.count)) }
            recordKey.withUnsafeBytes { value.append($0) }
        }
        try value.sealAndPass(key) { try writer.put(key.span.bytes, $0, in: documents) }
    }
}
