import Foundation
import Synchronization

/// The layouts of an open store, read from its catalogue keyspace when they are first met.
///
/// Entries are only ever added (or retired) in the store, also by other processes, so a layout once read stays right.
final class Catalogue: Sendable {
    /// Trove's own keyspaces begin with this character; models' names do not. Besides those that this version has, `$mirror` and `$conflicts`
    /// are kept for later ones.
    static let reservedPrefix: Character = "$"

    /// Whether a name begins as those of Trove's own keyspaces do, in its bytes: a mark that combines with the prefix does not hide it.
    static func isReserved(_ name: String) -> Bool { name.utf8.first == reservedPrefix.asciiValue }

    static let keyspaceName = "$catalogue"
    /// The one keyspace of a store that `EncryptedBackend` has sealed, in the engine that it wraps.
    static let sealedKeyspaceName = "$sealed"

    private let layouts = Mutex<[UInt16: RecordLayout]>([:])

    /// The layout with this number.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when the store has none or it is damaged.
    func layout(_ number: UInt16, reader: any StorageReader) throws -> RecordLayout {
        if let layout = layouts.withLock({ $0[number] }) { return layout }
        let name = LayoutEntry.name(number)
        guard let keyspace = try reader.keyspace(named: Self.keyspaceName),
            let bytes = try reader.value(of: Array(name.utf8), in: keyspace)
        else { throw TroveError.corruptCatalogue(entry: name, reason: "a record names this layout, but there is none") }
        let layout = try LayoutEntry(bytes, name: name).layout
        layouts.withLock { $0[number] = layout }
        return layout
    }

    /// All entries about layouts, by number.
    static func entries(_ reader: any StorageReader) throws -> [LayoutEntry] {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return [] }
        var entries: [LayoutEntry] = []
        try reader.scan(.prefix(Array(LayoutEntry.namePrefix.utf8)), in: keyspace) { key, value in
            let name = String(decoding: [UInt8](copying: key), as: UTF8.self)
            entries.append(try LayoutEntry([UInt8](copying: value), name: name))
            return .next
        }
        return entries
    }

    /// The entry about the layout with this number; nil when there is none.
    static func entry(_ number: UInt16, _ reader: any StorageReader) throws -> LayoutEntry? {
        let name = LayoutEntry.name(number)
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return nil }
        return try reader.value(of: Array(name.utf8), in: keyspace).map { try LayoutEntry($0, name: name) }
    }

    static func write(_ entry: LayoutEntry, _ writer: any StorageWriter) throws {
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        try writer.put(Array(LayoutEntry.name(entry.layout.number).utf8), try entry.encode(), in: keyspace)
    }

    /// The store's header; nil when there is none.
    static func header(_ reader: any StorageReader) throws -> StoreHeader? {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return nil }
        return try reader.value(of: Array(StoreHeader.name.utf8), in: keyspace).map(StoreHeader.init)
    }

    static func write(_ header: StoreHeader, _ writer: any StorageWriter) throws {
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        try writer.put(Array(StoreHeader.name.utf8), try header.encode(), in: keyspace)
    }
}

/// An entry of the catalogue: a self-describing nested value followed by eight bytes of checksum, which covers the entry's name.
enum CatalogueEntry {
    static func encode(_ value: StoredValue, name: String) throws -> [UInt8] {
        var bytes = ByteWriter()
        try value.encodeNested(into: &bytes)
        let checksum = checksum(of: bytes.bytes(), name: name)
        bytes.append(checksum.littleEndian)
        return bytes.bytes()
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    static func decode(_ bytes: [UInt8], name: String) throws -> StoredValue {
        guard bytes.count > 8 else { throw TroveError.corruptCatalogue(entry: name, reason: "it is too short") }
        let body = Array(bytes.dropLast(8))
        let stored = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stored == checksum(of: body, name: name) else {
            throw TroveError.corruptCatalogue(entry: name, reason: "its checksum does not fit")
        }
        return try body.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            do {
                let value = try StoredValue.decodeNested(from: &reader)
                if reader.remaining == 0 { return value }
            } catch {
                throw TroveError.corruptCatalogue(entry: name, reason: "its value cannot be read: \(error)")
            }
            throw TroveError.corruptCatalogue(entry: name, reason: "it has \(reader.remaining) bytes behind its value")
        }
    }

    private static func checksum(of bytes: [UInt8], name: String) -> UInt64 {
        Checksum.hash(bytes, seed: Checksum.hash(Array(name.utf8)))
    }
}

extension StorageReader {
    /// Whether a keyspace has no entries.
    func isEmpty(_ keyspace: Keyspace) throws -> Bool {
        var isEmpty = true
        try scan(in: keyspace) { _, _ in
            isEmpty = false
            return .stop
        }
        return isEmpty
    }
}

/// The catalogue's entry about the store as a whole.
struct StoreHeader {
    /// The format of catalogue, records and indexes that this version reads and writes.
    static let currentFormat = 1
    static let name = "store"
    /// What a store may use that a program has to know before it opens it, by name.
    private static let knownFeatures: Set<String> = [HistoryPolicy.feature]

    /// The format the store was written in.
    var format: Int
    /// Tells stores apart; a copy has its original's.
    var identity: UUID
    /// Tells apart the copies of a store that are written to; each has its own.
    var replica: UUID
    /// Whether the store is the target of a copy that runs or was broken off.
    var isCopying: Bool
    /// What the store uses that a program has to know.
    var features: Set<String> = []
    /// What later versions have written besides, which is kept.
    private var others: [String: StoredValue] = [:]

    init(format: Int = currentFormat, identity: UUID = UUID(), replica: UUID = UUID(), isCopying: Bool = false) {
        self.format = format
        self.identity = identity
        self.replica = replica
        self.isCopying = isCopying
    }

    func encode() throws -> [UInt8] {
        let values: [String: StoredValue] = [
            "format": .int(Int64(format)), "identity": .uuid(identity), "replica": .uuid(replica), "copying": .bool(isCopying),
            "features": .array(features.sorted().map { .string($0) }),
        ]
        return try CatalogueEntry.encode(.object(others.merging(values) { _, known in known }), name: Self.name)
    }

    /// - Throws: ``TroveError/newerFormat(stored:supported:)``, ``TroveError/newerFeatures(_:)``, ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8]) throws {
        guard case .object(let parts) = try CatalogueEntry.decode(bytes, name: Self.name), case var values = parts.dictionary,
            case .int(let stored) = values.removeValue(forKey: "format"),
            let format = Int(exactly: stored), format > 0
        else { throw TroveError.corruptCatalogue(entry: Self.name, reason: "it has no format number") }
        guard format <= Self.currentFormat else { throw TroveError.newerFormat(stored: format, supported: Self.currentFormat) }
        guard case .uuid(let identity) = values.removeValue(forKey: "identity"), case .uuid(let replica) = values.removeValue(forKey: "replica"),
            case .bool(let isCopying) = values.removeValue(forKey: "copying"), case .array(let features) = values.removeValue(forKey: "features")
        else { throw TroveError.corruptCatalogue(entry: Self.name, reason: "a part is missing") }
        let names = try features.map { feature in
            guard case .string(let name) = feature else {
                throw TroveError.corruptCatalogue(entry: Self.name, reason: "a feature has no name")
            }
            return name
        }
        let unknown = names.filter { !Self.knownFeatures.contains($0) }
        guard unknown.isEmpty else { throw TroveError.newerFeatures(unknown) }
        self.init(format: format, identity: identity, replica: replica, isCopying: isCopying)
        self.features = Set(names)
        others = values
    }
}
