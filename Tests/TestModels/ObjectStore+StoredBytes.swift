import TroveStorage

@testable import Trove

extension ObjectStore {
    /// The stored bytes of a record.
    func bytes(of modelName: String, key: [UInt8]) throws -> [UInt8]? {
        try core.backend.read { (reader: any StorageReader) -> [UInt8]? in
            guard let keyspace = try reader.keyspace(named: modelName) else { return nil }
            return try reader.value(of: key, in: keyspace)
        }
    }

    /// Replaces the stored bytes of a record.
    func setBytes(_ bytes: [UInt8], of modelName: String, key: [UInt8]) throws {
        try core.backend.write { writer in
            try writer.put(key, bytes, in: try writer.createKeyspace(named: modelName))
        }
    }
}
