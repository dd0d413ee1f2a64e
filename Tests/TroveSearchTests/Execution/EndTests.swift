import TestSupport
import Testing
import Trove

/// The ends of a query's order: the first that has to be there, and the last.
@Suite struct EndTests {
    @Model struct Entry: Equatable {
        let id: Int
        @Attribute(.indexed) var rank: Int?
        var name: String
    }

    private static let entries = (0..<60).map { Entry(id: $0, rank: $0 % 7 == 0 ? nil : $0 * 11 % 13, name: "n\($0 % 5)") }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Entry.self) }
        try fixture.store.save(entries)
        return fixture
    }

    @Test(arguments: Engine.allCases) func theLastIsThatOfAll(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let all = fixture.store.fetch(Entry.self)
        let queries = [
            all, all.sorted(by: \.rank), all.sorted(by: \.rank, .descending), all.sorted(by: \.name).sorted(by: \.rank, .descending),
            all.where { $0.rank > 5 }, all.where { $0.rank > 5 }.sorted(by: \.name), all.where { $0.rank > 500 }, all.sorted(by: \.rank).limit(7),
            all.sorted(by: \.rank, .descending).offset(50).limit(30), all.offset(60), all.limit(0), all.where { $0.rank == nil }.limit(3),
        ]
        for query in queries {
            let expected = try query.all()
            #expect(try query.last() == expected.last)
            #expect(try fixture.store.read { try $0.fetch(Entry.self).sorted(by: \.name).last() } == all.sorted(by: \.name).all().last)
        }
    }

    /// An attribute named `id` decides nothing: the ids of the documents do.
    @Test(arguments: Engine.allCases) func theLastDocument(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let documents = fixture.store.documents("notes")
        for number in 0..<9 { try documents.save(["kind": .int(Int64(number % 2)), "number": .int(Int64(number)), "id": .int(Int64(100 - number))]) }
        let all = documents.fetch()
        for query in [all, all.sorted(by: "kind"), all.sorted(by: "kind", .descending), all.where { $0["kind"] == 1 }, all.sorted(by: "kind").limit(4)] {
            let expected = try #require(try query.all().last)
            #expect(try query.last()?["number"] == expected["number"])
        }
    }

    @Test(arguments: Engine.allCases) func theFirstHasToBeThere(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let all = fixture.store.fetch(Entry.self)
        #expect(try all.sorted(by: \.id, .descending).requireFirst().id == 59)
        #expect(try all.requireFirst().id == 0)
        let missing = all.where { $0.name == "nobody" }
        #expect { try missing.requireFirst() } throws: { error in
            guard case TroveError.notFound(let query) = error else { return false }
            return query.contains("Entry") && query.contains("nobody")
        }
        try all.delete()
        #expect { try all.requireFirst() } throws: { if case TroveError.notFound("Entry") = $0 { true } else { false } }
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let all = fixture.store.fetch(Entry.self)
        #expect(try await all.requireFirst().id == 0)
        #expect(try await all.last()?.id == 59)
        #expect(try await all.offset(3).limit(4).last()?.id == 6)
        await #expect(throws: TroveError.self) { try await all.where { $0.name == "nobody" }.requireFirst() }
    }
}
