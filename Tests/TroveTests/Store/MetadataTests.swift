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
        #expect(try fixture.store.metadata().isEmpty)
        try fixture.store.write { transaction in
            for (key, value) in values { try transaction.setMetadata(value, forKey: key) }
        }
        #expect(try Dictionary(uniqueKeysWithValues: fixture.store.metadata().map { ($0.key, $0.value) }) == values)
        for (key, value) in values { #expect(try fixture.store.metadata(forKey: key) == value) }
        #expect(try fixture.store.metadata(forKey: "missing") == nil)
        #expect(try fixture.store.fetch(Item.self).count() == 0)
        try fixture.store.setMetadata(nil, forKey: "count")
        try fixture.store.setMetadata(.bool(true), forKey: "ä")
        try fixture.reopenStore()
        #expect(try fixture.store.metadata(forKey: "ä") == .bool(true))
        #expect(try fixture.store.metadata().keys == ["imported", "names", "nested", "ä"])
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
        let all = try await fixture.store.metadata()
        #expect(all.keys == ["flag"] && all["flag"] == .bool(true))
    }

    /// Swift calls the two keys equal; the store tells them apart.
    @Test(arguments: Engine.allCases) func keysAreToldApartByTheirBytes(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let store = fixture.store
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        try store.setMetadata(.int(1), forKey: one)
        try store.setMetadata(.int(2), forKey: two)
        let all = try store.metadata()
        #expect(all.count == 2)
        #expect(all[one] == .int(1) && all[two] == .int(2))
        #expect(all.values == [.int(2), .int(1)])
        #expect(all.keys.map { Array($0.utf8) } == [two, one].map { Array($0.utf8) })
        try store.setMetadata(nil, forKey: two)
        #expect(try store.metadata()[two] == nil)
        #expect(try store.metadata() != all)
        try store.setMetadata(.int(2), forKey: two)
        #expect(try store.metadata() == all)
    }

    @Test(arguments: Engine.allCases) func valuesThatNestTooDeeplyAreRefused(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let deep = (0..<300).reduce(StoredValue.null) { value, _ in .array([value]) }
        #expect { try fixture.store.setMetadata(deep, forKey: "deep") } throws: { error in
            guard case TroveError.encodingFailed("metadata", "deep", let reason) = error else { return false }
            return reason.contains("256 levels")
        }
        #expect(try fixture.store.metadata().isEmpty)
    }

    @Test(arguments: Engine.allCases) func namesHaveLimitsOfTheirOwn(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let store = fixture.store
        let (longest, tooLong) = (String(repeating: "n", count: 511), String(repeating: "n", count: 512))
        try store.setBlob(Data([1]), named: longest)
        try store.setMetadata(.int(1), forKey: longest)
        #expect(try store.blob(named: longest) == Data([1]))
        #expect(try store.metadata(forKey: longest) == .int(1))
        // Nothing has a name that cannot be.
        for name in ["", tooLong] {
            #expect(try store.blob(named: name) == nil && store.blobInfo(named: name) == nil && store.metadata(forKey: name) == nil)
            #expect(try !store.deleteBlob(named: name))
            try store.write { transaction in
                let keyspace = try transaction.keyspace("own")
                try keyspace.put([1], [1])
                let key = Array(name.utf8)
                #expect(try keyspace.value(of: key) == nil && !keyspace.contains(key) && !keyspace.remove(key))
            }
        }
        #expect { try store.setBlob(Data([1]), named: tooLong) } throws: { error in
            if case StorageError.keyTooLarge(let details) = error { details.message.contains("of a blob has 512 bytes, but may have at most 511") } else { false }
        }
        #expect { try store.setBlob(Data([1]), named: "") } throws: { error in
            if case StorageError.emptyKey(let details) = error { details.message.hasPrefix("a blob needs a name") } else { false }
        }
        #expect { try store.setMetadata(.int(1), forKey: tooLong) } throws: { error in
            if case StorageError.keyTooLarge(let details) = error { details.message.contains("of a value of the metadata has 512 bytes") } else { false }
        }
    }
}
