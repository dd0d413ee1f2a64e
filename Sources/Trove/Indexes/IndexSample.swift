/// The keyspace in which every index's number of entries and a sample of their keys are kept, in step with the entries.
///
/// An entry belongs to the sample when the hash of its key says so, which is one of 256 on average; so the sample is the same however the
/// index came to be.
enum IndexSample {
    static let keyspaceName = "$statistics"
    /// One of how many entries belongs to the sample.
    static let rate = 256

    /// Whether a keyspace holds entries, groups or statistics of indexes.
    static func isOfIndexes(_ name: String) -> Bool { name == keyspaceName || IndexCatalogueEntry.number(ofKeyspace: name) != nil }

    static func contains(_ key: RawSpan) -> Bool { Checksum.hash(key) & UInt64(rate - 1) == 0 }

    /// The index's number, big-endian, then what is kept.
    private static func prefix(_ number: Int, _ kind: UInt8) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { [UInt8]($0) } + [kind]
    }

    static func countKey(_ number: Int) -> [UInt8] { prefix(number, 0) }

    /// The part of the keyspace's range that has the sample of an index.
    static func samplePrefix(_ number: Int) -> [UInt8] { prefix(number, 1) }

    /// Puts an entry's key into the sample, or removes it.
    static func note(_ key: RawSpan, of number: Int, isRemoved: Bool, _ writer: any StorageWriter) throws {
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        let sampleKey = samplePrefix(number) + [UInt8](copying: key)
        if isRemoved { try writer.remove(sampleKey, in: keyspace) } else { try writer.put(sampleKey, [], in: keyspace) }
    }

    /// Changes the numbers of entries of an index.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)`` when they cannot be read.
    static func add(_ growth: EntryNumbers, of index: IndexBinding, _ writer: any StorageWriter) throws {
        guard growth != EntryNumbers() else { return }
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        let stored = try numbers(of: index.number, writer)
        // A damaged count is found by verifying; it must not trap here.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        withUnsafeBytes(of: Int64((stored?.all ?? 0) &+ growth.all).littleEndian) { bytes += $0 }
        // What is not known of the entries that are there stays unknown.
        let known: Int? = if let stored, stored.all != 0 { stored.ofLongKeys } else { 0 }
        if index.hasLongIDs, let known { withUnsafeBytes(of: Int64(known &+ growth.ofLongKeys).littleEndian) { bytes += $0 } }
        try writer.put(countKey(index.number), bytes, in: keyspace)
    }

    /// Announces that the number of entries of an index is about to be asked for.
    static func prefetchCount(of number: Int, _ reader: any StorageReader) throws {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return }
        try reader.prefetch([countKey(number)], in: keyspace)
    }

    /// The number of entries of an index.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)``.
    static func count(of number: Int, _ reader: any StorageReader) throws -> Int { try numbers(of: number, reader)?.all ?? 0 }

    /// The number of entries of an index, and of those that have the hash of a long record key, where that is known; nil when none was ever written.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)``.
    static func numbers(of number: Int, _ reader: any StorageReader) throws -> (all: Int, ofLongKeys: Int?)? {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return nil }
        return try reader.withValue(of: countKey(number).span.bytes, in: keyspace) { value in
            try value.withUnsafeBytes { buffer in
                var bytes = ByteReader(buffer)
                let all = Int(try bytes.integer(Int64.self))
                return (all, bytes.remaining == 0 ? nil : Int(try bytes.integer(Int64.self)))
            }
        }
    }

    static func removeAll(of number: Int, _ writer: any StorageWriter) throws {
        guard let keyspace = try writer.keyspace(named: keyspaceName) else { return }
        try writer.deleteRange(.prefix(withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { [UInt8]($0) }), in: keyspace)
    }
}

/// How many entries an index has, or by how many it grows.
struct EntryNumbers: Equatable {
    var all = 0
    /// Those of records whose keys are too long to be whole in an entry's key, so that they do not stand in the order of the ids.
    var ofLongKeys = 0

    mutating func add(_ count: Int, of record: RecordView) {
        all += count
        if record.key.count > EntryFormat.maxRecordKeySize { ofLongKeys += count }
    }

    mutating func add(_ other: EntryNumbers) {
        all += other.all
        ofLongKeys += other.ofLongKeys
    }
}
