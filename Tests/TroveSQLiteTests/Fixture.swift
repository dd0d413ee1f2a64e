import EngineSupport
import Foundation
import TroveStorage

@testable import TroveSQLite

/// A store in a directory of its own.
final class Fixture {
    let directory: TemporaryDirectory
    let path: String
    private(set) var store: SQLiteBackend

    init(_ options: SQLiteBackend.Options = .init()) throws {
        directory = try TemporaryDirectory()
        path = directory.file()
        store = try SQLiteBackend(path: path, options: options)
    }

    func reopen(_ options: SQLiteBackend.Options = .init()) throws {
        try store.close()
        store = try SQLiteBackend(path: path, options: options)
    }

    /// What SQLite itself says of the file.
    func integrity() throws -> String { try RawDatabase(path).value("PRAGMA integrity_check") }

    func put(_ key: [UInt8], _ value: [UInt8], in name: String = "data", _ durability: Durability = .buffered) throws {
        try store.write(durability) { writer in try writer.put(key, value, in: try writer.createKeyspace(named: name)) }
    }

    func value(of key: [UInt8], in name: String = "data") throws -> [UInt8]? {
        try store.read { reader in
            guard let keyspace = try reader.keyspace(named: name) else { return nil }
            return try reader.value(of: key, in: keyspace)
        }
    }

    deinit {
        do {
            try store.close()
        } catch {
            print("could not close: \(error)")
        }
    }
}

/// Bytes that sort like the number.
func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }

extension StorageError {
    /// The case's name of the error that `body` throws, nil when it throws none.
    static func name(of body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as StorageError {
            return error.name
        } catch {
            return "\(type(of: error))"
        }
    }
}
