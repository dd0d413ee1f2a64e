import TroveBackendKit

/// A reader that hands out records with encrypted fields opened, so that all above it sees plain records.
///
/// A record that cannot be opened is handed out with a flag that says so, and reading it is an error that names it.
class SealingReader: ForwardingReader {
    let wrappedReader: any StorageReader
    let sealing: FieldSealing
    let catalogue: Catalogue
    private(set) var sealer: any FieldSealer
    /// The keyspaces of models that were asked for.
    private var records: Set<Keyspace> = []
    /// What is sealed in records of a layout, by its number, where it was asked for. A transaction may make layouts whose numbers become others' when it is
    /// undone, so nobody else gets to know them.
    private var plans: [UInt16: SealingPlan] = [:]
    /// The positions in which a value that is not sealed is refused, by the layout's number.
    private var closedPositions: [UInt16: [Int]] = [:]
    /// Whether the record of keys was read in this snapshot.
    private var hasCurrentKeys: Bool
    /// How often the newest keys had been replaced before the snapshot began; nil for a writer, whose keys are nobody else's before they are committed.
    private let replacements: Int?

    init(_ reader: any StorageReader, _ sealing: FieldSealing, _ catalogue: Catalogue, begunAfter replacements: Int?) {
        wrappedReader = reader
        self.sealing = sealing
        self.catalogue = catalogue
        self.replacements = replacements
        sealer = sealing.sealer
        hasCurrentKeys = false
    }

    /// One that helps another to read its snapshot, and has its keys.
    private init(_ reader: any StorageReader, helping other: SealingReader) {
        wrappedReader = reader
        (sealing, catalogue, sealer) = (other.sealing, other.catalogue, other.sealer)
        (replacements, hasCurrentKeys) = (other.replacements, other.hasCurrentKeys)
    }

    /// Takes over the keys as the snapshot has them; returns whether they are others than before.
    func renewKeys() throws -> Bool {
        if hasCurrentKeys { return false }
        // Keys that this program cannot unlock are no damage of what they have sealed: each value that lacks them says so.
        let renewed = try sealing.sealer(wrappedReader, begunAfter: replacements)
        hasCurrentKeys = true
        if renewed === sealer { return false }
        sealer = renewed
        forgetPlans()
        return true
    }

    /// Takes over keys that this transaction has changed.
    func changeKeys() throws {
        hasCurrentKeys = false
        _ = try renewKeys()
    }

    func forgetPlans() {
        plans.removeAll()
        closedPositions.removeAll()
    }

    /// The layout with this number.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    func layout(_ number: UInt16) throws -> RecordLayout { try sealing.writtenLayout(number) ?? catalogue.layout(number, reader: wrappedReader) }

    /// What is sealed in records of the layout with this number; nil when there is none.
    func plan(_ number: UInt16) throws -> SealingPlan? {
        if let known = plans[number] { return known }
        var plan = sealing.plan(ofWritten: number, sealer)
        if plan == nil, let entry = try Catalogue.entry(number, wrappedReader) {
            // Documents have no properties that could be encrypted.
            let encryption =
                entry.isCollection
                ? FieldEncryption(nil, of: entry.layout.modelName, []) : try sealing.encryption(of: entry.layout.modelName, Catalogue.entries(wrappedReader))
            plan = SealingPlan(entry.layout, encryption, closed: sealer.closedFields)
        }
        plans[number] = plan
        return plan
    }

    /// The positions of the fields in a layout's records in which a value that is not sealed is refused.
    private func closedPositions(in layout: RecordLayout) -> [Int] {
        if let known = closedPositions[layout.number] { return known }
        let positions = sealing.closedPositions(in: layout, sealer)
        closedPositions[layout.number] = positions
        return positions
    }

    // MARK: Keyspaces

    func keyspace(named name: String) throws -> Keyspace? {
        let keyspace = try wrappedReader.keyspace(named: name)
        if let keyspace { note(keyspace, name) }
        return keyspace
    }

    func note(_ keyspace: Keyspace, _ name: String) {
        if !Catalogue.isReserved(name) { records.insert(keyspace) }
    }

    func hasRecords(_ keyspace: Keyspace) -> Bool { records.contains(keyspace) }

