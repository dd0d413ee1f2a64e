import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// What bags cost a store that has none, and how they come along with one that has.
@Suite struct BagMaintenanceTests {
    private let songs = (0..<20).map(Song.sample)

    private func keyspaces(_ store: ObjectStore) throws -> [String] {
        try store.read { try $0.reader.keyspaceNames() }
    }

    private func catalogue(_ store: ObjectStore) throws -> [[UInt8]] {
        try store.read { transaction in
            let keyspace = try #require(try transaction.reader.keyspace(named: Catalogue.keyspaceName))
            var keys: [[UInt8]] = []
            try transaction.reader.scan(in: keyspace) { key, _ in
                keys.append([UInt8](copying: key))
                return .next
            }
            return keys
        }
    }

    @Test(arguments: Engine.allCases) func aStoreWithoutBagsHasNothingOfThem(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let before = try catalogue(store)
        try store.save(songs)
        #expect(try store.bags().isEmpty)
        #expect(try store.bag(named: "none") == nil)
        #expect(try store.bags(containing: songs[0]).isEmpty)
        try store.write { transaction in
            // Deletions do not even ask.
            #expect(try transaction.rules === store.core.rules)
            #expect(try !transaction.relationshipsConcernDeletion(of: "Song"))
            try transaction.delete(songs[0])
        }
        #expect(try !keyspaces(store).contains("$bags"))
        #expect(try catalogue(store) == before)
        try fixture.reopenStore()
        #expect(try catalogue(fixture.store) == before)
        let bag = Bag(in: fixture.store)
        bag.add(songs[1])
        try bag.save()
        #expect(try keyspaces(fixture.store).contains("$bags"))
        #expect(try fixture.store.read { try $0.modelNames() } == ["Song"])
        #expect(try fixture.store.write { try $0.rules === $0.relationships.rulesWithBags })
    }

