import TestSupport
import Testing
import Trove

/// Documents that a model has adopted, in a program that does not have the model.
@Suite struct AdoptedLayoutTests {
    @Model("parts") fileprivate struct Part: Equatable {
        var id = ObjectID()
        @Attribute(.unique) var code: String
        @Attribute(.indexed) var state: String = "new"
        @Relationship var box: Reference<Box>?
    }

    @Model("Box") fileprivate struct Box {
        let id: Int
        var name = ""
    }

    @Model("marks") fileprivate struct Mark: Equatable {
        var id = ObjectID()
        @Attribute(.unique) var number: Int?
    }

    private static let whole = Document(["code": "c1", "state": "used", "box": 1], className: "Part")
    private static let partial = Document(["code": "c2", "box": 1])

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents("parts").save([Self.whole, Self.partial])
        #expect(try fixture.store.adopt(Part.self, from: "parts").isAdopted)
        try reopen(fixture, [Part.self, Box.self])
        try fixture.store.save([Box(id: 1), Box(id: 2)])
        try reopen(fixture, [])
        return fixture
    }

    private func reopen(_ fixture: StoreFixture, _ models: [any Model.Type]) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: models) }
    }

    @Test(arguments: Engine.allCases) func theyAreFoundAndChangedByTheirNames(engine: Engine) throws {
        let fixture = try fixture(engine)
        let parts = fixture.store.documents(of: "parts")
        #expect(try parts.fetch("code = 'c1'").all().map(\.id) == [.objectID(Self.whole.id)])
        #expect(try parts.fetch().sorted(by: "code", .descending).all().map(\.value) == [["code": "c2", "box": 1], ["code": "c1", "state": "used", "box": 1]])
        #expect(try fixture.store.fetchRecords(of: ["parts"]).matching("state = 'used'").all().map { try $0.value(of: "code") } == ["c1"])
        var part = try #require(try parts.fetch(id: .objectID(Self.whole.id)))
        part["code"] = "c3"
        try parts.save(part)
        part["code"] = "c2"
        #expect { try parts.save(part) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        part["code"] = 7
        #expect { try parts.save(part) } throws: { if case TroveError.invalidProperty("parts", "code", _) = $0 { true } else { false } }
        part["code"] = "c3"
        part["mood"] = "blue"
        #expect { try parts.save(part) } throws: { if case TroveError.invalidProperty("parts", "mood", _) = $0 { true } else { false } }
        var other = try #require(try parts.fetch(id: .objectID(Self.partial.id)))
        other["code"] = "c4"
        // Nobody tells its state, but what it lacked it lacks still.
        try parts.save(other)
        #expect(try fixture.store.verify().isSound)
        try reopen(fixture, [Part.self, Box.self])
        let store = fixture.store
        #expect(try store.verify().isSound)
        #expect(try store.fetch(Part.self).where { $0.code == "c3" }.all() == [Part(id: Self.whole.id, code: "c3", state: "used", box: Reference(id: 1))])
        #expect(try store.fetch(Part.self).where { $0.state == "new" }.all() == [Part(id: Self.partial.id, code: "c4", box: Reference(id: 1))])
        #expect(try store.fetch(Part.self).where { $0.code == "c1" || $0.code == "c2" }.count() == 0)
    }

    @Test(arguments: Engine.allCases) func deletedOnesLeaveNothing(engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try fixture.store.documents(of: "parts").delete(id: .objectID(Self.whole.id)))
        #expect(try fixture.store.documents(of: "parts").delete(id: .objectID(Self.partial.id)))
        try reopen(fixture, [Part.self, Box.self])
        #expect(try fixture.store.fetch(Part.self).where { $0.code == "c1" }.count() == 0 && fixture.store.verify().isSound)
        try fixture.store.save(Part(code: "c1"))
    }

    @Test(arguments: Engine.allCases) func referencesInThemAreTakenOut(engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try fixture.store.documents(of: "Box").delete(id: 1))
        try reopen(fixture, [Part.self, Box.self])
        #expect(try fixture.store.fetch(Part.self).sorted(by: \.code).all().map(\.box) == [nil, nil])
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
    }

    /// What a document lacks its model alone tells, so nothing judges it.
    @Test(arguments: Engine.allCases) func uniqueValuesThatTheyLack(engine: Engine) throws {
        let (with, without) = (Document(["number": 1]), Document([:]))
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents("marks").save([with, without])
        #expect(try fixture.store.adopt(Mark.self, from: "marks").isAdopted)
        try reopen(fixture, [Mark.self])
        try reopen(fixture, [])
        let marks = fixture.store.documents(of: "marks")
        #expect { try marks.delete(id: .objectID(without.id)) } throws: { if case TroveError.needsModel("marks", _) = $0 { true } else { false } }
        #expect(try marks.delete(id: .objectID(with.id)))
        try reopen(fixture, [Mark.self])
        #expect(try fixture.store.fetch(Mark.self).all() == [Mark(id: without.id, number: nil)] && fixture.store.verify().isSound)
    }
}
