import TestSupport
import Testing

@testable import Trove

/// A store knows the parts of composite ids, and refuses models that would read them otherwise.
@Suite struct CompositeIDTests {
    enum First {
        @Model("edition") struct Edition: Equatable {
            #Unique<Edition>([\.work, \.place, \.year], identity: true)
            var work: String
            var place: String
            var year: Int?
        }
    }

    enum Changed {
        @Model("edition") struct Reordered {
            #Unique<Reordered>([\.place, \.work, \.year], identity: true)
            var work: String
            var place: String
            var year: Int?
        }
        @Model("edition") struct Shortened {
            #Unique<Shortened>([\.work, \.place], identity: true)
            var work: String
            var place: String
        }
        @Model("edition") struct Retyped {
            #Unique<Retyped>([\.work, \.place, \.year], identity: true)
            var work: String
            var place: String
            var year: Double?
        }
        @Model("edition") struct Renamed {
            #Unique<Renamed>([\.work, \.city, \.year], identity: true)
            var work: String
            @Attribute(originalName: "place") var city: String
            var year: Int?
        }
    }

    struct HandwrittenID: StorableKey {
        var work: String
        var place: String
        var year: Int?

        func encode(into key: inout KeyEncoder) {
            work.encode(into: &key)
            place.encode(into: &key)
            year.encode(into: &key)
        }

        init(from key: inout KeyDecoder) throws {
            work = try String(from: &key)
            place = try String(from: &key)
            year = try Int?(from: &key)
        }
    }

    @Model("edition") struct Handwritten {
        let id: HandwrittenID
        var work: String
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Edition.self) }
        try fixture.store.save(First.Edition(work: "Don Quixote", place: "Madrid", year: 1605))
        return fixture
    }

    private func expectRefusal<M: Model>(_ fixture: StoreFixture, _ model: M.Type, declaring parts: String) throws {
        #expect {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: model) }
        } throws: { error in
            guard case TroveError.idTypeChanged("edition", let stored, let declared) = error else { return false }
            return stored == "(work: String, place: String, year: Int64?)" && declared == parts
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: First.Edition.self) }
    }

    @Test(arguments: Engine.allCases) func otherPartsAreRefused(engine: Engine) throws {
        let fixture = try fixture(engine)
        try expectRefusal(fixture, Changed.Reordered.self, declaring: "(place: String, work: String, year: Int64?)")
        try expectRefusal(fixture, Changed.Shortened.self, declaring: "(work: String, place: String)")
        try expectRefusal(fixture, Changed.Retyped.self, declaring: "(work: String, place: String, year: Double?)")
        #expect(try fixture.store.fetch(First.Edition.self).count() == 1)
    }

    @Test(arguments: Engine.allCases) func partsMayBeRenamedOrUntold(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Changed.Renamed.self) }
        #expect(try fixture.store.fetch(Changed.Renamed.self, id: .init(work: "Don Quixote", city: "Madrid", year: 1605))?.city == "Madrid")
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Handwritten.self) }
        #expect(try fixture.store.fetch(Handwritten.self).all().map(\.id.place) == ["Madrid"])
    }

    @Test(arguments: Engine.allCases) func conditionsCompareThem(engine: Engine) throws {
        let fixture = try fixture(engine)
        let years: [Int?] = [nil, 1700, 1800]
        try fixture.store.save(years.map { First.Edition(work: "Faust", place: "Leipzig", year: $0) })
        let editions = fixture.store.fetch(First.Edition.self)
        let ids = [First.Edition.ID(work: "Faust", place: "Leipzig", year: 1800), .init(work: "Faust", place: "Leipzig", year: nil), .init(work: "", place: "", year: 1)]
        #expect(try editions.where { $0.id.isIn(ids) }.all().map(\.year) == [nil, 1800])
        #expect(try editions.where { $0.id.isIn([First.Edition.ID]()) }.count() == 0)
        #expect(try editions.where { $0.id == ids[0] }.all().map(\.year) == [1800])
        #expect(try editions.where { $0.id != ids[0] }.count() == 3)
        #expect(try editions.where { $0.id == ids[0] && $0.work == "Don Quixote" }.count() == 0)
        #expect { try editions.where { $0.id < ids[0] }.count() } throws: { "\($0)".contains("fetch by id") }
        #expect(try editions.where { $0.id.isIn(ids) }.delete() == 2)
        #expect(try editions.ids().map(\.year) == [1605, 1700])
    }

    @Test func catalogueEntries() throws {
        let layout = RecordLayout(number: 7, modelName: "edition", version: 1, fields: [("work", .string)])
        let entry = LayoutEntry(layout, id: IDSchema(First.Edition.ID.self), attributes: [FieldAttributes(FieldSchema("work", type: .string))])
        let read = try LayoutEntry(entry.encode(), name: LayoutEntry.name(7))
        #expect(read.id == entry.id)
        #expect(read.id.description == "(work: String, place: String, year: Int64?)")
        #expect(IDSchema(String.self) == IDSchema(type: "String", parts: []))
    }
}
