import TestSupport
import Testing
import Trove

/// What a save of a bag stores.
@Suite struct BagMergingTests {
    private let songs = (0..<5).map(Song.sample)

    private func references(_ numbers: [Int]) -> [AnyReference] { numbers.map { AnyReference(songs[$0]) } }

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
}
