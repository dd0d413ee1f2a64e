import Foundation
import TestSupport
import Testing

@testable import Trove

/// `$id` is the id in criteria of models too, as answers show it, and a property of that name stays one.
@Suite struct IDNameTests {
    @Model("Disc") fileprivate struct Disc: Equatable {
        let id: String
        var year: Int
    }

    @Model("Cut") fileprivate struct Cut: Equatable {
        var id: Int
        var title: String
        @Relationship var disc: Reference<Disc>?
        @Relationship var others: [Reference<Disc>] = []
    }

    @Model("Chair") fileprivate struct Chair: Equatable {
        #Unique<Chair>([\.row, \.number], identity: true)
        let row: String
        let number: Int
    }

    /// A property with the name that ids have in answers, as only a declaration by hand can have.
    fileprivate struct Odd: Model, Equatable {
        var id: Int
        var name: String

        static let schema = ModelSchema("Odd", fields: [FieldSchema("$id", \Odd.name)])

        func encode(into record: inout RecordEncoder) throws { try record.encode(name) }

        init(from record: inout RecordDecoder) throws {
            name = try record.decode()
            id = try record.decodeID()
        }

        init(id: Int, name: String) { (self.id, self.name) = (id, name) }
    }

    private func withStores(_ engine: Engine, _ body: (ObjectStore) throws -> Void) throws {
        for knowsModels in [true, false] {
            let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Disc.self, Cut.self, Chair.self) }
            try fixture.store.save([Disc(id: "a", year: 1), Disc(id: "b", year: 2)])
            try fixture.store.save((1...200).map { Cut(id: $0, title: "t\($0 % 7)", disc: Reference(id: $0 % 2 == 0 ? "a" : "b"), others: $0 == 9 ? [Reference(id: "a")] : []) })
            try fixture.store.save([Chair(row: "A", number: 1), Chair(row: "A", number: 2)])
            if !knowsModels { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) } }
            try body(fixture.store)
        }
    }

    @Test(arguments: Engine.allCases) func theIDHasBothNames(engine: Engine) throws {
        try withStores(engine) { store in
            let cuts = store.documents(of: "Cut")
            for text in [
                "ID = 7", "ID in (3, 5, 900)", "ID between 10 and 12", "ID > 190 and title = 't3'", "not ID < 195", "ID = 4 or title = 't0'", "disc.ID = 'a' and ID < 9", "any others = 'a'", "any others (ID = 'a')",
                "any others (object.ID = 9)", "true order by ID desc limit 3", "true order by title desc, ID desc limit 5", "title = 't1' order by title, ID desc", "ID is nil", "ID is not nil and ID <= 2", "disc.ID is nil",
            ] {
                let (short, long) = (text.replacing("ID", with: "id"), text.replacing("ID", with: "$id"))
                let expected = try cuts.fetch(short).all()
                #expect(try cuts.fetch(long).all() == expected, "\(text)")
                #expect(try cuts.fetch(long).count() == expected.count, "\(text)")
                #expect(try store.fetchRecords(of: ["Cut"]).matching(long).references() == cuts.fetch(short).references(), "\(text)")
                #expect(try cuts.fetch(long).page(2).objects == Array(expected.prefix(2)), "\(text)")
                // One is answered as the other is: by look-ups and ranges of ids.
                let plans = try [short, long].map { text in try cuts.fetch(text).explain().map { "\($0)".replacing("$id", with: "id") } }
                #expect(plans[0] == plans[1], "\(text)")
            }
            let plan = try cuts.fetch("$id = 7").explain()[0]
            #expect("\(plan)".contains("look up 1 id"), "\(plan)")
            #expect(try store.documents(of: "Chair").fetch("$id is not nil order by $id desc").all().map(\.id) == [["A", 2], ["A", 1]])
            #expect { try cuts.fetch("$id.x = 1").all() } throws: { "\($0)".contains("parts of the id") }
        }
    }

    @Test(arguments: Engine.allCases) func typedFetchesHaveItToo(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Disc.self, Odd.self) }
        try fixture.store.save([Disc(id: "a", year: 1), Disc(id: "b", year: 2)])
        #expect(try fixture.store.fetch(Disc.self).matching("$id = ?", "b").all() == [Disc(id: "b", year: 2)])
        #expect(try fixture.store.fetch(Disc.self).matching("true order by $id desc").first()?.id == "b")
        // A property of the name is what the name means.
        try fixture.store.save([Odd(id: 1, name: "z"), Odd(id: 2, name: "y")])
        #expect(try fixture.store.fetch(Odd.self).matching("$id = 'y'").all() == [Odd(id: 2, name: "y")])
        #expect(try fixture.store.fetch(Odd.self).matching("id = 1 order by $id").all() == [Odd(id: 1, name: "z")])
        #expect(try fixture.store.fetch(Odd.self).matching("true order by $id").all().map(\.id) == [2, 1])
        #expect(try fixture.store.documents(of: "Odd").fetch("$id = 'y'").all().map(\.id) == [2])
        // Documents have an id and may have an attribute of either name.
        let notes = fixture.store.documents("notes")
        let note = Document(["id": 5, "$id": 6])
        try notes.save(note)
        #expect(try notes.fetch("$id = ?", note.id).count() == 1 && notes.fetch("id = 5").count() == 1 && notes.fetch("$.$id = 6").count() == 1)
    }
}
