import Foundation
import TestSupport
import Testing

@testable import Trove

/// Properties that were added with one default and have another by now: objects that were not saved since show the new one, and so have indexes to.
@Suite struct ChangedDefaultTests {
    enum Old {
        @Model("Rating") struct Rating {
            var id: Int
            var place: String
        }
    }

    enum Three {
        @Model("Rating") struct Rating {
            #Index<Rating>([\.place, \.weight], aggregates: [.count, .sum(\.weight)])
            var id: Int
            var place: String
            @Attribute(.indexed) var stars = 3
            @Attribute(.fullText, .substring) var note = "three"
            @Attribute(.indexed) var tags: [String] = ["three"]
            var weight = 3
        }
    }

    enum Five {
        @Model("Rating") struct Rating {
            #Index<Rating>([\.place, \.weight], aggregates: [.count, .sum(\.weight)])
            var id: Int
            var place: String
            @Attribute(.indexed) var stars = 5
            @Attribute(.fullText, .substring) var note = "five"
            @Attribute(.indexed) var tags: [String] = ["five"]
            var weight = 5
        }
    }

    enum Unset {
        @Model("Rating") struct Rating {
            #Index<Rating>([\.place, \.weight], aggregates: [.count, .sum(\.weight)])
            var id: Int
            var place: String
            @Attribute(.indexed) var stars: Int?
            @Attribute(.fullText, .substring) var note: String?
            @Attribute(.indexed) var tags: [String] = []
            var weight: Int? = nil
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Old.Rating.self) }
        try fixture.store.save((0..<4).map { Old.Rating(id: $0, place: "here") })
        return fixture
    }

    private func expectThree(_ fixture: StoreFixture) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Three.Rating.self) }
        let ratings = fixture.store.fetch(Three.Rating.self)
        #expect(try ratings.where { $0.stars == 3 }.count() == 4)
        #expect(try ratings.where { $0.note.hasWords("three") }.count() == 4)
        #expect(try ratings.where { $0.note.contains("hre") }.count() == 4)
        #expect(try ratings.where { $0.tags.contains("three") }.count() == 4)
        #expect(try ratings.where { $0.place == "here" }.sum(\.weight) == 12)
        #expect(try fixture.store.verify().isSound)
    }

    private func expectFive(_ fixture: StoreFixture, count: Int = 4) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Five.Rating.self) }
        let ratings = fixture.store.fetch(Five.Rating.self)
        #expect(try ratings.where { $0.stars == 3 }.count() == 4 - count)
        #expect(try ratings.where { $0.stars == 5 }.count() == count)
        #expect(try ratings.where { $0.note.hasWords("five") }.count() == count)
        #expect(try ratings.where { $0.note.contains("iv") }.count() == count)
        #expect(try ratings.where { $0.tags.contains("five") }.count() == count)
        #expect(try ratings.where { $0.place == "here" }.sum(\.weight) == count * 5 + (4 - count) * 3)
        #expect(try ratings.where { $0.place == "here" }.select(\.weight).all().filter { $0 == 5 }.count == count)
        #expect(try fixture.store.verify().isSound)
    }

    private func expectUnset(_ fixture: StoreFixture) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Unset.Rating.self) }
        let ratings = fixture.store.fetch(Unset.Rating.self)
        #expect(try ratings.where { $0.stars == nil }.count() == 4)
        #expect(try ratings.where { $0.note.hasWords("three") }.count() == 0)
        #expect(try ratings.where { $0.weight != nil }.count() == 0)
        #expect(try ratings.where { $0.place == "here" }.sum(\.weight) == 0)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func indexesHaveTheDefaultThatIsRead(engine: Engine) throws {
        let fixture = try fixture(engine)
        try expectThree(fixture)
        try expectFive(fixture)
        try expectThree(fixture)
        try expectUnset(fixture)
        try expectFive(fixture)
    }

    // What was stored with the former default has it for good.
    @Test(arguments: Engine.allCases) func storedValuesStay(engine: Engine) throws {
        let fixture = try fixture(engine)
        try expectThree(fixture)
        let rating = try #require(try fixture.store.fetch(Three.Rating.self, id: 2))
        try fixture.store.save(rating)
        try expectFive(fixture, count: 3)
    }

    // Where no record lacks the property, another default is no reason to build anything.
    @Test(arguments: Engine.allCases) func indexesStayWhereNothingIsMissing(engine: Engine) throws {
        let fixture = try fixture(engine)
        try expectThree(fixture)
        #expect(try fixture.store.upgrade(Three.Rating.self) == 4)
        func numbers() throws -> [Int] { try fixture.store.read { try $0.indexTable.entries.map(\.number) } }
        let before = try numbers()
        try expectFive(fixture, count: 0)
        #expect(try numbers() == before)
    }

    /// Records that lack the property come back with an export, after the program has taken the index over.
    @Test(arguments: Engine.allCases) func anImportOfOlderRecordsFindsTheDefault(engine: Engine) throws {
        let fixture = try fixture(engine)
        let exported = try fixture.store.exportedText()
        try expectThree(fixture)
        #expect(try fixture.store.upgrade(Three.Rating.self) == 4)
        try expectFive(fixture, count: 0)
        try fixture.store.deleteAll(Five.Rating.self)
        try fixture.store.importJSON(Data(exported.utf8))
        #expect(try fixture.store.fetch(Five.Rating.self).where { $0.stars == 5 }.count() == 4)
        #expect(try fixture.store.read { try $0.indexTable.entries.allSatisfy { $0.state == .ready } })
        try fixture.store.save(Five.Rating(id: 9, place: "there"))
        #expect(try fixture.store.fetch(Five.Rating.self).where { $0.stars == 5 }.count() == 5)
        #expect(try fixture.store.verify().isSound)
    }

    /// Where nothing may be written, the index of another program's default is left out.
    @Test(arguments: Engine.persistent) func aStoreThatIsOnlyRead(engine: Engine) throws {
        let fixture = try fixture(engine)
        try expectThree(fixture)
        try fixture.reopenStore { try ObjectStore($0, access: .readOnly, models: Five.Rating.self) }
        #expect(try fixture.store.fetch(Five.Rating.self).where { $0.stars == 5 }.count() == 4)
        #expect(try fixture.store.fetch(Five.Rating.self).where { $0.stars == 3 }.count() == 0)
    }

    @Test(arguments: Engine.allCases) func indexesMadeAtRunTimeAreBuiltAnew(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Three.Rating.self) }
        try fixture.store.createIndex("by weight", on: Three.Rating.self, \.weight)
        #expect(try fixture.store.fetch(Three.Rating.self).where { $0.weight == 3 }.count() == 4)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Five.Rating.self) }
        #expect(try fixture.store.fetch(Five.Rating.self).where { $0.weight == 5 }.count() == 4)
        #expect(try fixture.store.verify().isSound)
    }

    enum Seven {
        @Model("Rating") struct Rating {
            var id: Int
            var place: String
            var stars = 7
        }
    }

    // The one with the other default neither reads the index nor leaves entries of its own in it.
    @Test(arguments: Engine.allCases.filter { $0 != .tokyoCabinet }) func twoProgramsAtOnce(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Seven.Rating.self) }
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Unset.Rating.self)
        defer { try? other.close() }
        #expect(try other.fetch(Unset.Rating.self).where { $0.stars == nil }.count() == 4)
        #expect(try fixture.store.fetch(Seven.Rating.self).where { $0.stars == 7 }.count() == 4)
        #expect(try fixture.store.verify().isSound)
        try fixture.store.save(Seven.Rating(id: 0, place: "here"))
        #expect(try other.fetch(Unset.Rating.self).where { $0.stars == nil }.ids() == [1, 2, 3])
        #expect(try other.fetch(Unset.Rating.self).where { $0.stars == 7 }.ids() == [0])
        #expect(try fixture.store.fetch(Seven.Rating.self).where { $0.stars == 7 }.count() == 4)
        #expect(try other.verify().isSound)
    }
}
