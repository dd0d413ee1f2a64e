import TestSupport
import Testing
import Trove

@testable import TestModels

/// What a save of a bag stores is the difference between the bag as it was read and as it is now, whatever calls led there.
@Suite struct BagMergingTests {
    private struct Refusal: Error {}

    private struct Change {
        let name: String
        /// Whether it leaves something to save.
        let isUnsaved: Bool
        /// The numbers of the stored members after the other side has removed the first of two.
        let merged: [Int]
        let body: (Bag) -> Void
    }

    private let songs = (0..<5).map(Song.sample)

    private func references(_ numbers: [Int]) -> [AnyReference] { numbers.map { AnyReference(songs[$0]) } }

    private var changes: [Change] {
        let songs = songs
        return [
            Change(name: "none", isUnsaved: false, merged: [1]) { _ in },
            Change(name: "added again", isUnsaved: false, merged: [1]) { $0.add(songs[0]) },
            Change(name: "added again with others", isUnsaved: true, merged: [1, 2]) { $0.add(contentsOf: [songs[0], songs[2]]) },
            Change(name: "inserted where it is", isUnsaved: false, merged: [1]) { $0.insert(songs[0], at: 0) },
            Change(name: "inserted where it is, by reference", isUnsaved: false, merged: [1]) { $0.insert(Reference(songs[0]), at: 0) },
            Change(name: "removed and inserted where it was", isUnsaved: false, merged: [1]) {
                $0.remove(songs[0])
                $0.insert(songs[0], at: 0)
            },
            Change(name: "moved", isUnsaved: true, merged: [1]) { $0.insert(songs[0], at: 1) },
            Change(name: "moved, and another added", isUnsaved: true, merged: [1, 3]) {
                $0.insert(songs[0], at: 1)
                $0.add(songs[3])
            },
            Change(name: "removed and added", isUnsaved: true, merged: [1]) {
                $0.remove(songs[0])
                $0.add(songs[0])
            },
            Change(name: "removed", isUnsaved: true, merged: [1]) { $0.remove(songs[0]) },
            Change(name: "the other moved", isUnsaved: true, merged: [1]) { $0.insert(songs[1], at: 0) },
            Change(name: "the other removed", isUnsaved: true, merged: []) { $0.remove(songs[1]) },
        ]
    }

    @Test(arguments: Engine.allCases) func whatTheOtherSideRemovedStaysOut(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        for change in changes {
            let bag = Bag(in: store)
            bag.add(contentsOf: references([0, 1]))
            try bag.save()
            let reading = try #require(try store.bag(id: bag.id))
            let other = try #require(try store.bag(id: bag.id))
            for bag in [bag, reading] {
                change.body(bag)
                #expect(bag.hasUnsavedChanges == change.isUnsaved, "\(change.name)")
            }
            #expect(other.remove(songs[0]))
            try other.save()
            try reading.refresh()
            #expect(reading.members == references(change.merged), "\(change.name)")
            try bag.save()
            #expect(bag.members == references(change.merged) && !bag.hasUnsavedChanges, "\(change.name)")
            #expect(try store.bag(id: bag.id)?.members == references(change.merged), "\(change.name)")
            // It is an addition once this side knows.
            #expect(bag.add(songs[0]) && bag.unsavedCount == 1, "\(change.name)")
            try bag.save()
            #expect(try store.bag(id: bag.id)?.members == references(change.merged + [0]), "\(change.name)")
        }
        #expect(try store.verify().isSound)
    }

    /// The second save of a transaction stores what was changed since the first.
    @Test(arguments: Engine.allCases) func savesOfOneTransaction(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(in: store)
        bag.add(contentsOf: references([0, 1]))
        let fresh = Bag(in: store)
        try bag.save()
        try store.write { transaction in
            bag.remove(songs[0])
            bag.add(songs[2])
            try transaction.save(bag)
            #expect(try transaction.bag(id: bag.id)?.members == references([1, 2]))
            bag.remove(songs[2])
            bag.add(songs[0])
            try transaction.save(bag)
            #expect(try transaction.bag(id: bag.id)?.members == references([1, 0]))
            fresh.add(songs[3])
            try transaction.save(fresh)
            fresh.remove(songs[3])
            fresh.add(songs[4])
            try transaction.save(fresh)
            #expect(try transaction.bag(id: fresh.id)?.members == references([4]))
            fresh.undo()
            fresh.add(songs[1])
            try transaction.save(fresh)
        }
        #expect(bag.members == references([1, 0]) && !bag.hasUnsavedChanges)
        #expect(try store.bag(id: bag.id)?.members == references([1, 0]))
        #expect(fresh.members == references([1]) && !fresh.hasUnsavedChanges)
        #expect(try store.bag(id: fresh.id)?.members == references([1]))
    }

