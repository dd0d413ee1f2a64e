/// A page of entries as it is in the file.
struct StoredLeaf {
    /// The leaves before and after it; 0 for none.
    let previous: UInt64
    let next: UInt64
    let entries: [(key: [UInt8], value: [UInt8])]

    /// - Throws: ``PageWalk/Damage``.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        var reader = PageReader(bytes, 0..<bytes.count)
        previous = UInt64(try reader.number(below: FileHeader.nodeBase))
        next = UInt64(try reader.number(below: FileHeader.nodeBase))
        var entries: [(key: [UInt8], value: [UInt8])] = []
        while !reader.isAtEnd {
            let keySize = try reader.number(below: 1_024)
            let valueSize = try reader.number(below: UInt64(Int32.max))
            // Trove never stores two values under one key.
            _ = try reader.number(below: 0)
            entries.append((Array(try reader.bytes(keySize)), Array(try reader.bytes(valueSize))))
        }
        self.entries = entries
    }
}
