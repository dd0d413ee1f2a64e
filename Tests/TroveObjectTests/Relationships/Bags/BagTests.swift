import Synchronization
import TestSupport
import Testing
import Trove

@testable import TestModels

/// What a bag holds, before and after it is saved.
@Suite struct BagTests {
    private let songs = (0..<6).map(Song.sample)
    private let country = Country(code: "ch", name: "Switzerland")
    private let edition = Edition(work: "Kind of Blue", number: 2, pages: 40)

    @Test(arguments: Engine.allCases) func objectsOfSeveralModelsInOrder(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(named: "mixed", in: store)
        #expect(!bag.isStored && bag.hasUnsavedChanges && bag.isEmpty)
        #expect(bag.add(songs[3]))
        bag.add(contentsOf: [country, songs[1], edition])
        #expect(bag.add(Reference(songs[5])))
        #expect(!bag.add(songs[3]))
        #expect(!bag.add(AnyReference(country)))
        #expect((bag.count, bag.savedCount, bag.unsavedCount, bag.removedCount) == (5, 0, 5, 0))
        // Those that are not stored are in memory, the others are read.
        #expect(try bag.titles() == ["Title 3", "ch", "Title 1", "Kind of Blue 2", "Title 5"])
        #expect(try store.bags().isEmpty)
        try bag.save()
        #expect((bag.count, bag.savedCount, bag.unsavedCount, bag.removedCount) == (5, 5, 0, 0))
        #expect(bag.isStored && !bag.hasUnsavedChanges)
        // What was not stored was saved with it.
        #expect(try store.fetch(Country.self).all() == [country])
        #expect(try store.fetch(Edition.self).all() == [edition])
        try fixture.reopenStore()
        let again = try #require(try fixture.store.bag(named: "mixed"))
        #expect(again.id == bag.id && again.members == bag.members)
        #expect(try again.titles() == ["Title 3", "ch", "Title 1", "Kind of Blue 2", "Title 5"])
        #expect(try again.objects(of: Song.self) == [songs[3], songs[1], songs[5]])
        #expect(try again.objects(of: Edition.self) == [edition])
        #expect(again.contains(country) && again.contains(Reference(songs[1])) && !again.contains(songs[0]))
        #expect(try fixture.store.verify().problems.isEmpty)
    }

    @Test(arguments: Engine.allCases) func changesAreCountedSavedAndUndone(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(in: store)
        bag.add(contentsOf: songs[..<4].map { AnyReference($0) })
        try bag.save()
        #expect(bag.remove(songs[1]))
        #expect(!bag.remove(songs[1]))
        bag.add(songs[5])
        bag.name = "named"
        #expect((bag.count, bag.savedCount, bag.unsavedCount, bag.removedCount) == (4, 3, 1, 1))
        #expect(bag.unsavedMembers == [AnyReference(songs[5])] && bag.removedMembers == [AnyReference(songs[1])])
        bag.undo()
        #expect(!bag.hasUnsavedChanges && bag.name == nil)
        #expect(try bag.objects(of: Song.self) == Array(songs[..<4]))
        // Taken out and put back is not where it was.
        bag.remove(songs[1])
        bag.add(songs[1])
        #expect(bag.unsavedCount == 0 && bag.removedCount == 0 && bag.hasUnsavedChanges)
        try bag.save()
        #expect(try store.bag(id: bag.id)?.objects(of: Song.self) == [songs[0], songs[2], songs[3], songs[1]])
        bag.insert(songs[3], at: 0)
        bag.insert(AnyReference(songs[4]), at: 2)
        bag.insert(songs[0], at: 99)
        #expect(bag.hasUnsavedChanges)
        try bag.save()
        let expected = [songs[3], songs[4], songs[2], songs[1], songs[0]]
        #expect(try store.bag(id: bag.id)?.objects(of: Song.self) == expected)
        bag.removeAll()
        #expect((bag.count, bag.removedCount) == (0, 5))
        bag.add(songs[2])
        #expect((bag.count, bag.unsavedCount, bag.removedCount) == (1, 0, 4))
        bag.undo()
        bag.remove(contentsOf: [songs[3], songs[4], songs[2]])
        bag.name = "two"
        try bag.save()
        #expect(try store.bag(named: "two")?.objects(of: Song.self) == [songs[1], songs[0]])
        #expect(try store.fetch(Song.self).count() == 6)
    }

