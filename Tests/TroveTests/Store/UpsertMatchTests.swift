import TestSupport
import Testing
import Trove

/// Structs that are stored, or found, by their unique values.
@Suite struct UpsertMatchTests {
    @Model fileprivate struct Piece: Hashable {
        #Unique<Piece>([.ignoringCase(\.artist), .ascending(\.number)])
        @Attribute(.unique) var isrc: String?
        var artist: String
        var number: Int?
        var title = ""
        @Attribute(.writeOnce) var source: String?
        @Attribute(.keepIfNil) var note: String?
    }

    @Model fileprivate struct Named: Hashable {
        #Unique<Named>([\.name], identity: true)
        var name: String
        @Attribute(.unique) var code: Int?
    }

    @Model fileprivate struct Pointer: Hashable {
        let id: Int
        var piece: Reference<Piece>?
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Piece.self, Named.self, Pointer.self) }
    }

    @Test(arguments: Engine.allCases) func theStoredObjectKeepsItsID(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let first = Piece(isrc: "A", artist: "Evans", number: 1, title: "old", source: "s", note: "n")
        try store.save(first)
        try store.save(Pointer(id: 1, piece: Reference(first)))
        #expect(try store.upsert(Piece(isrc: "A", artist: "x", title: "new", source: "t"), matching: .uniqueValues) == .updated)
        let stored = try #require(try store.fetch(Piece.self).first())
        #expect(stored.id == first.id && stored.title == "new" && stored.artist == "x" && stored.source == "s" && stored.note == "n")
        #expect(try store.fetch(Pointer.self, id: 1)?.piece == Reference(stored))
        #expect(try store.upsert(Piece(isrc: "A", artist: "x", title: "new"), matching: .uniqueValues) == .unchanged)
        #expect(try store.upsert(Piece(isrc: "B", artist: "y", number: 2), matching: .uniqueValues) == .inserted)
        // The second index ignores case.
        let other = try store.upsertAndFetch(Piece(artist: "Y", number: 2, title: "z"), matching: .uniqueValues)
        #expect(other.title == "z" && other.isrc == nil)
        #expect(try store.fetch(Piece.self, id: other.id) == other)
        #expect(try store.fetch(Piece.self).where { $0.isrc == "B" }.count() == 0)
        // By ids the values of another object stay an error.
        #expect(throws: TroveError.self) { try store.upsert(Piece(isrc: "A", artist: "q"), matching: .id) }
        #expect(try store.fetch(Piece.self).count() == 2)
    }

    @Model fileprivate struct Scan: Hashable {
        @Attribute(.unique) var text: Lazy<String>
        var title = ""
    }

    /// A value that lies apart from its record is compared as others are.
    @Test(arguments: Engine.allCases) func aLazyUniqueValue(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Scan.self) }
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let texts = ["a", "b"].map { String(repeating: $0, count: 200) }
        try store.save(Scan(text: Lazy(texts[0]), title: "old"))
        #expect(try store.upsert(Scan(text: Lazy(texts[0]), title: "new"), matching: .uniqueValues) == .updated)
        #expect(try store.upsert(Scan(text: Lazy(texts[1])), matching: .uniqueValues) == .inserted)
        #expect(try store.fetchOrInsert(Scan(text: Lazy(texts[0]), title: "newer")).title == "new")
        #expect(throws: TroveError.self) { try store.insert(Scan(text: Lazy(texts[0]))) }
        #expect(try store.fetch(Scan.self).count() == 2)
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatCannotBeOneObject(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let pieces = [Piece(isrc: "A", artist: "a", number: 1), Piece(isrc: "B", artist: "b", number: 2)]
        try store.save(pieces)
        let both = Piece(isrc: "A", artist: "B", number: 2)
        #expect { try store.upsert(both, matching: .uniqueValues) } throws: { error in
            guard case TroveError.ambiguousUpsert("Piece", _, let match, _, let otherMatch) = error else { return false }
            return match != otherMatch && "\(error)".contains("\(pieces[0].id)") && "\(error)".contains("\(pieces[1].id)")
        }
        #expect(throws: TroveError.self) { try store.fetchOrInsert(both) }
        #expect(try Set(store.fetch(Piece.self).all()) == Set(pieces))
        // An id that is made of properties cannot be kept with others.
        try store.save(Named(name: "a", code: 1))
        #expect { try store.upsert(Named(name: "b", code: 1), matching: .uniqueValues) } throws: { error in
            if case TroveError.uniqueViolation("Named", _, _, _, _) = error { true } else { false }
        }
        #expect(try store.upsert(Named(name: "a", code: 2), matching: .uniqueValues) == .updated)
        #expect(try store.fetchOrInsert(Named(name: "b", code: 2)) == Named(name: "a", code: 2))
    }

    fileprivate enum Before {
        @Model("UpsertedWork") struct Work {
            @Attribute(.unique) var code: String
        }
    }

    @Model("UpsertedWork") fileprivate struct Work: Hashable {
        @Attribute(.unique) var code: String
        @Attribute(.writeOnce) var source: String = "none"
    }

    /// The default value of a property that came later was never written.
    @Test(arguments: Engine.allCases) func whatTheStoredRecordLacksIsWrittenOnce(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Before.Work.self) }
        defer { withExtendedLifetime(fixture) {} }
        try fixture.store.save(Before.Work(code: "A"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Work.self) }
        let store = fixture.store
        #expect(try store.upsert(Work(code: "A", source: "first"), matching: .uniqueValues) == .updated)
        #expect(try store.fetch(Work.self).all().map(\.source) == ["first"])
        #expect(try store.upsert(Work(code: "A", source: "second"), matching: .uniqueValues) == .unchanged)
        #expect(try store.fetch(Work.self).all().map(\.source) == ["first"])
    }

    @Test(arguments: Engine.allCases) func manyInOneTransaction(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let pieces = (0..<5).map { Piece(isrc: "\($0 % 3)", artist: "a", title: "\($0)") }
        #expect(try await store.upsert(pieces, matching: .uniqueValues) == [.inserted, .inserted, .inserted, .updated, .updated])
        #expect(try await store.fetch(Piece.self).sorted(by: \.isrc).select(\.title).all() == ["3", "4", "2"])
        let found = try await store.fetchOrInsert((0..<4).map { Piece(isrc: "\($0)", artist: "b", title: "new") })
        #expect(found.map(\.title) == ["3", "4", "2", "new"])
        #expect(try await store.fetchOrInsert(Piece(isrc: "3", artist: "")).title == "new")
        #expect(try await store.upsertAndFetch(found[0]) == found[0])
        // All or none.
        let before = try await store.fetch(Piece.self).all()
        let numbered = [Piece(isrc: "9", artist: "c", number: 1), Piece(isrc: "0", artist: "c", number: 1)]
        await #expect(throws: TroveError.self) { try await store.upsert(numbered, matching: .uniqueValues) }
        #expect(try await store.fetch(Piece.self).all() == before)
        // By ids, two may exchange values.
        var exchanged = [before[0], before[1]]
        (exchanged[0].isrc, exchanged[1].isrc) = (before[1].isrc, before[0].isrc)
        #expect(try await store.upsert(exchanged) == [.updated, .updated])
    }

    /// Against a plain list.
    @Test(arguments: TestShare.trials([1, 2])) func program(engine: Engine, seed: UInt64) throws {
        let fixture = try Self.fixture(engine)
        var random = SeededGenerator(seed: seed)
        var rows: [Piece] = []
        for step in 0..<80 {
            let isrc = random.chance(1, in: 4) ? nil : "s\(Int.random(in: 0..<8, using: &random))"
            let number = random.chance(1, in: 3) ? nil : Int.random(in: 0..<8, using: &random)
            let given = Piece(isrc: isrc, artist: random.chance(1, in: 2) ? "a" : "A", number: number, title: "t\(step)")
            let matches = rows.indices.filter { isrc != nil && rows[$0].isrc == isrc || number != nil && rows[$0].number == number }
            do {
                if random.chance(1, in: 3) {
                    let found = try fixture.store.fetchOrInsert(given)
                    #expect(matches.isEmpty ? found == given : found == rows[matches[0]], "seed \(seed), step \(step)")
                    if matches.isEmpty { rows.append(given) }
                } else {
                    let stored = try fixture.store.upsertAndFetch(given, matching: .uniqueValues)
                    if let place = matches.first {
                        #expect(stored.id == rows[place].id, "seed \(seed), step \(step)")
                        rows[place] = stored
                    } else {
                        rows.append(stored)
                    }
                    #expect(stored.isrc == given.isrc && stored.artist == given.artist && stored.number == given.number && stored.title == given.title)
                }
                #expect(matches.count < 2)
            } catch TroveError.ambiguousUpsert {
                #expect(matches.count == 2, "seed \(seed), step \(step)")
            }
            if random.chance(1, in: 6), let place = rows.indices.randomElement(using: &random) { try fixture.store.delete(rows.remove(at: place)) }
        }
        #expect(try Set(fixture.store.fetch(Piece.self).all()) == Set(rows))
    }
}
