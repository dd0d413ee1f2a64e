import TroveBackendKit

/// A record that cannot be read, as ``ObjectStore/read(passingOver:_:)`` tells of it.
public struct DamagedRecord: Sendable, Hashable {
    /// The name of its model or collection; `$blobs` of a blob and `$metadata` of a value of the application's own, which exports tell.
    public let modelName: String
    /// The key of its entry: the bytes of its id, or the shortened form of a long id.
    public let key: [UInt8]
    /// The reason why it cannot be read.
    public let reason: String

    /// The error that reading it throws.
    public var error: TroveError {
        if modelName == BlobSpace.keyspaceName { return .corruptBlob(name: String(decoding: key, as: UTF8.self)) }
        if modelName == MetadataSpace.keyspaceName { return .corruptMetadata(key: String(decoding: key, as: UTF8.self)) }
        return .corruptRecord(model: modelName, id: StoredRecord.text(of: key), reason: reason)
    }
}

/// A reader that passes over damaged records, as if they were not stored, and tells of each once.
final class SoundReader: ForwardingReader {
    let wrappedReader: any StorageReader
    private let catalogue: Catalogue
    private let tell: (DamagedRecord) throws -> Void
    /// The models whose keyspaces were asked for.
    private var models: [Keyspace: String] = [:]
    private var told: Set<DamagedRecord> = []

    init(_ reader: any StorageReader, _ catalogue: Catalogue, _ tell: @escaping (DamagedRecord) throws -> Void) {
        wrappedReader = reader
        self.catalogue = catalogue
        self.tell = tell
    }

    func keyspace(named name: String) throws -> Keyspace? {
        let keyspace = try wrappedReader.keyspace(named: name)
        if let keyspace, Self.hasRecords(name) { models[keyspace] = name }
        return keyspace
    }

    /// Whether a keyspace has the records of a model; those of bags are of one, too.
    static func hasRecords(_ keyspaceName: String) -> Bool { !Catalogue.isReserved(keyspaceName) || keyspaceName.hasBytes(of: StoredBag.schema.name) }

    // MARK: Reading

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        guard let model = models[keyspace] else { return try wrappedReader.get(key, in: keyspace, body) }
        var isSound = true
        let isFound = try wrappedReader.get(key, in: keyspace) { record in
            isSound = try passes(record, key: key, model)
            if isSound { try body(record) }
        }
        return isFound && isSound
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        guard let model = models[keyspace] else { return try wrappedReader.getMany(keys, in: keyspace, body) }
        try wrappedReader.getMany(keys, in: keyspace) { position, record in
            guard let record, try keys.withKey(at: position, { try passes(record, key: $0, model) }) else { return try body(position, nil) }
            return try body(position, record)
        }
    }

    func scan(_ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep) throws {
        guard let model = models[keyspace] else { return try wrappedReader.scan(range, in: keyspace, order: order, body) }
        try wrappedReader.scan(range, in: keyspace, order: order) { key, record in try passes(record, key: key, model) ? body(key, record) : .next }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        guard let model = models[keyspace] else { return try wrappedReader.scan(range, in: keyspace, order: order, expecting: count, body) }
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count) { key, record in
            try passes(record, key: key, model) ? body(key, record) : .next
        }
    }

    func scanKeys(_ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep) throws {
        guard models[keyspace] != nil else { return try wrappedReader.scanKeys(range, in: keyspace, order: order, expecting: count, body) }
        try scan(range, in: keyspace, order: order, expecting: count) { key, _ in try body(key) }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        let cursor = try wrappedReader.cursor(in: keyspace)
        return models[keyspace].map { SoundCursor(cursor, self, $0) } ?? cursor
    }

    /// Whether a record is sound; one that is not is told.
    fileprivate func passes(_ record: RawSpan, key: RawSpan, _ model: String) throws -> Bool {
        guard
            let reason = try record.withUnsafeBytes({ record in
                try key.withUnsafeBytes { try Self.damage(of: record, key: $0, model, catalogue, wrappedReader) }
            })
        else { return true }
        let damaged = DamagedRecord(modelName: model, key: [UInt8](copying: key), reason: reason)
        if told.insert(damaged).inserted { try tell(damaged) }
        return false
    }

    /// What is wrong with a record; nil when nothing is. One that a newer version wrote is none of them.
    static func damage(
        of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ model: String, _ catalogue: Catalogue, _ reader: any StorageReader
    ) throws -> String? {
        do {
            _ = try RecordDecoder.checkedFlags(of: record, key: key, passingOverSealed: true)
            let layout = try catalogue.layout(RecordDecoder.header(of: record).layout, reader: reader)
            return layout.modelName == model ? nil : "its layout belongs to \(layout.modelName)"
        } catch DecodingFault.damaged(let reason) {
            return reason
        } catch TroveError.corruptCatalogue(_, let reason) {
            return reason
        } catch is DecodingFault {
            return nil
        }
    }
}

/// A cursor that stands at no damaged record.
private final class SoundCursor: StorageCursor {
    private let wrapped: any StorageCursor
    private let reader: SoundReader
    private let model: String

    init(_ cursor: any StorageCursor, _ reader: SoundReader, _ model: String) {
        wrapped = cursor
        self.reader = reader
        self.model = model
    }

    func seek(to key: RawSpan) throws -> Bool { try isAtSound(wrapped.seek(to: key), wrapped.next) }

    func seekToLast() throws -> Bool { try isAtSound(wrapped.seekToLast(), wrapped.previous) }

    func next() throws -> Bool { try isAtSound(wrapped.next(), wrapped.next) }

    func previous() throws -> Bool { try isAtSound(wrapped.previous(), wrapped.previous) }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool { try wrapped.withEntry(body) }

    /// Moves on until there is a sound record, or none.
    private func isAtSound(_ isAtEntry: Bool, _ move: () throws -> Bool) throws -> Bool {
        var isAtEntry = isAtEntry
        while isAtEntry {
            var isSound = true
            _ = try wrapped.withEntry { key, record in isSound = try reader.passes(record, key: key, model) }
            if isSound { return true }
            isAtEntry = try move()
        }
        return false
    }
}

extension StoreCore {
    /// As ``read(_:)``, with damaged records passed over.
    func read<Result>(passingOver damaged: (DamagedRecord) throws -> Void, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try withoutActuallyEscaping(damaged) { damaged in
            var result: Result?
            let replacements = sealing?.newest.replacements
            try backend.read { (reader: any StorageReader) throws -> Void in
                let opened = sealing.map { SealingReader(reader, $0, catalogue, begunAfter: replacements) } ?? reader
                let transaction = ReadTransaction(self, SoundReader(opened, catalogue, damaged))
                // They have entries of the damaged records, too.
                transaction.usesIndexes = false
                defer { transaction.finish() }
                result = try body(transaction)
            }
            guard let result else { throw backend.bodyDidNotRun }
            return result
        }
    }
}
