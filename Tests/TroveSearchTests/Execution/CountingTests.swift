import TestSupport
import Testing
import Trove

/// The number of all objects, which an index tells where the engine would walk.
@Suite struct CountingTests {
    @Model struct Indexed: Equatable {
        var id: Int
        var tags: [String]
        @Attribute(.indexed) var mood: String?
    }

    @Model struct Tagged: Equatable {
        var id: Int
        @Attribute(.indexed) var tags: [String]
    }

    private static func counted(_ engine: Engine) throws -> (fixture: StoreFixture, backend: CallCountingBackend) {
        try StoreFixture.counting(engine) { try ObjectStore($0, durability: .relaxed, models: Indexed.self, Tagged.self) }
    }

    @Test(arguments: Engine.allCases) func countsAreExact(engine: Engine) throws {
        let (fixture, backend) = try Self.counted(engine)
        let store = fixture.store
        var random = SeededGenerator(seed: 3)
        var (indexed, tagged): (Set<Int>, Set<Int>) = ([], [])
        func check(_ transaction: ReadTransaction) throws {
            #expect(try transaction.fetch(Indexed.self).count() == indexed.count)
            #expect(try transaction.fetch(Tagged.self).count() == tagged.count)
            #expect(try transaction.counts() == ["Indexed": indexed.count, "Tagged": tagged.count])
        }
        for _ in 0..<40 {
            try store.write { transaction in
                for _ in 0..<5 {
                    let id = Int.random(in: 0..<60, using: &random)
                    let tags = (0..<Int.random(in: 0...3, using: &random)).map { "tag \($0)" }
                    if Bool.random(using: &random) {
                        try transaction.save(Indexed(id: id, tags: tags, mood: id % 3 == 0 ? nil : "mood \(id % 5)"))
                        try transaction.save(Tagged(id: id, tags: tags))
                        indexed.insert(id)
                        tagged.insert(id)
                    } else {
                        try transaction.delete(Indexed.self, id: id)
                        indexed.remove(id)
                    }
                }
                try check(transaction)
            }
            try store.read { try check($0) }
        }
        // The index of a collection has several entries of an object or one without a value, and tells nothing.
        backend.counts.reset()
        #expect(try store.fetch(Indexed.self).count() == indexed.count)
        #expect(backend.counts[.count] == (engine == .sqlite ? 0 : 1))
        #expect(try store.fetch(Tagged.self).count() == tagged.count)
        #expect(backend.counts[.count] == (engine == .sqlite ? 1 : 2))
        try store.rebuildIndexes(of: Indexed.self)
        #expect(try store.fetch(Indexed.self).count() == indexed.count)
    }
}