    @Test(arguments: Engine.allCases) func inflatingAndDeflating(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        let bag = Bag(in: store)
        bag.add(contentsOf: songs)
        bag.add(country)
        try bag.save()
        #expect(!bag.isInflated)
        try bag.inflate()
        #expect(bag.isInflated)
        var changed = songs[0]
        changed.title = "changed"
        try store.save(changed)
        try store.delete(songs[1])
        // An inflated bag shows what it read.
        #expect(try bag.objects(of: Song.self) == songs)
        bag.deflate()
        #expect(!bag.isInflated && bag.count == 7)
        // What is gone is left out, and a member until the bag is read anew.
        #expect(try bag.objects(of: Song.self) == [changed] + songs[2...])
        try bag.inflate()
        try store.delete(songs[2])
        bag.add(Edition(work: "new", number: 1, pages: 3))
        try bag.refresh()
        #expect(bag.isInflated && (bag.count, bag.unsavedCount) == (6, 1))
        #expect(try bag.titles() == ["changed", "Title 3", "Title 4", "Title 5", "ch", "new 1"])
        try bag.save()
        #expect(try bag.titles() == ["changed", "Title 3", "Title 4", "Title 5", "ch", "new 1"])
        bag.remove(songs[3])
        #expect(try bag.titles() == ["changed", "Title 4", "Title 5", "ch", "new 1"])
    }

    @Test(arguments: Engine.allCases) func namesAndKeys(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        #expect(try store.bag(named: "a") == nil)
        #expect(try !store.deleteBag(named: "a"))
        let first = Bag(named: "a", in: store)
        let second = Bag(named: "a", in: store)
        let unnamed = [Bag(in: store), Bag(in: store)]
        second.add(songs[0])
        try first.save()
        for bag in unnamed { try bag.save() }
        #expect(refusal { try second.save() } == "taken a")
        // Nothing was stored of it, and its changes are kept.
        #expect(try store.fetch(Song.self).count() == 0)
        #expect(second.contains(songs[0]) && second.hasUnsavedChanges)
        second.name = "b"
        try second.save()
        #expect(try store.bags().map(\.id) == [first, second, unnamed[0], unnamed[1]].map(\.id).sorted())
        #expect(try store.bag(named: "b")?.id == second.id)
        #expect(try store.bag(id: unnamed[0].id)?.name == nil)
        #expect(try store.bag(id: ObjectID()) == nil)
        // A name that is free again.
        first.name = nil
        try first.save()
        second.name = "a"
        try second.save()
        #expect(try store.bag(named: "a")?.id == second.id)
        #expect(try store.bag(named: "b") == nil)
        #expect(try second.delete())
        #expect(try !second.delete())
        #expect(try store.deleteBag(first))
        #expect(try store.deleteBag(id: unnamed[0].id))
        #expect(try store.bags().map(\.id) == [unnamed[1].id])
        #expect(try store.fetch(Song.self).all() == [songs[0]])
        #expect(refusal { try second.save() } == "deleted a \(second.id)")
        #expect(refusal { try second.refresh() } == "deleted a \(second.id)")
        #expect(second.contains(songs[0]))
    }

    @Test(arguments: Engine.allCases) func bagsThatContainAnObject(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        try store.save(edition)
        #expect(try store.bags(containing: songs[0]).isEmpty)
        let bags = (0..<4).map { Bag(named: "bag \($0)", in: store) }
        for (number, bag) in bags.enumerated() {
            for song in songs[number...] { bag.add(song) }
            if number % 2 == 1 { bag.add(edition) }
            try bag.save()
        }
        #expect(try store.bags(containing: songs[0]).map(\.name) == ["bag 0"])
        #expect(try store.bags(containing: Reference(songs[2])).map(\.name) == ["bag 0", "bag 1", "bag 2"])
        #expect(try store.bags(containing: AnyReference(edition)).map(\.name) == ["bag 1", "bag 3"])
        bags[1].remove(songs[2])
        try bags[1].save()
        try bags[0].delete()
        #expect(try store.read { try $0.bags(containing: songs[2]).map(\.name) } == ["bag 2"])
        // Membership is no relationship.
        #expect(try store.referencing(songs[3]).isEmpty)
        #expect(try store.referenceCount(of: songs[3]) == 0)
        #expect(try store.fetch(Song.self).unreferenced().count() == 6)
    }

