import TestSupport
import Testing
import Trove

@testable import TestModels

/// Saves that meet others' changes, errors and transactions.
@Suite struct BagSavingTests {
    private struct Refusal: Error {}

    private let songs = (0..<10).map(Song.sample)

    private func references(_ numbers: Int...) -> [AnyReference] { numbers.map { AnyReference(songs[$0]) } }

    /// Two values of one stored bag of the first five songs.
    private func twins(_ store: ObjectStore) throws -> (Bag, Bag) {
        try store.save(songs)
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: references(0, 1, 2, 3, 4))
        try bag.save()
        return (bag, try #require(try store.bag(named: "bag")))
    }

    @Test(arguments: Engine.allCases) func changesOfBothAreMerged(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let (one, other) = try twins(store)
        one.remove(songs[1])
        one.add(songs[5])
        other.remove(songs[3])
        other.add(songs[6])
        other.add(songs[5])
        other.insert(songs[7], at: 0)
        other.name = "renamed"
        try one.save()
        try other.save()
        // The sixth stood before the fifth.
        let merged = references(7, 0, 2, 4, 6, 5)
        #expect(other.members == merged && other.name == "renamed" && !other.hasUnsavedChanges)
        #expect(try store.bag(named: "renamed")?.members == merged)
        // The first has not looked since.
        #expect(one.members == references(0, 2, 3, 4, 5) && !one.hasUnsavedChanges)
        one.insert(songs[8], at: 1)
        try one.refresh()
        #expect(one.members == references(7, 0, 8, 2, 4, 6, 5) && one.unsavedCount == 1)
        try one.refresh(keepingChanges: false)
        #expect(one.members == merged && one.unsavedCount == 0 && one.name == "renamed")
    }

    /// A bag may be given its key; what is stored under it already stays, and gets more members.
    @Test(arguments: Engine.allCases) func aBagOfAGivenKey(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let id = ObjectID()
        let bag = Bag(named: "bag", id: id, in: store)
        bag.add(contentsOf: references(1, 0))
        try bag.save()
        #expect(bag.id == id)
        #expect(try store.bag(id: id)?.members == references(1, 0))
        let context = ObjectContext(store)
        for again in [Bag(id: id, in: store), Bag(id: id, in: context)] {
            again.add(contentsOf: references(1, 2))
            try again.save()
            #expect(again.members == references(1, 0, 2) && again.name == "bag" && !again.hasUnsavedChanges)
        }
        #expect(try store.bags().count == 1 && store.bag(named: "bag")?.members == references(1, 0, 2))
        withExtendedLifetime(context) {}
    }

    @Test(arguments: Engine.allCases) func anOrderThatWasChangedIsKept(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let (one, other) = try twins(store)
        one.insert(songs[4], at: 0)
        other.insert(songs[5], at: 2)
        other.add(songs[6])
        other.remove(songs[1])
        try other.save()
        try one.save()
        #expect(one.members == references(4, 0, 5, 2, 3, 6))
        #expect(try store.bag(named: "bag")?.members == references(4, 0, 5, 2, 3, 6))
    }

