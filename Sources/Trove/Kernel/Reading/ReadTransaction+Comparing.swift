/// What another store has under the key of a record.
package enum RecordLikeness: Sendable {
    /// The same bytes in the same layout, so the same values.
    case same
    /// Another record, whose values may be the same nevertheless: it was written in another layout, or has lazy values, which are not in its bytes.
    case unknown
    case missing
}

extension ReadTransaction {
    /// Calls `body` with each record of a model or collection, ascending by key, and what another snapshot, of this or another store, has in its place.
    ///
    /// Bytes are compared, and nothing is decoded. A damaged record is like no other.
    ///
    /// - Parameter body: gets the id's bytes, but of records that are the same, whose ids nobody needs.
    package func forEachRecord(of modelName: String, comparedWith other: ReadTransaction, _ body: (_ key: [UInt8]?, RecordLikeness) throws -> Void) throws {
        let (reader, otherReader) = (try reader, try other.reader)
        guard !Catalogue.isReserved(modelName), let keyspace = try reader.keyspace(named: modelName) else { return }
        let otherKeyspace = try otherReader.keyspace(named: modelName)
        var layouts = LikeLayouts(first: self, second: other)
        var watch = watch
        try reader.scan(in: keyspace) { key, record in
            try watch.step()
            var likeness = RecordLikeness.missing
            if let otherKeyspace {
                _ = try otherReader.get(key, in: otherKeyspace) { otherRecord in
                    likeness = try layouts.areSame(record, otherRecord, key: key) ? .same : .unknown
                }
            }
            try body(likeness == .same ? nil : record.withUnsafeBytes { record in try key.withUnsafeBytes { try wholeKey($0, of: record) } }, likeness)
            return .next
        }
    }
}

/// Which layouts two stores have alike, by their numbers.
private struct LikeLayouts {
    let first: ReadTransaction
    let second: ReadTransaction
    private var known: [UInt16: Bool] = [:]

    init(first: ReadTransaction, second: ReadTransaction) { (self.first, self.second) = (first, second) }

    /// Whether two records have the same values for sure.
    mutating func areSame(_ record: RawSpan, _ other: RawSpan, key: RawSpan) throws -> Bool {
        guard record.byteCount == other.byteCount, record.byteCount >= RecordLayout.headerSize else { return false }
        return try record.withUnsafeBytes { record in
            let isEqual = other.withUnsafeBytes { ByteOrder.areEqual(record, $0) }
            guard isEqual, let number = key.withUnsafeBytes({ Self.layout(of: record, key: $0) }) else { return false }
            return try areLike(number)
        }
    }

    /// The number of a record's layout; nil when the record is damaged.
    private static func layout(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt16? {
        guard RecordFormat.isSound(record, key: key) else { return nil }
        do {
            return try RecordDecoder.header(of: record).layout
        } catch {
            return nil
        }
    }

    private mutating func areLike(_ number: UInt16) throws -> Bool {
        if let known = known[number] { return known }
        let (layout, other) = (try first.storedLayout(number), try second.storedLayout(number))
        let areLike = layout.modelName == other.modelName && layout.version == other.version && layout.fields == other.fields && layout.lazyFields.isEmpty
        known[number] = areLike
        return areLike
    }
}