    @Test(arguments: Engine.allCases) func anotherProgramsFirstBag(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        // As another program does it: the open store learns of it by the catalogue alone.
        let other = try BagModel()
        try store.core.backend.write(.buffered) { try other.register($0) }
        let bag = Bag(named: "bag", in: store)
        bag.add(songs[0])
        try bag.save()
        #expect(try store.bags(containing: songs[0]).map(\.id) == [bag.id])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func modelsThatComeAfterTheFirstBag(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Song.self) }
        let bag = Bag(named: "bag", in: fixture.store)
        bag.add(contentsOf: songs)
        try bag.save()
        try fixture.reopenStore { try ObjectStore($0, durability: .buffered, models: Song.self, Country.self) }
        let store = fixture.store
        try store.save(Country(code: "ch", name: "Switzerland"))
        let layouts = try store.read { try Catalogue.entries($0.reader).map { ($0.layout.number, $0.layout.modelName) } }
        #expect(layouts.map(\.0) == [1, 2, RecordLayout.bagNumber] && layouts.map(\.1) == ["Song", "Country", "$bags"])
        // A program without the members' model has the bag, deletes from it, and cannot read what it lacks.
        try fixture.reopenStore { try ObjectStore($0, durability: .buffered, models: Country.self) }
        let found = try #require(try fixture.store.bag(named: "bag"))
        #expect(found.members == songs.map { AnyReference($0) })
        #expect(throws: TroveError.self) { try found.inflate() }
        #expect(throws: TroveError.self) { try found.objects() }
        #expect(try found.objects(of: Country.self).isEmpty)
        #expect(try fixture.store.write { try $0.deleteStoredRecord(of: "Song", key: songs[3].id.keyBytes) })
        try found.refresh()
        #expect(found.count == 19 && !found.contains(AnyReference(songs[3])))
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func deletedMembersLeaveNoKey(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let editions = (0..<5).map { Edition(work: String(repeating: "long ", count: 150) + "\($0)", number: $0, pages: $0) }
        try store.save(editions)
        let bags = (0..<3).map { Bag(named: "bag \($0)", in: store) }
        for bag in bags {
            bag.add(contentsOf: songs)
            bag.add(contentsOf: editions)
            try bag.save()
        }
        try store.delete(songs[0])
        try store.delete(Song.self, ids: songs[1..<4].map(\.id))
        try store.fetch(Song.self).where { $0.title == "Title 5" }.delete()
        try store.delete(editions[2])
        try store.write { transaction in
            _ = try transaction.deleteStoredRecord(of: "Song", key: songs[6].id.keyBytes)
            try transaction.delete(songs[7])
            try transaction.save(songs[7])
            // An update is no deletion.
            try transaction.save(songs[8])
        }
        let left = ([4] + Array(8..<20)).map { AnyReference(songs[$0]) } + [0, 1, 3, 4].map { AnyReference(editions[$0]) }
        for bag in bags { #expect(try store.bag(id: bag.id)?.members == left) }
        #expect(try store.bags(containing: songs[7]).isEmpty)
        #expect(try store.danglingReferences().isEmpty)
        try store.deleteAll(Song.self)
        for bag in bags { #expect(try store.bag(id: bag.id)?.members == [0, 1, 3, 4].map { AnyReference(editions[$0]) }) }
        try store.delete(Edition.self, ids: editions.map(\.id))
        for bag in bags { #expect(try store.bag(id: bag.id)?.isEmpty == true) }
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatOnlyABagHasIsNotKeptByIt(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Shelf.self) }
        let store = fixture.store
        let items = (0..<3).map { ShelfItem(label: "item \($0)") }
        try store.save(items)
        let shelf = Shelf(items: items.map { Reference($0) })
        try store.save(shelf)
        let bag = Bag(in: store)
        bag.add(contentsOf: items)
        bag.add(shelf)
        try bag.save()
        try store.delete(shelf)
        #expect(try store.fetch(ShelfItem.self).count() == 0)
        #expect(try store.bag(id: bag.id)?.isEmpty == true)
    }

    @Test(arguments: Engine.allCases) func copiesAndChecks(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: songs)
        try bag.save()
        let copy = MemoryBackend(name: fixture.directory.file("copy"))
        try store.copy(to: copy)
        let copied = try ObjectStore(copy, models: Song.self)
        #expect(try copied.bag(named: "bag")?.objects(of: Song.self) == songs)
        try copied.delete(songs[2])
        #expect(try copied.bag(named: "bag")?.count == 19)
        #expect(try copied.verify().isSound)
        try copied.close()
        if engine != .memory {
            let path = fixture.directory.file("backup")
            try store.backUp(to: path)
            let backup = try ObjectStore(engine.open(path), models: Song.self)
            #expect(try backup.bag(named: "bag")?.objects(of: Song.self) == songs)
            try backup.close()
        }
        // A key that points at nothing, and a bag's record with a flipped bit.
        try store.core.backend.write(.buffered) { writer in
            let keyspace = try #require(try writer.keyspace(named: "Song"))
            try writer.delete(songs[4].id.keyBytes, in: keyspace)
        }
        let report = try store.verify()
        #expect(report.isSound && report.danglingReferences.map(\.target) == [AnyReference(songs[4])])
        #expect(try store.danglingReferences().map(\.source.modelName) == ["$bags"])
        #expect(try bag.objects(of: Song.self).count == 19)
        try store.core.backend.write(.buffered) { writer in
            let keyspace = try #require(try writer.keyspace(named: "$bags"))
            var record = try #require(try writer.value(of: bag.id.keyBytes, in: keyspace))
            record[record.count - 3] ^= 4
            try writer.put(bag.id.keyBytes, record, in: keyspace)
        }
        #expect(try store.verify().problems.contains { $0.modelName == "$bags" })
        #expect(throws: TroveError.self) { try bag.refresh() }
        // What cannot be read can be deleted.
        #expect(try store.deleteBag(id: bag.id))
        #expect(try store.bags().isEmpty)
    }
}

@Model
struct Shelf {
    @Relationship(deleteRule: .cascadeWhenUnreferenced) var items: [Reference<ShelfItem>] = []
}

@Model
struct ShelfItem: Hashable {
    var label: String
}