    @Test(arguments: Engine.allCases) func searchingInside(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let songs = (0..<300).map(Song.sample)
        try store.save(songs)
        let editions = (0..<20).map { Edition(work: "work \($0)", number: $0, pages: $0 * 10) }
        try store.save(editions)
        let bag = Bag(named: "search", in: store)
        let chosen = songs.enumerated().filter { $0.offset % 3 == 1 }.map(\.element)
        bag.add(contentsOf: chosen)
        bag.add(contentsOf: editions[5..<10].map { AnyReference($0) })
        // Unsaved members count, stored or not.
        let expected = chosen.filter { $0.year < 1950 }.sorted { ($0.year, $0.id) < ($1.year, $1.id) }
        #expect(try bag.fetch(Song.self).where { $0.year < 1950 }.sorted(by: \.year).all() == expected)
        try bag.save()
        #expect(try bag.fetch(Song.self).count() == 100)
        #expect(try bag.fetch(Song.self).where { $0.artist == "Artist 3" }.all() == chosen.filter { $0.artist == "Artist 3" })
        #expect(try bag.fetch(Edition.self).where { $0.pages > 70 }.all() == Array(editions[8..<10]))
        #expect(try bag.fetch(Edition.self).explain().description.contains("look up"))
        #expect(try bag.fetch(Country.self).count() == 0)
        #expect(try bag.fetch(Song.self).where { $0.rating == nil }.maximum(\.year) == chosen.filter { $0.rating == nil }.map(\.year).max())
        #expect(try store.read { try $0.fetch(Song.self, in: bag).limit(3).ids() } == chosen[..<3].map(\.id))
        #expect(try store.fetch(Song.self, in: bag).where { $0.year < 1950 }.delete() == expected.count)
        #expect(try store.fetch(Song.self).count() == 300 - expected.count)
        try bag.refresh()
        #expect(bag.count == 105 - expected.count)
        #expect(try bag.objects(of: Song.self) == chosen.filter { !expected.contains($0) })
    }

    /// It ended with the bag's lock held, which the bag waited for then.
    @Test(arguments: Engine.allCases) func anObjectThatEndsMayAskTheBag(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Account.self) }
        let bag = Bag(in: fixture.store)
        let ends = Ends()
        func watch(_ account: Account) { account.hooks.ended = { [bag] in ends.note(bag.count) } }
        func addOne(_ id: Int) {
            let account = Account(id: id, name: "\(id)")
            watch(account)
            bag.add(account)
        }
        addOne(1)
        bag.remove(contentsOf: bag.members)
        #expect(ends.counts == [0])
        addOne(2)
        bag.undo()
        #expect(ends.counts == [0, 0])
        addOne(3)
        addOne(3)
        #expect(ends.counts == [0, 0, 1])
        bag.undo()
        #expect(ends.counts == [0, 0, 1, 0])
        bag.add(Account(id: 4, name: "4"))
        try bag.save()

        func inflate() throws {
            try bag.inflate()
            for account in try bag.objects(of: Account.self) { watch(account) }
        }
        try inflate()
        bag.deflate()
        #expect(ends.counts.count == 5)
        try inflate()
        try inflate()
        #expect(ends.counts.count == 6)
        bag.removeAll()
        #expect(ends.counts == [0, 0, 1, 0, 1, 1, 0])
        bag.undo()
        try inflate()
        try fixture.store.deleteAll(Account.self)
        try bag.refresh()
        #expect(ends.counts.count == 8 && bag.isEmpty)
    }
}

/// How many members a bag had when objects of it ended.
private final class Ends: Sendable {
    private let noted = Mutex<[Int]>([])

    var counts: [Int] { noted.withLock { $0 } }

    func note(_ count: Int) { noted.withLock { $0.append(count) } }
}
