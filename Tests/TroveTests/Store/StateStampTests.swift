import TestSupport
import Testing
import Trove
import TroveBackendKit

/// The engines tell states apart, and what is kept of one is not taken for that of another.
@Suite struct StateStampTests {
    @Model struct Item {
        let id: Int
        var shelf: Int
    }

    private func stamp(_ backend: any StorageBackend) throws -> StateStamp? {
        var stamp: StateStamp?
        try backend.read { (reader: any StorageReader) throws -> Void in stamp = reader.stateStamp }
        return stamp
    }

    @Test(arguments: Engine.allCases) func eachEngineHasThem(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        try fixture.store.save(Item(id: 1, shelf: 1))
        let backend = try engine.open(fixture.directory.file())
        let first = try #require(try stamp(backend))
        #expect(try stamp(backend) == first)
        try fixture.store.save(Item(id: 2, shelf: 1))
        let second = try #require(try stamp(backend))
        #expect(second != first)
        try backend.close()
        // After a clean close SQLite has a file without a log, which tells nothing before the next commit.
        try fixture.reopenStore()
        let reopened = try engine.open(fixture.directory.file())
        #expect(try (stamp(reopened) == nil) == (engine == .sqlite))
        try fixture.store.save(Item(id: 3, shelf: 1))
        let third = try #require(try stamp(reopened))
        #expect(try stamp(reopened) == third)
        try reopened.close()
    }

    /// Two stores on one file: one has looked at the indexes when the other makes and drops them.
    @Test(arguments: Engine.allCases) func indexesOfOthersAreSeen(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Item.self)
        try fixture.store.save((1...200).map { Item(id: $0, shelf: $0 % 50) })
        func plan() throws -> String { "\(try fixture.store.fetch(Item.self).where { $0.shelf == 7 }.explain())" }
        for _ in 1...3 {
            #expect(try !plan().contains("by shelf"))
            #expect(try fixture.store.fetch(Item.self).where { $0.shelf == 7 }.count() == 4)
            try other.createIndex("by shelf", on: Item.self, \.shelf)
            #expect(try plan().contains("by shelf"))
            #expect(try fixture.store.fetch(Item.self).where { $0.shelf == 7 }.count() == 4)
            try other.dropIndex(named: "by shelf", of: Item.self)
        }
        #expect(try fixture.store.verify().isSound)
        try other.close()
    }
}
