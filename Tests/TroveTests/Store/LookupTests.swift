import TestSupport
import Testing
import Trove

/// Look-ups over several models, upserts that say what they did, and objects that get another id.
@Suite struct LookupTests {
    @Model struct Author: Equatable {
        #Unique<Author>([\.name], identity: true)
        var name: String
        var year: Int
        @Attribute(.unique) var number: Int
        var friend: Reference<Author>?
    }

    @Model struct Work: Equatable {
        let id: Int
        var author: Reference<Author>?
        var others: [Reference<Author>] = []
        var byRole: [String: Reference<Author>] = [:]
        var about: AnyReference?
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Author.self, Work.self) }
    }

    @Test(arguments: Engine.allCases) func referencesOfSeveralModels(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let authors = ["a", "b"].enumerated().map { Author(name: $0.element, year: 1900, number: $0.offset) }
        try fixture.store.save(authors)
        try fixture.store.save([Work(id: 1), Work(id: 2)])
        let references = [
            AnyReference(Work.self, id: 2), AnyReference(authors[1]), AnyReference(Work.self, id: 9), AnyReference(Author.self, id: "a"),
            AnyReference(Work.self, id: 2),
        ]
        let expected = ["2", "b", "a", "2"]
        func names(_ objects: [any Model]) -> [String] { objects.map { ($0 as? Author)?.name ?? ($0 as? Work).map { "\($0.id)" } ?? "?" } }
        #expect(names(try fixture.store.fetch(references: references)) == expected)
        #expect(names(try fixture.store.read { try $0.fetch(references: references) }) == expected)
        #expect { try fixture.store.fetch(references: [AnyReference(modelName: "Other", keyBytes: [1])]) } throws: { error in
            if case TroveError.unknownModel("Other") = error { true } else { false }
        }
        #expect(try fixture.store.counts() == ["Author": 2, "Work": 2])
        // A program that has one of the models only.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Author.self) }
        #expect(try fixture.store.counts() == ["Author": 2, "Work": 2])
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let author = Author(name: "a", year: 1900, number: 1)
        #expect(try await fixture.store.upsert(author) == .inserted)
        #expect(try await fixture.store.fetch(references: [AnyReference(Work.self, id: 9), AnyReference(author)]).map { $0 as? Author } == [author])
        #expect(try await fixture.store.counts() == ["Author": 1, "Work": 0])
        try await fixture.store.rekey(Author.self, from: "a", to: Author(name: "b", year: 1900, number: 1))
        #expect(try await fixture.store.fetch(Author.self).ids() == ["b"])
    }

    @Test(arguments: Engine.allCases) func anUpsertSaysWhatItDid(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        var author = Author(name: "a", year: 1900, number: 1)
        #expect(try fixture.store.upsert(author) == .inserted)
        #expect(try fixture.store.upsert(author) == .unchanged)
        author.year = 1901
        #expect(try fixture.store.upsert(author) == .updated)
        #expect(try fixture.store.upsert(author) == .unchanged)
        #expect(try fixture.store.fetch(Author.self).all() == [author])
        #expect(throws: TroveError.self) { try fixture.store.upsert(Author(name: "b", year: 1, number: 1)) }
        #expect(try fixture.store.fetch(Author.self).count() == 1)
    }

    @Test(arguments: Engine.allCases) func referencesFollowANewID(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let old = Reference<Author>(id: "old")
        let (new, other) = (Reference<Author>(id: "new"), Reference<Author>(id: "other"))
        try store.save([
            Author(name: "old", year: 1900, number: 1, friend: old), Author(name: "other", year: 1901, number: 2, friend: old),
        ])
        try store.save([
            Work(id: 1, author: old, others: [other, old, other], byRole: ["x": old, "y": other], about: AnyReference(old)),
            Work(id: 2, author: other, others: [other], about: AnyReference(other)),
        ])
        let bag = Bag(named: "favourites", in: store)
        bag.add(Author(name: "old", year: 1900, number: 1, friend: old))
        try bag.save()
        try store.rekey(Author.self, from: "old", to: Author(name: "new", year: 1900, number: 1, friend: old))
        #expect(
            try store.fetch(Author.self).all() == [
                Author(name: "new", year: 1900, number: 1, friend: new), Author(name: "other", year: 1901, number: 2, friend: new),
            ])
        #expect(
            try store.fetch(Work.self).all() == [
                Work(id: 1, author: new, others: [other, new, other], byRole: ["x": new, "y": other], about: AnyReference(new)),
                Work(id: 2, author: other, others: [other], about: AnyReference(other)),
            ])
        #expect(try store.bag(named: "favourites")?.members == [AnyReference(new)])
        #expect(try store.referenceCount(of: old) == 0)
        #expect(try store.verify().isSound)
        #expect { try store.rekey(Author.self, from: "nobody", to: Author(name: "x", year: 1, number: 9)) } throws: { error in
            if case TroveError.notFound = error { true } else { false }
        }
        #expect { try store.rekey(Author.self, from: "new", to: Author(name: "other", year: 1, number: 1)) } throws: { error in
            if case TroveError.alreadyExists = error { true } else { false }
        }
        #expect(try store.fetch(Author.self).ids() == ["new", "other"])
        #expect(try store.verify().isSound)
    }

    /// One text in other scalars is another id.
    @Test(arguments: Engine.allCases) func aNewIDInOtherScalars(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let (decomposed, composed) = ("e\u{301}", "\u{E9}")
        let old = Reference<Author>(id: decomposed)
        try store.save(Author(name: decomposed, year: 1900, number: 1))
        try store.save(Work(id: 1, author: old, others: [old]))
        try store.rekey(Author.self, from: decomposed, to: Author(name: composed, year: 1901, number: 1))
        #expect(try store.fetch(Author.self).ids().map { Array($0.utf8) } == [Array(composed.utf8)])
        let work = try #require(try store.fetch(Work.self, id: 1))
        #expect(([work.author].compactMap(\.self) + work.others).map { Array($0.id.utf8) } == [Array(composed.utf8), Array(composed.utf8)])
        #expect(try store.verify().isSound && store.danglingReferences().isEmpty)
    }
}
