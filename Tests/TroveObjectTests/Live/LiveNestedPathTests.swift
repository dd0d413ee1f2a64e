import TestSupport
import Testing
import Trove

/// Key paths into the values of a class, whose properties have accessors, name what those of a struct name.
@Suite struct LiveNestedPathTests {
    struct Address: Codable, Hashable, Sendable {
        var city: String
        var street: Street?
        var number = 1
    }

    struct Street: Codable, Hashable, Sendable {
        var name: String
    }

    @Model final class House {
        #Index<House>([\.home.number])
        #Index<House>([\.former?.city])
        #Unique<House>([\.home.city, \.home.number])
        #FullText<House>([\.home.city])
        #Substring<House>(\.home.street?.name)

        let id: Int
        var home: Address
        var former: Address?

        init(id: Int, home: Address, former: Address? = nil) {
            (self.id, self.home, self.former) = (id, home, former)
        }
    }

    @Test(arguments: Engine.allCases) func theyAreIndexedSortedAndTold(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: House.self) }
        let context = ObjectContext(fixture.store)
        try context.insert([
            House(id: 1, home: Address(city: "Paris", street: Street(name: "Rue Lepic"), number: 3)),
            House(id: 2, home: Address(city: "Rome", number: 2), former: Address(city: "Oslo")),
            House(id: 3, home: Address(city: "Paris", number: 1)),
        ])
        try context.save()
        try fixture.store.createIndex("own", on: House.self, \.former?.number)
        #expect(try Set(fixture.store.indexStatistics().map(\.schema.name)).isSuperset(of: ["home.number", "former.city", "own"]))
        #expect(try context.fetch(House.self).sorted(by: \.home.number).all().map(\.id) == [3, 2, 1])
        #expect(try context.fetch(House.self).distinct(\.home.city).sorted() == ["Paris", "Rome"])
        #expect(try context.fetch(House.self).search("paris").count == 2)
        #expect(try context.fetch(House.self).where { $0.home.street.name.contains("Lepic") }.all().map(\.id) == [1])
        #expect(try context.fetch(House.self).where { $0.former.city == "Oslo" }.all().map(\.id) == [2])
        try context.insert(House(id: 4, home: Address(city: "Rome", number: 2)))
        #expect { try context.save() } throws: { error in
            if case TroveError.uniqueViolation = error { true } else { false }
        }
        #expect(try fixture.store.verify().isSound)
    }
}
