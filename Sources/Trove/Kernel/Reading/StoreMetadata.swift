/// The application's own values beside the objects, by key, in the snapshot of a transaction.
///
/// The keys are told apart by their bytes, as in the store: an é of one scalar and one of two are two keys, though Swift
/// calls them equal. They ascend by their bytes.
public struct StoreMetadata: Sendable {
    private let entries: [(key: String, value: StoredValue)]

    /// - Parameter entries: in the order of the keys' bytes.
    init(_ entries: [(key: String, value: StoredValue)]) { self.entries = entries }

    /// The value under a key; nil when there is none.
    ///
    /// - Complexity: O(*n*).
    public subscript(key: String) -> StoredValue? { entries.first { $0.key.hasBytes(of: key) }?.value }

    /// The keys.
    public var keys: [String] { entries.map(\.key) }

    /// The values, in the order of the keys.
    public var values: [StoredValue] { entries.map(\.value) }
}

extension StoreMetadata: RandomAccessCollection {
    public var startIndex: Int { entries.startIndex }
    public var endIndex: Int { entries.endIndex }

    public subscript(position: Int) -> (key: String, value: StoredValue) { entries[position] }
}

extension StoreMetadata: Equatable {
    public static func == (left: StoreMetadata, right: StoreMetadata) -> Bool {
        left.elementsEqual(right) { $0.key.hasBytes(of: $1.key) && $0.value == $1.value }
    }
}

/// Values of the application's own beside the objects: who made the store, what was imported last.
enum MetadataSpace {
    static let keyspaceName = "$metadata"

    /// A value's bytes: eight of checksum, which covers the key, then the nested value.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when the value cannot be stored.
    static func encode(_ value: StoredValue, key: String) throws -> [UInt8] {
        var nested = ByteWriter()
        do {
            try value.encodeNested(into: &nested)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: "metadata", field: key, reason: reason)
        }
        return nested.withBytes { $0.withUnsafeBytes { Checksum.sealed($0, seed: seed(key)) } }
    }

    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    static func decode(_ value: RawSpan, key: String) throws -> StoredValue {
        try Checksum.withBody(of: value, seed: seed(key)) { body in
            guard let body else { throw TroveError.corruptMetadata(key: key) }
            var reader = ByteReader(body)
            do {
                return try StoredValue.decodeNested(from: &reader)
            } catch TroveError.corruptValue {
                throw TroveError.corruptMetadata(key: key)
            }
        }
    }

    private static func seed(_ key: String) -> UInt64 { Checksum.hash(Array(key.utf8)) }
}

extension ReadTransaction {
    /// One of the application's own values by its key; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    public func metadata(forKey key: String) throws -> StoredValue? {
        let reader = try reader
        guard StorageLimits.isKeySize(key.utf8.count), let keyspace = try reader.keyspace(named: MetadataSpace.keyspaceName) else { return nil }
        return try reader.withValue(of: Array(key.utf8).span.bytes, in: keyspace) { try MetadataSpace.decode($0, key: key) }
    }

    /// All of the application's own values, by key.
    ///
    /// - Throws: ``TroveError/corruptMetadata(key:)``.
    public func metadata() throws -> StoreMetadata { try metadata { throw TroveError.corruptMetadata(key: $0) } }

    /// All of the application's own values but those that cannot be read, with whose keys `damaged` is called.
    func metadata(passingOver damaged: (_ key: String) throws -> Void) throws -> StoreMetadata {
        let reader = try reader
        guard let keyspace = try reader.keyspace(named: MetadataSpace.keyspaceName) else { return StoreMetadata([]) }
        var entries: [StoreMetadata.Element] = []
        try reader.scan(in: keyspace) { bytes, value in
            let key = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
            do {
                entries.append((key, try MetadataSpace.decode(value, key: key)))
            } catch TroveError.corruptMetadata {
                try damaged(key)
            }
            return .next
        }
        return StoreMetadata(entries)
    }
}

extension WriteTransaction {
    /// Stores one of the application's own values under a key and replaces the value there; nil removes it.
    ///
    /// ```swift
    /// try transaction.setMetadata(.date(.now), forKey: "last import")
    /// ```
    ///
    /// - Parameter key: 1 to 511 bytes of UTF-8.
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``, ``StorageError/valueTooLarge(_:)``;
    ///   ``TroveError/encodingFailed(model:field:reason:)`` with the key for a value that cannot be stored, as one that nests too deeply.
    public func setMetadata(_ value: StoredValue?, forKey key: String) throws {
        let writer = try writer
        try checkName(key, of: "a value of the metadata")
        guard let value else {
            if let keyspace = try writer.keyspace(named: MetadataSpace.keyspaceName) { _ = try writer.delete(Array(key.utf8), in: keyspace) }
            return
        }
        try writer.put(Array(key.utf8), MetadataSpace.encode(value, key: key), in: writer.createKeyspace(named: MetadataSpace.keyspaceName))
    }

    /// Throws when something that is kept by a name cannot have this one.
    func checkName(_ name: String, of what: String) throws {
        func details(_ message: String) -> StorageError.Details {
            .init(engine: core.capabilities.engine, path: core.backend.path, message: message)
        }
        if name.isEmpty { throw StorageError.emptyKey(details("\(what) needs a name that is not empty")) }
        guard name.utf8.count <= StorageLimits.maxKeySize else {
            throw StorageError.keyTooLarge(
                details(
                    "the name '\(name.prefix(40))…' of \(what) has \(name.utf8.count) bytes, but may have at most \(StorageLimits.maxKeySize); shorten it"))
        }
    }
}
