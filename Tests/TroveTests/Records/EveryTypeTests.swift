import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// What is saved comes back, on every engine, also after the store was closed.
@Suite struct EveryTypeTests {
    @Test(arguments: Engine.allCases) func comesBack(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: EveryType.self) }
        var inner = EveryType.least
        inner.doubleOptional = .some(nil)
        let objects = [EveryType.least, .greatest, inner]
        try fixture.store.save(objects)
        for object in objects { #expect(try fixture.store.fetch(EveryType.self, id: object.id) == object) }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(EveryType.self).all() == objects.sorted { $0.id < $1.id })
        #expect(try fixture.store.verify().isSound)
    }

    /// Dynamic records hold the same values, and writing one back leaves the same bytes.
    @Test(arguments: Engine.allCases) func dynamicRecordsAreFaithful(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: EveryType.self) }
        let object = EveryType.greatest
        try fixture.store.save(object)
        let before = try fixture.store.bytes(of: "EveryType", key: object.id.keyBytes)
        try fixture.store.write { transaction in
            let record = try #require(try transaction.storedRecord(of: "EveryType", key: object.id.keyBytes))
            #expect(record["int8"] == .int(127))
            #expect(record["uint64"] == .uint(.max))
            #expect(record["address"]?.value(at: "tags.long.3") == .uuid(object.uuid))
            #expect(record["address"]?.value(at: "tags.none") == nil)
            #expect(try record.value(of: "optionalDecimal", as: Decimal?.self) == object.optionalDecimal)
            try transaction.save(record)
        }
        #expect(try fixture.store.bytes(of: "EveryType", key: object.id.keyBytes) == before)
        #expect(try fixture.store.fetch(EveryType.self, id: object.id) == object)
    }

    /// Every bit pattern of a floating-point number is kept.
    @Test func allBitsOfFloatingPoint() throws {
        let store = try ObjectStore(MemoryBackend(), models: EveryType.self)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var object = EveryType.least
            let (bits64, bits32) = (UInt64.random(in: 0 ... .max, using: &random), UInt32.random(in: 0 ... .max, using: &random))
            object.double = Double(bitPattern: bits64)
            object.float = Float(bitPattern: bits32)
            object.date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits64 >> 1))
            try store.save(object)
            let stored = try #require(try store.fetch(EveryType.self, id: object.id))
            #expect(stored.double.bitPattern == bits64)
            #expect(stored.float.bitPattern == bits32)
            #expect(stored.date.timeIntervalSinceReferenceDate.bitPattern == bits64 >> 1)
        }
    }

    /// Equal sets and dictionaries have equal bytes, whatever order Swift's hashing gives them.
    @Test func equalCollectionsHaveEqualBytes() throws {
        let store = try ObjectStore(MemoryBackend(), models: EveryType.self)
        var object = EveryType.least
        object.set = Set((0..<200).map(String.init))
        object.names = Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, "n") })
        try store.save(object)
        let before = try store.bytes(of: "EveryType", key: object.id.keyBytes)
        object.set = Set((0..<200).reversed().map(String.init))
        object.names = Dictionary(uniqueKeysWithValues: (0..<200).reversed().map { ($0, "n") })
        try store.save(object)
        #expect(try store.bytes(of: "EveryType", key: object.id.keyBytes) == before)
    }
}
