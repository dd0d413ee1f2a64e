import TestSupport
import Testing

@testable import Trove

/// Objects with a case that their enum has no more are stored still, and whoever does not ask for the object reads its other values.
@Suite struct GoneCaseTests {
    enum Kind: String { case x, y }

    enum Before {
        @Model("gone case") struct Entry {
            var id: Int
            var title: String
            var kind: String
        }
    }

    enum Indexed {
        @Model("gone case") struct Entry {
            var id: Int
            @Attribute(.indexed) var title: String
            var kind: Kind
        }
    }

    /// Records of the older layout have no `note`, and `name` under another name.
    enum Renamed {
        @Model("gone case") struct Entry {
            var id: Int
            @Attribute(.indexed, originalName: "title") var name: String
            var kind: Kind
            var note: String?
        }
    }

    enum Derived {
        @Model("gone case") struct Entry {
            #Index<Entry>("initial", version: 1) { String($0.title.prefix(1)) }
            var id: Int
            var kind: Kind
            var title: String
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Before.Entry.self) }
        try fixture.store.save((1...20).map { Before.Entry(id: $0, title: "title \($0)", kind: (9...10).contains($0) ? "zzz" : "x") })
        return fixture
    }

    @Test(arguments: Engine.allCases) func anIndexOfAnotherPropertyIsBuilt(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Indexed.Entry.self) }
        let entries = fixture.store.fetch(Indexed.Entry.self)
        #expect(try entries.where { $0.title == "title 9" }.ids() == [9])
        #expect { try entries.all() } throws: { "\($0)".contains("'zzz'") }
        #expect(try entries.update(\.kind, to: .y) == 20)
        #expect(try entries.where { $0.title == "title 9" }.all().map(\.kind) == [.y])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func soItIsOverRecordsOfAnOlderLayout(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Renamed.Entry.self) }
        let entries = fixture.store.fetch(Renamed.Entry.self)
        #expect(try entries.where { $0.name == "title 9" }.ids() == [9])
        #expect(try entries.where { $0.note == nil }.count() == 20)
        #expect { try entries.all() } throws: {
            if case TroveError.decodingFailed("gone case", "kind", _, let reason) = $0 { reason.contains("'zzz'") && !reason.contains("onRequest") } else { false }
        }
        #expect(try entries.where { $0.name == "title 10" }.update(\.kind, to: .y) == 1)
        #expect(try entries.where { $0.name == "title 10" }.all().map(\.kind) == [.y])
        // Saved over, it leaves its entry.
        try fixture.store.save(Renamed.Entry(id: 9, name: "other", kind: .x, note: nil))
        #expect(try entries.where { $0.name == "title 9" }.count() == 0)
        #expect(try entries.where { $0.name == "other" }.ids() == [9])
        #expect(try entries.all().count == 20)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func anIndexThatNeedsTheObjectSaysHowToOpenTheStore(engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Derived.Entry.self) }
        } throws: {
            "\($0)".contains("gone case.kind of 9 cannot be read") && "\($0)".contains("'zzz'") && "\($0)".contains("indexing: .onRequest")
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: Derived.Entry.self) }
        #expect(try fixture.store.delete(Derived.Entry.self, ids: [9, 10]) == 2)
        try fixture.store.buildIndexes()
        #expect(try fixture.store.fetch(Derived.Entry.self).where { $0.derivedValue("initial", as: String.self) == "t" }.count() == 18)
        #expect(try fixture.store.verify().isSound)
    }
}
