import Foundation
import TestSupport
import Testing
import Trove

/// The application's own values beside the objects, and the names that they and blobs may have.
@Suite struct MetadataTests {
    @Model struct Item {
        let id: Int
    }

    @Test(arguments: Engine.allCases) func valuesAreKept(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let values: [String: StoredValue] = [
            "imported": .date(Date(timeIntervalSinceReferenceDate: 5)), "count": .int(-3), "names": .array([.string("a"), .null]),
            "nested": .object(["x": .double(1.5)]), "ä": .null,
        ]
        #expect(try fixture.store.metadata() == [:])
        try fixture.store.write { transaction in
            for (key, value) in values { try transaction.setMetadata(value, forKey: key) }
        }
        #expect(try fixture.store.metadata() == values)
        for (key, value) in values { #expect(try fixture.store.metadata(forKey: key) == value) }
        #expect(try fixture.store.metadata(forKey: "missing") == nil)
        #expect(try fixture.store.fetch(Item.self).count() == 0)
        try fixture.store.setMetadata(nil, forKey: "count")
        try fixture.store.setMetadata(.bool(true), forKey: "ä")
        try fixture.reopenStore()
        #expect(try fixture.store.metadata(forKey: "ä") == .bool(true))
        #expect(try fixture.store.metadata().keys.sorted() == ["imported", "names", "nested", "ä"])
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.counts() == ["Item": 0])
        // A copy has them too.
        let target = MemoryBackend(name: "metadata of \(engine)")
        try fixture.store.copy(to: target)
        #expect(try ObjectStore(target, models: Item.self).metadata() == fixture.store.metadata())
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        try await fixture.store.setMetadata(.bool(true), forKey: "flag")
        #expect(try await fixture.store.metadata(forKey: "flag") == .bool(true))
        #expect(try await fixture.store.metadata() == ["flag": .bool(true)])
    }

    @Test(arguments: Engine.allCases) func namesHaveLimitsOfTheirOwn(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let store = fixture.store
        let (longest, tooLong) = (String(repeating: "n", count: 511), String(repeating: "n", count: 512))
        try store.setBlob(Data([1]), named: longest)
        try store.setMetadata(.int(1), forKey: longest)
        #expect(try store.blob(named: longest) == Data([1]))
        #expect(try store.metadata(forKey: longest) == .int(1))
        #expect { try store.setBlob(Data([1]), named: tooLong) } throws: { error in
            if case StorageError.keyTooLarge(let details) = error { details.message.contains("of a blob has 512 bytes, and 511") } else { false }
        }
        #expect { try store.setBlob(Data([1]), named: "") } throws: { error in
            if case StorageError.emptyKey(let details) = error { details.message.hasPrefix("a blob needs a name") } else { false }
        }
        #expect { try store.setMetadata(.int(1), forKey: tooLong) } throws: { error in
            if case StorageError.keyTooLarge(let details) = error { details.message.contains("of a value of the metadata has 512 bytes") } else { false }
        }
    }
}
