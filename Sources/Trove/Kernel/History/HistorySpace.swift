/// The keyspaces of a store's history. `docs/format.md` has the bytes.
enum HistorySpace {
    /// Entries, in chunks: under the entry's number, from 1 without gaps in the order of the commits, and the chunk's. What was trimmed is under 0.
    static let keyspaceName = "$history"
    /// How far each consumer has read, by its name.
    static let consumersName = "$historyConsumers"

    static let trimmedKey = key(0, 0)

    static func key(_ number: UInt64, _ chunk: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init) + withUnsafeBytes(of: chunk.bigEndian, Array.init)
    }

    /// The number of an entry and of a chunk; nil for a key that is none.
    static func parts(_ key: RawSpan) -> (number: UInt64, chunk: UInt32)? {
        guard key.byteCount == 12 else { return nil }
        return key.withUnsafeBytes { key in
            (UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)), UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        }
    }

    /// The entries with numbers above this one.
    static func entries(after number: UInt64) -> KeyRange { KeyRange(from: end(of: number)) }

    /// The entries with numbers up to and with this one.
    static func entries(upTo number: UInt64) -> KeyRange { KeyRange(from: KeyRange.after(trimmedKey).lower, upTo: end(of: number)) }

    /// The least key above those of an entry; a number from a damaged store may be the last there is.
    private static func end(of number: UInt64) -> [UInt8] { key(number, .max) + [0] }

    /// The key of the last chunk, or of what was trimmed; nil when there is none.
    static func lastKey(_ reader: any StorageReader, _ keyspace: Keyspace) throws -> [UInt8]? {
        let cursor = try reader.cursor(in: keyspace)
        guard try cursor.seekToLast() else { return nil }
        var last: [UInt8]?
        _ = try cursor.withEntry { key, _ in last = [UInt8](copying: key) }
        return last
    }

    /// The last entry that was trimmed; ``HistoryToken/start`` while none was.
    static func trimmed(_ reader: any StorageReader, _ keyspace: Keyspace) throws -> HistoryToken {
        try reader.withValue(of: trimmedKey.span.bytes, in: keyspace) { try decode($0, key: trimmedKey) } ?? .start
    }

    /// A value that is a place in the history, sealed with its key.
    static func encode(_ token: HistoryToken, key: [UInt8]) -> [UInt8] {
        var bytes = ByteWriter(capacity: 16)
        bytes.append(token.number.littleEndian)
        bytes.append(token.stamp.littleEndian)
        return bytes.withBytes { $0.withUnsafeBytes { Checksum.sealed($0, seed: Checksum.hash(key)) } }
    }

    /// - Throws: ``TroveError/corruptHistory(entry:reason:)``.
    static func decode(_ value: RawSpan, key: [UInt8]) throws -> HistoryToken {
        try Checksum.withBody(of: value, seed: Checksum.hash(key)) { body in
            guard let body, body.count == 16 else { throw TroveError.corruptHistory(entry: 0, reason: "a place in it cannot be read") }
            return HistoryToken(
                number: UInt64(littleEndian: body.loadUnaligned(as: UInt64.self)),
                stamp: UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}
