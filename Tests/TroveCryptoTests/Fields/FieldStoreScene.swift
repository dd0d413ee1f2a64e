import ProbeKit
import TestSupport
import TroveCrypto
import TroveTesting

@_spi(FieldSealing) @testable import Trove

@Model("Note") struct SceneNote {
    var id: Int
    @Attribute(.encrypted) var text: String
}

/// A store with an encrypted property, whose values are texts.
struct FieldStoreScene {
    static let rootKey = StoreKey.raw([UInt8](repeating: 7, count: 32))
    static let other = StoreKey.raw([UInt8](repeating: 8, count: 32))
    static let property = "Note.text"

    let name = "fields \(UInt64.random(in: 0 ... .max))"
    /// Keeps the store in memory from ending.
    private let anchor: MemoryBackend

    init() { anchor = MemoryBackend(name: name) }

    /// Opens the store, as another program would.
    func open(_ key: StoreKey = rootKey, faults: FaultInjector? = nil) throws -> ObjectStore {
        let backend = MemoryBackend(name: name)
        return try ObjectStore(
            faults.map { FaultInjectingBackend(backend, faults: $0) } ?? backend as any StorageBackend, fieldKeys: FieldKeys(key), models: SceneNote.self)
    }
}

extension ObjectStore {
    /// Stores notes; plain ones lie in the engine as a program without the keys would have stored them.
    func putTexts(_ numbers: Range<Int>, mark: String = "text", isPlain: Bool = false) throws {
        try save(numbers.map { SceneNote(id: $0, text: "\(mark) \($0)") })
        guard isPlain else { return }
        let keys = numbers.map { RecordKey($0.keyBytes).bytes }
        var records: [[UInt8]] = []
        try read { transaction in
            let reader = try transaction.reader
            guard let keyspace = try reader.keyspace(named: "Note") else { return }
            for key in keys { _ = try reader.get(key.span.bytes, in: keyspace) { records.append([UInt8](copying: $0)) } }
        }
        try core.backend.write(.relaxed) { (writer: any StorageWriter) in
            let keyspace = try writer.createKeyspace(named: "Note")
            for (key, record) in zip(keys, records) { try writer.put(key, record, in: keyspace) }
        }
    }

    func texts(_ numbers: Range<Int>) throws -> [String] { try numbers.map { try fetch(SceneNote.self, id: $0)?.text ?? "" } }

    /// The record of keys and the stored values, as they lie in the engine.
    func storedBytes() throws -> (record: [UInt8], values: [[UInt8]]) {
        let record = try read { try $0.fieldKeyRecord() } ?? []
        let layout = try read { try $0.storedLayout($0.open(SceneNote.self).binding.layout.number) }
        let records = try core.backend.contents()["Note"] ?? [:]
        let values = try records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { key, record in
            try record.withUnsafeBytes { record in
                try key.withUnsafeBytes { key in
                    SealedRecord.isSealed(record) ? try SealedRecord(record, key: key, layout: layout).fields.map { [UInt8]($0.bytes) } : [[UInt8](record)]
                }
            }
        }
        return (record, values)
    }
}
