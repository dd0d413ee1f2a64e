import Foundation
import TroveLMDB
import TroveStorage

/// A path in a temporary directory of its own, removed with the value.
final class TemporaryStore: Sendable {
    let directory: String
    var path: String { directory + "/store.lmdb" }

    init() throws {
        directory = FileManager.default.temporaryDirectory.path + "/trove-lmdb-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        // A directory that cannot be removed is the system's to clean.
        do { try FileManager.default.removeItem(atPath: directory) } catch {}
    }

    func open(_ change: (inout LMDBBackend.Options) -> Void = { _ in }) throws -> LMDBBackend {
        var options = LMDBBackend.Options()
        change(&options)
        return try LMDBBackend(path: path, options: options)
    }

    var contents: Data {
        get throws { try Data(contentsOf: URL(fileURLWithPath: path)) }
    }

    func replaceContents(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }
}

/// The number as eight bytes in key order.
func numberKey(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number).bigEndian) { [UInt8]($0) }
}

extension StorageBackend {
    /// Stores numbered entries in the keyspace `data`.
    func fill(_ numbers: some Sequence<Int>, valueSize: Int = 90, in name: String = "data", _ durability: Durability = .relaxed) throws {
        try write(durability) { writer in
            let data = try writer.createKeyspace(named: name)
            for number in numbers {
                try writer.put(numberKey(number), [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: valueSize), in: data)
            }
        }
    }

    /// The keys of a keyspace, as numbers; nil when there is no such keyspace.
    func numbers(in name: String = "data") throws -> [Int]? {
        try read { reader in
            guard let data = try reader.keyspace(named: name) else { return nil }
            return try reader.numbers(in: data)
        }
    }
}

extension StorageReader {
    func numbers(in keyspace: Keyspace, order: ScanOrder = .ascending) throws -> [Int] {
        var numbers: [Int] = []
        try scan(.all, in: keyspace, order: order) { key, _ in
            numbers.append(Int(UInt64(bigEndian: key.unsafeLoadUnaligned(as: UInt64.self))))
            return .next
        }
        return numbers
    }

    /// All entries of a keyspace.
    func contents(of keyspace: Keyspace) throws -> [[UInt8]: [UInt8]] {
        var entries: [[UInt8]: [UInt8]] = [:]
        try scan(.all, in: keyspace) { key, value in
            entries[[UInt8](copying: key)] = [UInt8](copying: value)
            return .next
        }
        return entries
    }
}
