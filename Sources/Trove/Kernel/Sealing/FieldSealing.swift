import Synchronization

/// The encrypted properties of an open store: the keys, and which properties they are.
final class FieldSealing: Sendable {
    /// Where the record of keys is.
    static let keyspaceName = "$keys"
    static let recordKey = Array("fields".utf8)

    /// The keys that the program gave.
    let keyring: any FieldKeyring
    private let path: String
    private let seen: Mutex<SeenKeys>
    private let declared = Mutex(DeclaredSealing())

    private init(_ keyring: any FieldKeyring, _ sealer: any FieldSealer, path: String) {
        self.keyring = keyring
        self.path = path
        seen = Mutex(SeenKeys(sealer))
    }

    /// The keys that a program gave, for the record of keys that the store has; nil when it gave none, or the store has none yet.
    ///
    /// - Throws: ``TroveError/fieldKeysMissing(model:property:)`` when models with encrypted properties are opened without keys; what the keys throw.
    static func open(_ keyring: (any FieldKeyring)?, in backend: any StorageBackend, models: [ModelSchema]) throws -> FieldSealing? {
        guard let keyring else {
            for model in models {
                if let field = model.fields.first(where: \.isEncrypted) { throw TroveError.fieldKeysMissing(model: model.name, property: field.name) }
            }
            return nil
        }
        guard let record = try backend.read({ try keyRecord($0) }) else { return nil }
        return FieldSealing(keyring, try keyring.unlock(record, path: backend.path), path: backend.path)
    }

    /// Gives a store that has no record of keys one.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when the store has sealed values: its record of keys is
    ///   gone, and a new one could not open them.
    static func create(_ keyring: any FieldKeyring, in backend: any StorageBackend) throws -> FieldSealing {
        let made = try keyring.makeKeyRecord()
        // The keys have to open what they have made before anything is sealed with it.
        let sealer = try keyring.unlock(made, path: backend.path)
        let stored = try backend.write { writer in
            if let other = try keyRecord(writer) { return other }
            if try hasSealedRecords(writer) {
                throw TroveError.corruptCatalogue(
                    entry: "\(keyspaceName)/fields",
                    reason: "the record of keys is missing, though values are encrypted with its keys; restore a backup of the store")
            }
            try write(made, writer)
            return made
        }
        return FieldSealing(keyring, stored == made ? sealer : try keyring.unlock(stored, path: backend.path), path: backend.path)
    }

    /// The store's record of keys; nil when it has none.
    static func keyRecord(_ reader: any StorageReader) throws -> [UInt8]? {
        try reader.keyspace(named: keyspaceName).flatMap { try reader.value(of: recordKey, in: $0) }
    }

    /// Whether a record of any model has sealed values. It reads all records, once in the life of a store.
    private static func hasSealedRecords(_ reader: any StorageReader) throws -> Bool {
        // The opening of the store may end here; nothing is written yet.
        var watch = ReadWatch()
        for name in try reader.keyspaceNames() where !Catalogue.isReserved(name) {
            guard let keyspace = try reader.keyspace(named: name) else { continue }
            var isSealed = false
            try reader.scan(.all, in: keyspace, order: .ascending) { _, record in
                try watch.step()
                isSealed = record.withUnsafeBytes { SealedRecord.isSealed($0) }
                return isSealed ? .stop : .next
            }
            if isSealed { return true }
        }
        return false
    }

    static func write(_ record: [UInt8], _ writer: any StorageWriter) throws {
        try writer.put(recordKey, record, in: writer.createKeyspace(named: keyspaceName))
    }

    /// What seals and opens with the newest keys that were seen.
    var sealer: any FieldSealer { seen.withLock { $0.newest } }

    /// The newest keys that were seen, and how often they have been replaced.
    var newest: (sealer: any FieldSealer, replacements: Int) { seen.withLock { ($0.newest, $0.replacements) } }

