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
        guard let (group, end) = OrderedNumber.read(key, at: 0), group > 0, end + 1 == key.count, key[end] > 0 else { return nil }
        return (group - 1) * (FullTextFormat.groupSize / FullTextFormat.keyBlockSize) + UInt64(key[end] - 1)
    }

    /// The group whose lengths are stored under `key`; nil for other keys.
    static func lengthGroup(_ key: UnsafeRawBufferPointer) -> UInt64? {
        guard let (group, end) = OrderedNumber.read(key, at: 0), group > 0, end + 1 == key.count, key[end] == 0 else { return nil }
        return group - 1
    }
}
