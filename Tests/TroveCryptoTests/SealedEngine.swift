import ProbeKit
import TestSupport
import Trove
import TroveCrypto
import TroveTesting

extension Engine {
    /// The engine, sealed, as the specification takes it.
    var sealedFactory: BackendFactory {
        BackendFactory(
            name: sealedName, kind: self == .memory ? .inMemory : .files,
            openWithTimeout: { path, timeout in try EncryptedBackend(open(path, timeout: timeout), key: Self.sealingKey) },
            openReadOnly: sealedOpenReadOnly,
            fillInAnotherProcess: { path, keyspace, entries in
                let error = try ProbeProgram.run(["fill", sealedName, path, keyspace, "\(entries)"])
                return error.isEmpty ? nil : error
            },
            open: { path in try openSealed(path) })
    }

    /// What opens a sealed store for reading only; nil in memory, where there is no such thing.
    private var sealedOpenReadOnly: (@Sendable (_ path: String) throws -> any StorageBackend)? {
        if self == .memory { return nil }
        return { path in try EncryptedBackend(openReadOnly(path), key: Self.sealingKey) }
    }
}

/// A sealed store in memory, and what it lies in.
struct SealedMemory {
    let path: String
    let plain: MemoryBackend
    let key: StoreKey

    init(key: StoreKey = Engine.sealingKey) {
        path = "sealed \(UInt64.random(in: 0 ... .max))"
        plain = MemoryBackend(name: path)
        self.key = key
    }

    func open(key: StoreKey? = nil, options: EncryptedBackend.Options = .init()) throws -> EncryptedBackend {
        try EncryptedBackend(MemoryBackend(name: path), key: key ?? self.key, options: options)
    }

    /// All that lies in the wrapped engine, in order.
    func values() throws -> [(key: [UInt8], value: [UInt8])] { try Self.values(plain) }

    static func values(_ plain: any StorageBackend) throws -> [(key: [UInt8], value: [UInt8])] {
        try plain.read { reader in
            var values: [(key: [UInt8], value: [UInt8])] = []
            guard let keyspace = try reader.keyspace(named: "$sealed") else { return values }
            try reader.scan(in: keyspace) { key, value in
                values.append(([UInt8](copying: key), [UInt8](copying: value)))
                return .next
            }
            return values
        }
    }

    /// Puts other values into the wrapped engine; nil removes one.
    func change(_ changes: [(key: [UInt8], value: [UInt8]?)]) throws { try Self.change(changes, in: plain) }

    static func change(_ changes: [(key: [UInt8], value: [UInt8]?)], in plain: any StorageBackend) throws {
        try plain.write(.relaxed) { writer in
            let keyspace = try writer.createKeyspace(named: "$sealed")
            for (key, value) in changes {
                if let value { try writer.put(key, value, in: keyspace) } else { try writer.delete(key, in: keyspace) }
            }
        }
    }
}

extension StorageBackend {
    /// All keyspaces and their entries.
    func contents() throws -> [String: [[UInt8]: [UInt8]]] {
        try read { reader in
            var contents: [String: [[UInt8]: [UInt8]]] = [:]
            for name in try reader.keyspaceNames() {
                contents[name] = [:]
                guard let keyspace = try reader.keyspace(named: name) else { continue }
                try reader.scan(in: keyspace) { key, value in
                    contents[name]?[[UInt8](copying: key)] = [UInt8](copying: value)
                    return .next
                }
            }
            return contents
        }
    }

    /// Stores entries in a keyspace.
    func fill(_ numbers: Range<Int>, in name: String = "data", valueSize: Int = 40, mark: UInt8 = 0) throws {
        try write(.relaxed) { writer in
            let keyspace = try writer.createKeyspace(named: name)
            for number in numbers {
                try writer.put(Array("key \(number)".utf8), [UInt8](repeating: UInt8(truncatingIfNeeded: number) ^ mark, count: valueSize), in: keyspace)
            }
        }
    }
}