    /// What seals and opens with the keys that a snapshot has.
    ///
    /// - Parameter replacements: how often the newest keys had been replaced before the snapshot was begun: where nobody has seen newer ones since,
    ///   other keys in it are the newest. nil for a snapshot of which nobody knows.
    /// - Throws: what unlocking throws.
    func sealer(_ reader: any StorageReader, begunAfter replacements: Int?) throws -> any FieldSealer {
        guard let record = try Self.keyRecord(reader) else { return sealer }
        if let known = seen.withLock({ $0.sealer(of: record) }) { return known }
        let unlocked = try keyring.unlock(record, path: path)
        return seen.withLock { $0.take(unlocked, begunAfter: replacements) }
    }

    /// What makes the hashes of the indexes that a snapshot has.
    func sealer(of reader: any StorageReader) throws -> any FieldSealer {
        guard let reader = reader as? SealingReader else { return try sealer(reader, begunAfter: nil) }
        _ = try reader.renewKeys()
        return reader.sealer
    }

    /// Takes note of the keys that a writer has found: those that were committed last.
    ///
    /// Returns how often the newest keys have been replaced.
    func noteCommitted(_ sealer: any FieldSealer) -> Int {
        seen.withLock {
            $0.replace(with: sealer)
            return $0.replacements
        }
    }

    /// Takes note of the keys that a writer has changed, unless the newest have been replaced since it began: by a later writer's, or by a reader that
    /// found its keys first.
    func noteChanged(_ sealer: any FieldSealer, begunAfter replacements: Int) {
        seen.withLock { if $0.replacements == replacements { $0.replace(with: sealer) } }
    }

    // MARK: What is sealed

    /// Takes note of the program's models and of what the catalogue says of layouts, which is then not asked for those that the models write.
    func know(_ bindings: [ModelBinding], _ entries: [LayoutEntry]) { declared.withLock { $0 = DeclaredSealing(bindings, entries) } }

    /// A layout that one of the program's models writes; nil when it is another one.
    func writtenLayout(_ number: UInt16) -> RecordLayout? { declared.withLock { $0.layouts[number] } }

    /// What is encrypted in records of a model, by what the catalogue says now.
    func encryption(of modelName: String, _ entries: [LayoutEntry]) -> FieldEncryption {
        FieldEncryption(declared.withLock { $0.schemas[modelName] }, of: modelName, entries)
    }

    /// What is sealed in records of a layout that one of the program's models writes; nil for another layout.
    func plan(ofWritten number: UInt16, _ sealer: any FieldSealer) -> SealingPlan? {
        declared.withLock { declared in
            guard let layout = declared.layouts[number], let encryption = declared.encryptions[layout.modelName] else { return nil }
            return declared.plan(number, sealer) { SealingPlan(layout, encryption, closed: $0) }
        }
    }

    /// The positions of the fields in a layout's records in which a value that is not sealed is refused.
    func closedPositions(in layout: RecordLayout, _ sealer: any FieldSealer) -> [Int] {
        if sealer.closedFields.isEmpty { return [] }
        if let plan = plan(ofWritten: layout.number, sealer) { return plan.closedPositions }
        let encryption = declared.withLock { $0.encryptions[layout.modelName] } ?? FieldEncryption(nil, of: layout.modelName, [])
        return encryption.closedPositions(in: layout, closed: sealer.closedFields)
    }
}

/// Seals the tokens of a store with encrypted properties: they hold a sort's values, and a hash of the conditions.
struct FieldTokenSealer: TokenSealer {
    let sealing: FieldSealing

    private static let place = Array("continuation token".utf8)

    func seal(_ token: [UInt8]) throws -> [UInt8] {
        var sealed: [UInt8] = []
        try sealing.sealer.seal(token.span.bytes, in: Self.place.span.bytes, appendingTo: &sealed)
        return sealed
    }

    func open(_ sealed: [UInt8]) throws -> [UInt8]? {
        var token: [UInt8] = []
        do {
            try sealing.sealer.open(sealed.span.bytes, in: Self.place.span.bytes, appendingTo: &token)
        } catch is FieldSealingFault {
            return nil
        }
        return token
    }
}

extension StoreCore {
    /// What seals the store's tokens; nil where they are plain.
    var tokenSealer: (any TokenSealer)? { backend.tokenSealer ?? sealing.map { FieldTokenSealer(sealing: $0) } }
}
