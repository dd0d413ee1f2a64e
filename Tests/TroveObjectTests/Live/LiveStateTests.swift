import TestSupport
import Testing

@testable import Trove

@Suite struct LiveStateTests {
    @Test func fieldSets() {
        var set = _FieldSet()
        #expect(set.isEmpty)
        let fields = [0, 5, 63, 64, 127, 128, 300]
        for field in fields.reversed() { set.insert(field) }
        #expect(Array(set) == fields)
        #expect((0..<400).filter { set.contains($0) } == fields)
        #expect(!set.isEmpty)
    }

    /// What a change of references adds and takes away, against sets.
    @Test(arguments: 0..<8) func targetChanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func references(_ count: Int) -> [Reference<LivePerson>] {
            (0..<count).map { _ in Reference(id: "\(Int.random(in: 0..<20, using: &random))") }
        }
        for size in [0, 1, 3, 20, 200] {
            let start = references(size)
            let end = references(size)
            let old = start + references(Int.random(in: 0...5, using: &random)) + end
            let new = start + references(Int.random(in: 0...5, using: &random)) + end
            let change = TargetChange(from: old, to: new)
            #expect(Set(change.removed) == Set(old).subtracting(new))
            #expect(change.removed.count == Set(change.removed).count)
            // Adding what is there already does nothing, so it may be told.
            #expect(Set(change.added).isSuperset(of: Set(new).subtracting(old)))
            #expect(Set(change.added).isSubset(of: new))
        }
    }

    @Test func changesAreTracked() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "1")
        try context.insert(song)
        try context.save()
        #expect(song._$live.status == .clean)
        #expect(song._$live.changedFields.isEmpty)
        song.year = 3
        song.tags.append("x")
        #expect(song._$live.status == .changed)
        #expect(Array(song._$live.changedFields) == [1, 3])
        #expect(song._$live.image != nil)
    }
}
