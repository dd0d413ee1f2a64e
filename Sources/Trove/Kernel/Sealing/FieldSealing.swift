import Synchronization

/// The encrypted properties of an open store: the keys, and which properties they are.
final class FieldSealing: Sendable {
    /// Where the record of keys is.
    static let keyspaceName = "$keys"
    static let recordKey = Array("fields".utf8)

    /// The keys that the program gave.
    let keyring: any FieldKeyring
    private let path: String
    private let current: Mutex<any FieldSealer>
    /// The fields that the program's models encrypt, under all names that records have them under.
    private let declared: [String: Set<String>]
    /// The layouts that the program's models write, by number.
    private let written = Mutex<[UInt16: RecordLayout]>([:])

    private init(_ keyring: any FieldKeyring, _ sealer: any FieldSealer, path: String, models: [ModelSchema]) {
        self.keyring = keyring
        self.path = path
        current = Mutex(sealer)
        declared = Dictionary(models.map { ($0.name, $0.encryptedNames) }, uniquingKeysWith: { first, _ in first })
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
        return FieldSealing(keyring, try keyring.unlock(record, path: backend.path), path: backend.path, models: models)
    }

    /// Gives a store that has no record of keys one.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when the store has sealed values: its record of keys is gone, and a new one could not open them.
    static func create(_ keyring: any FieldKeyring, in backend: any StorageBackend, models: [ModelSchema]) throws -> FieldSealing {
        let made = try keyring.makeKeyRecord()
        // The keys have to open what they have made before anything is sealed with it.
        let sealer = try keyring.unlock(made, path: backend.path)
        let stored = try backend.write { writer in
            if let other = try keyRecord(writer) { return other }
            if try hasSealedRecords(writer) {
                throw TroveError.corruptCatalogue(
                    entry: "\(keyspaceName)/fields", reason: "the record of keys is missing, though values are encrypted with its keys; restore a backup of the store")
            }
            try write(made, writer)
            return made
        }
        return FieldSealing(keyring, stored == made ? sealer : try keyring.unlock(stored, path: backend.path), path: backend.path, models: models)
    }

    /// The store's record of keys; nil when it has none.
    static func keyRecord(_ reader: any StorageReader) throws -> [UInt8]? {
        try reader.keyspace(named: keyspaceName).flatMap { try reader.value(of: recordKey, in: $0) }
    }

    /// Whether a record of any model has sealed values. It reads all records, once in the life of a store.
    private static func hasSealedRecords(_ reader: any StorageReader) throws -> Bool {
        for name in try reader.keyspaceNames() where !Catalogue.isReserved(name) {
            guard let keyspace = try reader.keyspace(named: name) else { continue }
            var isSealed = false
            try reader.scan(.all, in: keyspace, order: .ascending) { _, record in
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

    /// Takes note of the layouts that the program's models write, for which no catalogue is then asked.
    func know(_ layouts: [RecordLayout]) { written.withLock { $0 = Dictionary(layouts.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }) } }

    /// A layout that one of the program's models writes; nil when it is another one.
    func writtenLayout(_ number: UInt16) -> RecordLayout? { written.withLock { $0[number] } }

    /// What seals and opens with the keys that were seen last.
    var sealer: any FieldSealer { current.withLock { $0 } }

    /// What seals and opens with the keys that a snapshot has.
    ///
    /// - Throws: what unlocking throws.
    func sealer(_ reader: any StorageReader) throws -> any FieldSealer {
        let known = sealer
        guard let record = try Self.keyRecord(reader), record != known.keyRecord else { return known }
        let unlocked = try keyring.unlock(record, path: path)
        current.withLock { $0 = unlocked }
        return unlocked
    }

    /// The positions of the fields of a layout that are sealed in its records.
    func positions(in entry: LayoutEntry, closed: Set<String>) -> [Int] {
        positions(in: entry.layout, declared[entry.layout.modelName] ?? entry.encryptedFields, closed)
    }

    /// As above for a layout that one of the program's models writes.
    func positions(inWritten layout: RecordLayout, closed: Set<String>) -> [Int] { positions(in: layout, declared[layout.modelName] ?? [], closed) }

    private func positions(in layout: RecordLayout, _ names: Set<String>, _ closed: Set<String>) -> [Int] {
        layout.fields.indices.filter { position in
            let field = layout.fields[position].name
            return names.contains(field) || !closed.isEmpty && closed.contains("\(layout.modelName).\(field)")
        }
    }
}

extension ModelSchema {
    /// The names that the fields with `.encrypted` have, and had.
    fileprivate var encryptedNames: Set<String> {
        Set(fields.filter(\.isEncrypted).flatMap { [$0.name, $0.originalName].compactMap { $0 } })
    }
}

extension WriteTransaction {
    /// - Throws: ``TroveError/fieldKeysMissing(model:property:)`` when records of a layout have encrypted fields, which the program has no keys to seal.
    func checkCanSeal(_ entry: LayoutEntry) throws {
        guard core.sealing == nil, let position = entry.attributes.firstIndex(where: { $0.options.contains(.encrypted) }) else { return }
        throw TroveError.fieldKeysMissing(model: entry.layout.modelName, property: entry.layout.fields[position].name)
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