    // MARK: Reading

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        guard hasRecords(keyspace) else { return try wrappedReader.get(key, in: keyspace, body) }
        return try wrappedReader.get(key, in: keyspace) { try withPlain($0, key: key, body) }
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        guard hasRecords(keyspace) else { return try wrappedReader.getMany(keys, in: keyspace, body) }
        try wrappedReader.getMany(keys, in: keyspace) { position, value in
            guard let value else { return try body(position, nil) }
            return try keys.withKey(at: position) { key in try withPlain(value, key: key) { try body(position, $0) } }
        }
    }

    func scan(_ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep) throws {
        guard hasRecords(keyspace) else { return try wrappedReader.scan(range, in: keyspace, order: order, body) }
        try wrappedReader.scan(range, in: keyspace, order: order) { key, value in try withPlain(value, key: key) { try body(key, $0) } }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        guard hasRecords(keyspace) else { return try wrappedReader.scan(range, in: keyspace, order: order, expecting: count, body) }
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count) { key, value in try withPlain(value, key: key) { try body(key, $0) } }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        let cursor = try wrappedReader.cursor(in: keyspace)
        return hasRecords(keyspace) ? SealingCursor(cursor, self) : cursor
    }

    /// Readers that open records as this one does.
    func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        try wrappedReader.withConcurrentReaders(upTo: count) { readers in
            try body(readers.map { SealingReader($0, helping: self) })
        }
    }

    // MARK: Opening

    /// Calls `body` with the plain form of a record.
    func withPlain<Result>(_ record: RawSpan, key: RawSpan, _ body: (RawSpan) throws -> Result) throws -> Result {
        let opened = try record.withUnsafeBytes { record in try key.withUnsafeBytes { try plain(record, key: $0) } }
        guard let opened else { return try body(record) }
        return try body(opened.span.bytes)
    }

    /// The plain form of a record; nil when it is that already, or damaged in a way that whoever reads it finds out.
    private func plain(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws -> [UInt8]? {
        let isSealed = SealedRecord.isSealed(record)
        guard isSealed || !sealer.closedFields.isEmpty, record.count >= RecordLayout.headerSize, RecordFormat.isSound(record, key: key) else { return nil }
        // One of a newer version may mean anything by its other bytes, and is refused by whoever reads it.
        guard RecordFormat.Flags(rawValue: record[1]).isSubset(of: RecordFormat.Flags.known.union(.sealedFields)) else { return nil }
        let layout: RecordLayout
        do {
            layout = try self.layout(RecordDecoder.header(of: record).layout)
        } catch TroveError.corruptCatalogue {
            return nil
        } catch is DecodingFault {
            return nil
        }
        do {
            let sealed = isSealed ? try SealedRecord(record, key: key, layout: layout) : nil
            let isInTheClear = closedPositions(in: layout).contains { position in sealed?.fields.contains { $0.position == position } != true }
            return isInTheClear ? Self.unopened(record, key: key) : try sealed.map(opened)
        } catch is FieldSealingFault {
            return Self.unopened(record, key: key)
        } catch is DecodingFault {
            return Self.unopened(record, key: key)
        }
    }

    private func opened(_ record: SealedRecord) throws -> [UInt8] {
        do {
            return try record.opened(with: sealer)
        } catch let fault as FieldSealingFault {
            // Another program may have added the key.
            guard case .unknownKey = fault, try renewKeys() else { throw fault }
            return try record.opened(with: sealer)
        }
    }

    /// A copy of a record that says it cannot be opened.
    private static func unopened(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> [UInt8] {
        var copy = [UInt8](record)
        copy[1] |= RecordFormat.Flags([.sealedFields, .unopened]).rawValue
        let checksum = copy.withUnsafeBytes { RecordFormat.checksum(of: $0, key: key) }
        withUnsafeBytes(of: checksum.littleEndian) { copy.replaceSubrange(4..<8, with: $0) }
        return copy
    }
}

/// A cursor that hands out records opened.
private final class SealingCursor: StorageCursor {
    private let wrapped: any StorageCursor
    private let reader: SealingReader

    init(_ cursor: any StorageCursor, _ reader: SealingReader) {
        wrapped = cursor
        self.reader = reader
    }

    func seek(to key: RawSpan) throws -> Bool { try wrapped.seek(to: key) }

    func seekToLast() throws -> Bool { try wrapped.seekToLast() }

    func next() throws -> Bool { try wrapped.next() }

    func previous() throws -> Bool { try wrapped.previous() }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        try wrapped.withEntry { key, value in try reader.withPlain(value, key: key) { try body(key, $0) } }
    }
}
