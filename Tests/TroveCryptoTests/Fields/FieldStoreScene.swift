import ProbeKit
import TestSupport
@_spi(FieldSealing) import Trove
import TroveCrypto
import TroveTesting

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
        let store = try ObjectStore(faults.map { FaultInjectingBackend(backend, faults: $0) } ?? backend as any StorageBackend, models: [])
        try store.useStandIn(FieldKeys(key))
        return store
    }
}

extension ObjectStore {
    func putTexts(_ numbers: Range<Int>, mark: String = "text", isPlain: Bool = false) throws {
        try write { transaction in
            for number in numbers { try transaction.standInSet(Array("\(mark) \(number)".utf8), Self.id(number), plain: isPlain) }
        }
    }

    func texts(_ numbers: Range<Int>) throws -> [String] {
        try read { transaction in
            try numbers.map { String(decoding: try transaction.standInValue(Self.id($0)) ?? [], as: UTF8.self) }
        }
    }

    /// The record of keys and the stored values, as they lie in the engine.
    func storedBytes() throws -> (record: [UInt8], values: [[UInt8]]) {
        try read { (try $0.fieldKeyRecord() ?? [], try $0.keyspace("stand-in").entries().map(\.value)) }
    }

    private static func id(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] }
}
