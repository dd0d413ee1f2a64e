import TestSupport
import Trove

/// What is done to an engine while system calls fail.
enum EngineOperation: String, CaseIterable {
    case durableWrite, bufferedWrite, largeWrite, deletion, rollback, synchronization, compaction, backup, opening, making

    /// The entries before: enough for several pages, and a value on pages of its own.
    static func fill(_ backend: any StorageBackend) throws {
        try backend.write(.durable) { writer in
            let keyspace = try writer.createKeyspace(named: "data")
            for number in 0..<300 { try writer.put(key(number), [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 60), in: keyspace) }
            try writer.put([255], [UInt8](repeating: 9, count: 30_000), in: keyspace)
        }
    }

    /// Whether it changes the contents.
    var changes: Bool {
        switch self {
        case .durableWrite, .bufferedWrite, .largeWrite, .deletion, .making: true
        case .rollback, .synchronization, .compaction, .backup, .opening: false
        }
    }

    /// Does it once, on an open engine; `opening` and `making` happen before.
    func run(_ backend: any StorageBackend, copy: String) throws {
        switch self {
        case .durableWrite: try write(backend, .durable, count: 20, size: 80)
        case .bufferedWrite: try write(backend, .buffered, count: 20, size: 80)
        case .largeWrite: try write(backend, .durable, count: 40, size: 20_000)
        case .deletion:
            try backend.write(.durable) { writer in
                let keyspace = try writer.createKeyspace(named: "data")
                try writer.deleteRange(KeyRange(from: Self.key(50), upTo: Self.key(250)), in: keyspace)
            }
        case .rollback:
            struct Own: Error {}
            do {
                try backend.write(.durable) { writer in
                    let keyspace = try writer.createKeyspace(named: "data")
                    for number in 0..<400 { try writer.put(Self.key(number), [UInt8](repeating: 1, count: 3_000), in: keyspace) }
                    throw Own()
                }
            } catch is Own {}
        case .synchronization: try backend.synchronize()
        case .compaction: try backend.compact()
        case .backup: try backend.backUp(to: copy)
        case .opening: try backend.read { _ in }
        case .making: try Self.fill(backend)
        }
    }

    private func write(_ backend: any StorageBackend, _ durability: Durability, count: Int, size: Int) throws {
        try backend.write(durability) { writer in
            let keyspace = try writer.createKeyspace(named: "data")
            for number in 0..<count { try writer.put(Self.key(number * 17), [UInt8](repeating: 7, count: size), in: keyspace) }
            try writer.put([1], [1], in: writer.createKeyspace(named: "other"))
        }
    }

    private static func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255), 0] }
}
