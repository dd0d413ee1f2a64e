/// The lengths in words of the documents of one group, 0 where there is no document.
///
/// The value is a checksum, the bytes a length takes (1, 2 or 4), and the lengths up to the last that is not 0.
struct LengthBlock {
    static let size = Int(FullTextFormat.groupSize)

    private(set) var lengths = [UInt32](repeating: 0, count: size)

    init() {}

    subscript(slot: Int) -> UInt32 {
        get { lengths[slot] }
        set { lengths[slot] = newValue }
    }

    /// Makes this the block with a stored value.
    mutating func load(_ value: RawSpan, key: [UInt8], _ index: InvertedIndex) throws {
        try value.withUnsafeBytes { value in
            guard let rest = key.withUnsafeBytes({ FullTextFormat.checked(value, key: $0) }), let width = rest.first.map(Int.init),
                width == 1 || width == 2 || width == 4, (rest.count - 1) % width == 0, (rest.count - 1) / width <= Self.size
            else { throw index.corrupt("a block of document lengths is damaged; rebuild the index") }
            let count = (rest.count - 1) / width
            for slot in 0..<count {
                let offset = 1 + slot * width
                switch width {
                case 1: lengths[slot] = UInt32(rest[offset])
                case 2: lengths[slot] = UInt32(UInt16(littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
                default: lengths[slot] = UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                }
            }
            for slot in count..<Self.size { lengths[slot] = 0 }
        }
    }

    /// Makes this a block without documents.
    mutating func clear() {
        for slot in 0..<Self.size { lengths[slot] = 0 }
    }

    /// Stores the block under `key`, or removes it when it is empty.
    func save(_ key: [UInt8], _ writer: any StorageWriter, _ documents: Keyspace) throws {
        guard let last = lengths.lastIndex(where: { $0 != 0 }), let most = lengths.max() else {
            try writer.remove(key, in: documents)
            return
        }
        var value = ByteWriter(capacity: 5 + 4 * Self.size)
        value.append(UInt32(0))
        let width = most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 4
        value.append(UInt8(width))
        for length in lengths[...last] {
            switch width {
            case 1: value.append(UInt8(length))
            case 2: value.append(UInt16(length).littleEndian)
            default: value.append(length.littleEndian)
            }
        }
        try value.sealAndPass(key) { try writer.put(key.span.bytes, $0, in: documents) }
    }
}
