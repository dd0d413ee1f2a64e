import Foundation

/// Named blobs: bytes beside the objects, of any size. Those that do not fit into memory come and go [in parts](ObjectStore/setBlob(from:named:durability:)).
extension ObjectStore {
    /// The bytes of a named blob; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blob(named name: String) throws -> Data? {
        try read { try $0.blob(named: name) }
    }

    /// The bytes of a named blob; nil when there is none.
    public func blob(named name: String) async throws -> Data? {
        try await read { try $0.blob(named: name) }
    }

    /// A range of bytes of a named blob, for which only the chunks that contain it are read; nil when there is no such blob.
    ///
    /// ```swift
    /// let header = try store.blob(named: "film.mp4", in: 0..<64)
    /// ```
    ///
    /// - Parameter range: counts bytes from 0. What lies behind the blob's end is left out.
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blob(named name: String, in range: Range<Int>) throws -> Data? {
        try read { try $0.blob(named: name, in: range) }
    }

    /// A range of bytes of a named blob; nil when there is no such blob.
    public func blob(named name: String, in range: Range<Int>) async throws -> Data? {
        try await read { try $0.blob(named: name, in: range) }
    }

    /// The size and the hash of a named blob; nil when there is none.
    ///
    /// - Complexity: O(1): its bytes are not read when there are more than 64 KiB of them.
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blobInfo(named name: String) throws -> BlobInfo? {
        try read { try $0.blobInfo(named: name) }
    }

    /// The size and the hash of a named blob; nil when there is none.
    public func blobInfo(named name: String) async throws -> BlobInfo? {
        try await read { try $0.blobInfo(named: name) }
    }

    /// The names of all blobs, ascending.
    public func blobNames() throws -> [String] {
        try read { try $0.blobNames() }
    }

    /// The names of all blobs, ascending.
    public func blobNames() async throws -> [String] {
        try await read { try $0.blobNames() }
    }

    /// Stores bytes under a name and replaces the blob there.
    ///
    /// What does not fit into memory is stored by ``setBlob(from:named:durability:)`` and ``setBlob(contentsOf:named:durability:)``.
    ///
    /// - Parameter name: 1 to 511 bytes of UTF-8.
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)`` for the name; ``StorageError`` when the engine fails. Then nothing is changed.
    public func setBlob(_ data: Data, named name: String, durability: Durability? = nil) throws {
        try write(durability) { try $0.setBlob(data, named: name) }
    }

    /// Stores bytes under a name and replaces the blob there.
    public func setBlob(_ data: Data, named name: String, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.setBlob(data, named: name) }
    }

    /// Deletes a named blob; returns whether there was one.
    @discardableResult
    public func deleteBlob(named name: String, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBlob(named: name) }
    }

    /// Deletes a named blob; returns whether there was one.
    @discardableResult
    public func deleteBlob(named name: String, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBlob(named: name) }
    }
}
