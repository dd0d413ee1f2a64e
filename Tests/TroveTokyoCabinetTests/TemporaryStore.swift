import Foundation
import TroveStorage
import TroveTokyoCabinet

/// A directory for one test's files, removed when the test lets go of it.
final class TemporaryStore: Sendable {
    let directory: String

    init() throws {
        directory = NSTemporaryDirectory() + "/trove-tokyo-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        // What cannot be removed is left to the system's own cleaning.
        do { try FileManager.default.removeItem(atPath: directory) } catch {}
    }

    var path: String { path("store.tcb") }

    func path(_ name: String) -> String { directory + "/" + name }

    func open(_ options: TokyoCabinetBackend.Options = .init()) throws -> TokyoCabinetBackend {
        try TokyoCabinetBackend(path: path, options: options)
    }

    /// The bytes of a file in the directory.
    func bytes(_ name: String = "store.tcb") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    func write(_ bytes: [UInt8], to name: String = "store.tcb") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }
}

extension StorageBackend {
    /// Puts entries into the keyspace `name`.
    func fill(_ name: String = "s", _ durability: Durability = .buffered, _ entries: some Sequence<(key: [UInt8], value: [UInt8])>) throws {
        try write(durability) { writer in
            let keyspace = try writer.createKeyspace(named: name)
            for entry in entries { try writer.put(entry.key, entry.value, in: keyspace) }
        }
    }

    /// The entries of the keyspace `name`; nil when there is none.
    func entries(_ name: String = "s") throws -> [[UInt8]: [UInt8]]? {
        try read { reader -> [[UInt8]: [UInt8]]? in
            guard let keyspace = try reader.keyspace(named: name) else { return nil }
            var entries: [[UInt8]: [UInt8]] = [:]
            try reader.scan(.all, in: keyspace) { key, value in
                entries[[UInt8](copying: key)] = [UInt8](copying: value)
                return .next
            }
            return entries
        }
    }
}

/// `count` entries with ascending keys of two bytes.
func numbered(_ count: Int, value: [UInt8] = [1]) -> [(key: [UInt8], value: [UInt8])] {
    (0..<count).map { (key: [UInt8($0 >> 8), UInt8($0 & 255)], value: value) }
}
