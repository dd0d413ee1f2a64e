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
}
