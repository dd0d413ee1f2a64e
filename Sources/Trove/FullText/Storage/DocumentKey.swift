/// Keys of what is kept by document number: for each group of documents their lengths, and blocks of record keys after them.
enum DocumentKey {
    static func lengths(group: UInt64) -> [UInt8] { key(group, 0) }

    static func recordKeys(block: UInt64) -> [UInt8] {
        let perGroup = FullTextFormat.groupSize / FullTextFormat.keyBlockSize
        return key(block / perGroup, UInt8(block % perGroup) + 1)
    }

    private static func key(_ group: UInt64, _ part: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10)
        OrderedNumber.append(group + 1, to: &bytes)
        bytes.append(part)
        return bytes
    }
}

extension DocumentKey {
    /// The block of record keys that is stored under `key`; nil for other keys.
    static func recordKeyBlock(_ key: UnsafeRawBufferPointer) -> UInt64? {
        let perGroup = FullTextFormat.groupSize / FullTextFormat.keyBlockSize
        guard let (group, end) = group(key), key[end] > 0, UInt64(key[end]) <= perGroup else { return nil }
        return group * perGroup + UInt64(key[end] - 1)
    }

    /// The group whose lengths are stored under `key`; nil for other keys.
    static func lengthGroup(_ key: UnsafeRawBufferPointer) -> UInt64? {
        guard let (group, end) = group(key), key[end] == 0 else { return nil }
        return group
    }

    /// The group that begins a key, and where the one byte is that follows it; nil for other keys.
    private static func group(_ key: UnsafeRawBufferPointer) -> (group: UInt64, end: Int)? {
        guard let (group, end) = OrderedNumber.read(key, at: 0), end + 1 == key.count, group > 0,
            group <= FullTextFormat.numberLimit / FullTextFormat.groupSize
        else { return nil }
        return (group - 1, end)
    }
}

/// The number of a document as it is kept under its record key: a checksum and the number.
enum DocumentNumber {
    static func encode(_ number: UInt64, recordKey: UnsafeBufferPointer<UInt8>, _ value: inout ByteWriter) {
        value.count = 0
        value.append(UInt32(0))
        value.append(varint: number)
        let rest = UnsafeRawBufferPointer(start: value.base + FullTextFormat.checksumSize, count: value.count - FullTextFormat.checksumSize)
        let checksum = FullTextFormat.checksum(of: rest, key: UnsafeRawBufferPointer(recordKey))
        value.base.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    }

    static func decode(_ value: RawSpan, recordKey: UnsafeRawBufferPointer, _ index: InvertedIndex) throws -> UInt64 {
        try value.withUnsafeBytes { value in
            var offset = 0
            guard let rest = FullTextFormat.checked(value, key: recordKey), let number = Varint.read(rest, &offset), offset == rest.count,
                number < FullTextFormat.numberLimit
            else {
                throw index.corrupt("the number of a document is damaged; rebuild the index")
            }
            return number
        }
    }
}

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
        try Self.forEach(value, key: key.span.bytes, index) { slot, recordKey in keys[slot] = [UInt8](recordKey) }
    }

    subscript(slot: Int) -> [UInt8] {
        get { keys[slot] }
        set { keys[slot] = newValue }
    }

    /// Calls `body` with the place and the record key of each document of a stored block whose place is among `slots`, a bit for
    /// each, and returns where there are documents.
    @discardableResult
    static func forEach(
        _ value: RawSpan, key: RawSpan, slots: UInt32 = .max, _ index: InvertedIndex,
        _ body: (_ slot: Int, _ recordKey: UnsafeRawBufferPointer) throws -> Void
    ) throws -> UInt32 {
        try value.withUnsafeBytes { value in
            guard let rest = key.withUnsafeBytes({ FullTextFormat.checked(value, key: $0) }), rest.count >= headerSize else {
                throw index.corrupt("a block of documents does not fit its checksum; rebuild the index")
            }
            let present = UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
            let endsEarly = "a block of documents ends in the middle of one; rebuild the index"
            if rest[0] > 0 {
                let width = Int(rest[0])
                guard present.nonzeroBitCount * width <= rest.count - headerSize else { throw index.corrupt(endsEarly) }
                var left = present & slots
                while left != 0 {
                    let slot = left.trailingZeroBitCount
                    let start = headerSize + (present & (1 << UInt32(slot) - 1)).nonzeroBitCount * width
                    try body(slot, UnsafeRawBufferPointer(rebasing: rest[start..<start + width]))
                    left &= left - 1
                }
                return present
            }
            var offset = headerSize
            for slot in 0..<size where present & 1 << UInt32(slot) != 0 {
                guard let length = Varint.read(rest, &offset), length > 0, length <= UInt64(rest.count - offset) else { throw index.corrupt(endsEarly) }
                if slots & 1 << UInt32(slot) != 0 { try body(slot, UnsafeRawBufferPointer(rebasing: rest[offset..<offset + Int(length)])) }
                offset += Int(length)
            }
            return present
        }
    }

    /// Stores the block under `key`, or removes it when it is empty.
    func save(_ key: [UInt8], _ writer: any StorageWriter, _ documents: Keyspace) throws {
        guard let length = keys.first(where: { !$0.isEmpty })?.count else {
            try writer.remove(key, in: documents)
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
