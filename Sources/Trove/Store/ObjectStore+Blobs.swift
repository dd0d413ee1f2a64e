import Foundation

/// Named blobs: bytes beside the objects, each up to 8 bytes less than 512 MiB.
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

    /// The names of all blobs, ascending.
    public func blobNames() throws -> [String] {
        try read { try $0.blobNames() }
    }

    /// The names of all blobs, ascending.
    public func blobNames() async throws -> [String] {
        try await read { try $0.blobNames() }
    }

    /// Stores bytes under a name, replacing what was there.
    ///
    /// - Parameter name: 1 to 511 bytes of UTF-8.
    public func setBlob(_ data: Data, named name: String, durability: Durability? = nil) throws {
        try write(durability) { try $0.setBlob(data, named: name) }
    }

    /// Stores bytes under a name, replacing what was there.
    public func setBlob(_ data: Data, named name: String, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.setBlob(data, named: name) }
    }

    /// Removes a named blob; returns whether there was one.
    @discardableResult
    public func deleteBlob(named name: String, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBlob(named: name) }
    }

    /// Removes a named blob; returns whether there was one.
    @discardableResult
    public func deleteBlob(named name: String, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBlob(named: name) }
    }
}
