import Foundation
import RawEngines
import Trove

/// Trove's own keys and records, in a file: the ready-made bytes of the C programs.
///
/// The file has the number of records, their keys, the offsets of their values, and the values.
final class RecordFile {
    private let bytes: UnsafeMutableRawBufferPointer
    /// Pointers into `bytes`, valid as long as this object.
    let records: raw_records

    /// Reads the file into memory.
    init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes = .allocate(byteCount: data.count, alignment: 16)
        data.copyBytes(to: bytes)
        let base = UnsafeRawPointer(bytes.baseAddress!)
        let count = Int(base.load(as: UInt64.self))
        let keys = base + 8
        let offsets = keys + count * raw_key_size
        let values = offsets + (count + 1) * 8
        records = raw_records(
            keys: keys.assumingMemoryBound(to: UInt8.self), offsets: offsets.assumingMemoryBound(to: UInt64.self),
            values: values.assumingMemoryBound(to: UInt8.self))
    }

    deinit {
        bytes.deallocate()
    }

    /// Has Trove encode objects numbered from 0, in memory, and writes what it stored to a file.
    ///
    /// - Parameter tally: What an object's values are, to check ``RecordShape``.
    static func write<Object: Model>(
        count: Int, _ object: @escaping @Sendable (Int) -> Object, shape: RecordShape, tally: (Int) -> Tally, to path: String
    ) throws {
        let backend = MemoryBackend()
        let store = try ObjectStore(backend, models: Object.self)
        try store.save((0..<count).lazy.map(object))
        var keys = Data(capacity: count * raw_key_size)
        var offsets = [UInt64(0)]
        var values = Data(capacity: count * 100)
        try backend.read { reader in
            guard let keyspace = try reader.keyspace(named: Object.schema.name) else { return }
            try reader.scan(in: keyspace) { key, value in
                try shape.check(value, is: tally(offsets.count - 1))
                key.withUnsafeBytes { keys.append(contentsOf: $0) }
                value.withUnsafeBytes { values.append(contentsOf: $0) }
                offsets.append(UInt64(values.count))
                return .next
            }
        }
        guard offsets.count == count + 1, keys.count == count * raw_key_size else {
            throw BenchmarkError("Trove stored other keys than expected")
        }
        var file = withUnsafeBytes(of: UInt64(count)) { Data($0) }
        file.append(keys)
        offsets.withUnsafeBytes { file.append(contentsOf: $0) }
        file.append(values)
        try file.write(to: URL(fileURLWithPath: path))
        try store.close()
    }
}
