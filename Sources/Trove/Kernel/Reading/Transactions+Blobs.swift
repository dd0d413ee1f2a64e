import Foundation

/// Named blobs: bytes beside the objects, for a thumbnail, a settings file, a cursor of a synchronization.
enum BlobSpace {
    static let keyspaceName = "$blobs"

    static let checksumSize = 8

    /// A blob's value: eight bytes of checksum, which covers the name, then the bytes.
    static func encode(_ data: Data, name: String) -> [UInt8] {
        var bytes = ByteWriter(capacity: data.count + 8)
        data.withUnsafeBytes { buffer in
            bytes.append(checksum(of: buffer, name: name).littleEndian)
            bytes.append(buffer)
        }
        return bytes.bytes()
    }

    /// - Throws: ``TroveError/corruptBlob(name:)``.
    static func decode(_ value: RawSpan, name: String) throws -> Data {
        try value.withUnsafeBytes { buffer in
            guard buffer.count >= 8 else { throw TroveError.corruptBlob(name: name) }
            let body = UnsafeRawBufferPointer(rebasing: buffer[8...])
            guard UInt64(littleEndian: buffer.loadUnaligned(as: UInt64.self)) == checksum(of: body, name: name) else {
                throw TroveError.corruptBlob(name: name)
            }
            return Data(body)
        }
    }

    private static func checksum(of buffer: UnsafeRawBufferPointer, name: String) -> UInt64 {
        Checksum.hash(buffer, seed: Checksum.hash(Array(name.utf8)))
    }
}

extension ReadTransaction {
    /// The bytes of a named blob; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blob(named name: String) throws -> Data? {
        let reader = try reader
        guard !name.isEmpty, let keyspace = try reader.keyspace(named: BlobSpace.keyspaceName) else { return nil }
        return try reader.withValue(of: Array(name.utf8).span.bytes, in: keyspace) { try BlobSpace.decode($0, name: name) }
    }

    /// The names of all blobs, ascending.
    public func blobNames() throws -> [String] {
        let reader = try reader
        guard let keyspace = try reader.keyspace(named: BlobSpace.keyspaceName) else { return [] }
        var names: [String] = []
        try reader.scan(in: keyspace) { key, _ in
            names.append(String(decoding: [UInt8](copying: key), as: UTF8.self))
            return .next
        }
        return names
    }
}

extension WriteTransaction {
    /// Stores bytes under a name, replacing what was there.
    ///
    /// - Parameter name: 1 to 511 bytes of UTF-8.
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``, ``StorageError/valueTooLarge(_:)``.
    public func setBlob(_ data: Data, named name: String) throws {
        let writer = try writer
        try checkName(name, of: "a blob")
        let limit = core.capabilities.maxValueSize - BlobSpace.checksumSize
        // The engine would find out too, but only after the checksum of all of it.
        guard data.count <= limit else {
            throw StorageError.valueTooLarge(
                .init(
                    engine: core.capabilities.engine, path: core.backend.path,
                    message: "the blob '\(name)' has \(data.count) bytes, and \(limit) are the most; divide it"))
        }
        let keyspace = try writer.createKeyspace(named: BlobSpace.keyspaceName)
        try writer.put(Array(name.utf8), BlobSpace.encode(data, name: name), in: keyspace)
    }

    /// Removes a named blob; returns whether there was one.
    @discardableResult
    public func deleteBlob(named name: String) throws -> Bool {
        let writer = try writer
        guard !name.isEmpty, let keyspace = try writer.keyspace(named: BlobSpace.keyspaceName) else { return false }
        return try writer.delete(Array(name.utf8), in: keyspace)
    }
}