    @Test(arguments: Engine.allCases) func whatIsStoredStaysAsItIs(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs[0])
        var older = songs[0]
        older.title = "older"
        let bag = Bag(in: store)
        bag.add(older)
        bag.add(songs[1])
        try bag.save()
        #expect(try store.fetch(Song.self).all() == [songs[0], songs[1]])
        // A member that was deleted is out, and is stored again when it is added after this side knows.
        try store.delete(songs[1])
        #expect(!bag.add(songs[1]))
        try bag.save()
        #expect(try store.bag(id: bag.id)?.objects(of: Song.self) == [songs[0]])
        #expect(bag.add(songs[1]))
        try bag.save()
        #expect(try store.bag(id: bag.id)?.objects(of: Song.self) == [songs[0], songs[1]])
    }

    @Test(arguments: Engine.allCases) func aMemberThatIsNotStored(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let bag = Bag(named: "bag", in: store)
        bag.add(songs[0])
        bag.add(Reference(songs[1]))
        #expect(refusal { try bag.save() } == "dangling Song")
        #expect(try store.fetch(Song.self).count() == 0)
        #expect(try store.bags().isEmpty)
        for reference in [
            AnyReference(modelName: "$bags", keyBytes: bag.id.keyBytes), AnyReference(modelName: "$catalogue", keyBytes: Array("store".utf8)),
            AnyReference(modelName: "", keyBytes: [1]), AnyReference(modelName: "Nobody", keyBytes: [1]),
        ] {
            let bag = Bag(in: store)
            bag.add(reference)
            #expect(refusal { try bag.save() } == "dangling \(reference.modelName)")
        }
        bag.remove(songs[1])
        try bag.save()
        #expect(try store.bag(named: "bag")?.objects(of: Song.self) == [songs[0]])
    }

    @Test(arguments: Engine.allCases) func inTransactions(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let bag = Bag(named: "bag", in: store)
        bag.add(songs[0])
        #expect(throws: Refusal.self) {
            try store.write { transaction in
                try transaction.save(bag)
                #expect(try transaction.bag(named: "bag")?.members == references(0))
                throw Refusal()
            }
        }
        #expect(bag.hasUnsavedChanges && !bag.isStored && bag.unsavedCount == 1)
        try store.write { transaction in
            #expect(try transaction.bags().isEmpty)
            #expect(throws: Refusal.self) {
                try transaction.savepoint {
                    try transaction.save(bag)
                    throw Refusal()
                }
            }
            #expect(try transaction.bags().isEmpty)
            try transaction.save(songs[1])
            bag.add(Reference(songs[1]))
            try transaction.save(bag)
            #expect(bag.hasUnsavedChanges)
            #expect(try transaction.fetch(Song.self, in: bag).count() == 2)
            // Deleted in the transaction that made the store's first bag.
            try transaction.delete(songs[0])
            #expect(try transaction.bag(named: "bag")?.members == references(1))
            #expect(try transaction.bags(containing: songs[1]).map(\.id) == [bag.id])
        }
        #expect(!bag.hasUnsavedChanges)
        #expect(try store.bag(named: "bag")?.members == references(1))
        let found = try #require(try store.read { try $0.bag(named: "bag") })
        found.add(songs[2])
        try found.save()
        #expect(try store.bag(named: "bag")?.members == references(1, 2))
        try store.write { transaction in
            let other = Bag(named: "bag", in: store)
            other.add(songs[9])
            #expect(refusal { try transaction.save(other) } == "taken bag")
            #expect(try transaction.fetch(Song.self, id: songs[9].id) == nil)
            #expect(try transaction.deleteBag(named: "bag"))
            try transaction.save(other)
        }
        #expect(try store.bag(named: "bag")?.members == references(9))
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: songs)
        try await bag.save()
        try await store.delete(Song.self, id: songs[0].id)
        try await bag.refresh()
        #expect(bag.count == 9)
        try await bag.inflate()
        #expect(try await bag.objects(of: Song.self) == Array(songs[1...]))
        #expect(try await bag.objects().count == 9)
        #expect(try await store.bag(named: "bag")?.members == bag.members)
        #expect(try await store.bag(id: bag.id)?.name == "bag")
        #expect(try await store.bags().count == 1)
        #expect(try await store.bags(containing: songs[1]).count == 1)
        #expect(try await store.fetch(Song.self, in: bag).where { $0.title == "Title 4" }.all() == [songs[4]])
        #expect(try await store.deleteBag(named: "bag"))
        #expect(try await store.bags().isEmpty)
    }

    @Test(arguments: Engine.allCases) func fromManyThreads(engine: Engine) async throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let bag = Bag(named: "bag", in: store)
        try await bag.save()
        let songs = (0..<80).map(Song.sample)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    // Half of them share a value, the others have their own.
                    let own = worker % 2 == 0 ? bag : try #require(try await store.bag(named: "bag"))
                    for song in songs[(worker * 10)..<(worker * 10 + 10)] {
                        own.add(song)
                        try await own.save()
                        if song.year % 2 == 0 { try await own.refresh() }
                        _ = own.unsavedCount + own.removedCount
                    }
                    let dropped = songs[worker * 10 + 3]
                    own.remove(dropped)
                    try await own.save()
                }
            }
            try await group.waitForAll()
        }
        let stored = try #require(try await store.bag(named: "bag"))
        let expected = Set(songs.indices.filter { $0 % 10 != 3 }.map { AnyReference(songs[$0]) })
        #expect(Set(stored.members) == expected && stored.count == 72)
        try await bag.refresh()
        #expect(bag.members == stored.members && !bag.hasUnsavedChanges)
        #expect(try await store.verify().isSound)
    }
}
