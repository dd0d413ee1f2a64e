import Foundation
import TestSupport
import Testing

@testable import Trove

/// What the catalogue does not tell of a model that a program does not have.
@Suite struct UntoldModelTests {
    fileprivate enum First {
        @Model("Person") struct Person: Equatable {
            let id: Int
            @Attribute(.indexed) var name: String
        }
    }

    fileprivate enum Second {
        @Model("Person") struct Person: Equatable {
            let id: Int
            @Attribute(.indexed) var name: String
            @Attribute(.indexed) var city: String = "Oslo"
        }
    }

    fileprivate enum UniqueSecond {
        @Model("Person") struct Person: Equatable {
            let id: Int
            @Attribute(.indexed) var name: String
            @Attribute(.unique) var number: Int? = nil
        }
    }

    @Model("Line") fileprivate struct Line: Equatable {
        #Index<Line>("half", version: 1) { $0.length / 2 }
        let id: Int
        @Attribute(.indexed) var length: Int
    }

    @Model("Customer") fileprivate struct Customer: CustomDeleteRule, Equatable {
        let id: Int
        var name: String
        func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference] { [] }
    }

    @Model("Shop") fileprivate struct Shop: Equatable {
        let id: Int
        @Relationship(deleteRule: .cascade) var customers: [Reference<Customer>] = []
    }

    private func fixture(_ engine: Engine, _ models: any Model.Type..., fill: (ObjectStore) throws -> Void) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: models) }
        try fill(fixture.store)
        return fixture
    }

    private func states(_ store: ObjectStore) throws -> [String: IndexState] {
        Dictionary(try store.indexStatistics().filter { $0.state != .dropping }.map { ($0.schema.name, $0.state) }, uniquingKeysWith: { first, _ in first })
    }

    /// An index of a property that old records lack is built anew by the program that knows the default; the others are kept.
    @Test(arguments: Engine.allCases) func recordsOfAnotherLayout(engine: Engine) throws {
        let fixture = try fixture(engine, First.Person.self) { try $0.save((1...5).map { First.Person(id: $0, name: "n\($0)") }) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Person.self) }
        try fixture.store.save(Second.Person(id: 6, name: "n6", city: "Rome"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let people = fixture.store.documents(of: "Person")
        #expect(try people.fetch("city = 'Oslo'").count() == 0, "nobody tells the default")
        var sixth = try #require(try people.fetch(id: 6))
        sixth["city"] = "Paris"
        try people.save(sixth)
        #expect(try Set(states(fixture.store).values) == [.ready])
        var first = try #require(try people.fetch(id: 1))
        #expect(first.value == ["name": "n1"])
        first["name"] = "changed"
        try people.save(first)
        #expect(try states(fixture.store) == ["name": .ready, "city": .building(after: nil)])
        first["city"] = "Rome"
        #expect { try people.save(first) } throws: { if case TroveError.invalidProperty("Person", "city", _) = $0 { true } else { false } }
        #expect(try people.delete(id: 2))
        #expect(try fixture.store.verify().isSound)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Person.self) }
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.fetch(Second.Person.self).where { $0.city == "Oslo" }.ids() == [1, 3, 4, 5])
        #expect(try fixture.store.fetch(Second.Person.self).where { $0.name == "changed" }.all() == [.init(id: 1, name: "changed", city: "Oslo")])
        #expect(try fixture.store.fetch(Second.Person.self).where { $0.city == "Paris" }.ids() == [6])
    }

    /// A unique rule that cannot be judged refuses the change.
    @Test(arguments: Engine.allCases) func uniqueRulesOfAnotherLayout(engine: Engine) throws {
        let fixture = try fixture(engine, First.Person.self) { try $0.save((1...3).map { First.Person(id: $0, name: "n\($0)") }) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: UniqueSecond.Person.self) }
        try fixture.store.save(UniqueSecond.Person(id: 4, name: "n4", number: 7))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let people = fixture.store.documents(of: "Person")
        #expect { try people.delete(id: 1) } throws: { if case TroveError.needsModel("Person", _) = $0 { true } else { false } }
        #expect { try people.insert(ModelDocument(["name": "x", "number": 7], id: 9)) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        try people.insert(ModelDocument(["name": "x", "number": 8], id: 9))
        #expect(try people.delete(id: 4))
        #expect(try Set(states(fixture.store).values) == [.ready])
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: UniqueSecond.Person.self) }
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.fetch(UniqueSecond.Person.self).ids() == [1, 2, 3, 9])
    }

    @Test(arguments: Engine.allCases) func derivedIndexesAreBuiltAnew(engine: Engine) throws {
        let fixture = try fixture(engine, Line.self) { try $0.save((1...5).map { Line(id: $0, length: $0) }) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents(of: "Line").save(ModelDocument(["length": 40], id: 1))
        #expect(try fixture.store.indexStatistics().filter { $0.state == .building(after: nil) }.count == 1)
        #expect(try fixture.store.documents(of: "Line").fetch("length > 30").count() == 1)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Line.self) }
        #expect(try fixture.store.verify().isSound)
    }

    /// A function in Swift says what goes with an object, so only its program deletes it, whatever the deletion begins with.
    @Test(arguments: Engine.allCases) func functionsThatSayWhatGoes(engine: Engine) throws {
        let fixture = try fixture(engine, Shop.self) { store in
            try store.save((1...3).map { Customer(id: $0, name: "c\($0)") })
            try store.save([Shop(id: 1, customers: [Reference(id: 1)]), Shop(id: 2)])
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        for (model, id) in [("Customer", 1), ("Shop", 1)] as [(String, StoredValue)] {
            #expect { try fixture.store.documents(of: model).delete(id: id) } throws: { if case TroveError.needsModel("Customer", _) = $0 { true } else { false } }
        }
        #expect(throws: TroveError.self) { try fixture.store.documents(of: "Customer").deleteAll() }
        #expect(try fixture.store.documents(of: "Shop").delete(id: 2))
        try fixture.store.documents(of: "Customer").save(ModelDocument(["name": "new"], id: 2))
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Customer.self).ids() == [1, 2, 3])
        #expect(try fixture.store.delete(Shop.self, id: 1))
        #expect(try fixture.store.fetch(Customer.self).ids() == [2, 3])
    }

    /// Of a store that an earlier version of Trove wrote, nobody knows whether there is such a function, until its program has opened it.
    @Test(arguments: Engine.allCases) func cataloguesThatDoNotTell(engine: Engine) throws {
        let fixture = try fixture(engine, Line.self) { try $0.save((1...2).map { Line(id: $0, length: $0) }) }
        try fixture.store.write { transaction in
            var entry = try #require(try Catalogue.entries(transaction.reader).first { $0.layout.modelName == "Line" })
            entry.hasCustomDeleteRule = nil
            try Catalogue.write(entry, transaction.writer)
        }
        try fixture.reopenStore { try ObjectStore($0, access: .readOnly, models: Line.self) }
        #expect(try fixture.store.fetch(Line.self).count() == 2, "who reads needs no answer")
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        #expect { try fixture.store.documents(of: "Line").delete(id: 1) } throws: { if case TroveError.needsModel("Line", _) = $0 { true } else { false } }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Line.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        #expect(try fixture.store.documents(of: "Line").delete(id: 1))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Line.self) }
        #expect(try fixture.store.verify().isSound)
    }

    /// A program that has a store open sees the models that another one adds to it.
    @Test(arguments: Engine.allCases.filter { $0 != .tokyoCabinet }) func modelsThatComeLater(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        #expect(throws: TroveError.self) { try fixture.store.documents(of: "Shop").count() }
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Shop.self, Line.self)
        try other.save(Line(id: 1, length: 5))
        try fixture.store.documents(of: "Line").save(ModelDocument(["length": 6], id: 2))
        #expect(try fixture.store.documents(of: "Line").fetch("length > 4").count() == 2)
        #expect(try fixture.store.documents(of: "Shop").count() == 0)
        try fixture.store.documents(of: "Shop").insert(ModelDocument(["customers": [1]], id: 1))
        #expect(try other.fetch(Shop.self, id: 1) == Shop(id: 1, customers: [Reference(id: 1)]))
        try other.close()
        #expect(try fixture.store.verify().isSound)
    }
}