    /// A save that was undone counts for nothing: the next one stores what was changed since the one before it.
    @Test(arguments: Engine.allCases) func savesThatWereUndone(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(in: store)
        bag.add(contentsOf: references([0, 1]))
        try bag.save()
        try store.write { transaction in
            bag.add(songs[2])
            try transaction.save(bag)
            #expect(throws: Refusal.self) {
                try transaction.savepoint {
                    bag.remove(songs[1])
                    try transaction.save(bag)
                    throw Refusal()
                }
            }
            #expect(try transaction.bag(id: bag.id)?.members == references([0, 1, 2]))
            bag.remove(songs[2])
            try transaction.save(bag)
            #expect(try transaction.bag(id: bag.id)?.members == references([0]))
        }
        #expect(try store.bag(id: bag.id)?.members == references([0]))
        bag.add(songs[3])
        #expect(throws: Refusal.self) {
            try store.write { transaction in
                try transaction.save(bag)
                throw Refusal()
            }
        }
        bag.remove(songs[3])
        #expect(!bag.hasUnsavedChanges)
        bag.add(songs[4])
        try bag.save()
        #expect(try store.bag(id: bag.id)?.members == references([0, 4]))
        #expect(bag.members == references([0, 4]) && !bag.hasUnsavedChanges)
    }

    /// A save stores what was changed since the one before it, though that one is not committed, or its commit not told of, when this one begins.
    @Test(arguments: Engine.allCases) func savesAtOnce(engine: Engine) async throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try await store.save(songs)
        let bag = Bag(in: store)
        try await bag.save()
        let song = songs[0]
        for round in 0..<60 {
            bag.add(song)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bag.save() }
                group.addTask {
                    bag.remove(song)
                    try await bag.save()
                }
                try await group.waitForAll()
            }
            #expect(bag.isEmpty && !bag.hasUnsavedChanges, "round \(round)")
            #expect(try await store.bag(id: bag.id)?.isEmpty == true, "round \(round)")
        }
        #expect(try await store.verify().isSound)
    }

    /// Members are objects, references with their model, and references without.
    @Test(arguments: Engine.allCases) func referencesOfEveryKind(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(in: store)
        bag.add(contentsOf: [Reference(songs[0]), Reference(songs[1])])
        bag.insert(Reference(songs[2]), at: 1)
        bag.insert(Reference(songs[0]), at: 9)
        #expect(bag.members == references([2, 1, 0]))
        bag.remove(contentsOf: [Reference(songs[1]), Reference(songs[4])])
        try bag.save()
        #expect(try store.bag(id: bag.id)?.members == references([2, 0]))
    }

    /// A bag is saved in its own store, also when it is a context's.
    @Test(arguments: Engine.allCases) func anotherStoreRefusesABag(engine: Engine) throws {
        let (fixture, other) = (try BagFixture.make(engine), try BagFixture.make(engine))
        for bag in [Bag(named: "mine", in: fixture.store), Bag(named: "live", in: ObjectContext(fixture.store))] {
            bag.add(songs[0])
            #expect(refusal { try other.store.write { try $0.save(bag) } } == "foreign \(bag.name ?? "-") \(bag.id)")
            #expect(bag.hasUnsavedChanges && !bag.isStored)
        }
        #expect(try other.store.bags().isEmpty)
        #expect(try other.store.fetch(Song.self).count() == 0)
        let bag = Bag(named: "mine", in: fixture.store)
        bag.add(songs[0])
        try fixture.store.write { try $0.save(bag) }
        #expect(refusal { try other.store.write { try $0.save(bag) } } == "foreign mine \(bag.id)")
        #expect(try other.store.fetch(Song.self, in: bag).count() == 0)
    }

    /// A copy has the same bags, and is another store all the same.
    @Test(arguments: Engine.allCases) func anotherStoreDeletesNoBagOfThisOne(engine: Engine) async throws {
        let fixture = try BagFixture.make(engine)
        defer { withExtendedLifetime(fixture) {} }
        let bag = Bag(named: "mine", in: fixture.store)
        bag.add(songs[0])
        try await bag.save()
        let target = try engine.open(fixture.directory.file("copy"))
        try await fixture.store.copy(to: target)
        let copy = try ObjectStore(target, durability: .buffered, models: Song.self)
        let foreign = "foreign mine \(bag.id)"
        #expect(refusal { try copy.deleteBag(bag) } == foreign)
        #expect(refusal { try copy.write { _ = try $0.deleteBag(bag) } } == foreign)
        await #expect(throws: TroveError.self) { try await copy.deleteBag(bag) }
        #expect(try await copy.bag(id: bag.id)?.members == references([0]))
        #expect(try await copy.deleteBag(id: bag.id))
        #expect(try await fixture.store.bag(id: bag.id)?.members == references([0]))
        #expect(try await fixture.store.deleteBag(bag))
        try await copy.close()
    }
}
