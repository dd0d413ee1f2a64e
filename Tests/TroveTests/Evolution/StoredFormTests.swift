import TestSupport
import Testing

@testable import Trove

/// Values that their types read otherwise than they were stored. Conditions and indexes look at what is stored, whichever layout a record has.
@Suite struct StoredFormTests {
    /// Of a text that it does not know it makes another one.
    struct Status: StorableConvertible, Hashable {
        let storedForm: String

        init(_ text: String) { storedForm = text }

        init?(storedForm: String) { self.storedForm = ["open", "done"].contains(storedForm) ? storedForm : "other" }
    }

    enum First {
        struct Place: Codable, Equatable {
            var city: String
        }
        @Model("stored form") struct Ticket {
            #Index<Ticket>([\.status], aggregates: [.count, .sum(\.number)])
            var id: Int
            var number = 1
            var status: String
            var place: Place
        }
    }

    /// The same layout, in which nested values lack what they have by default.
    enum Second {
        struct Place: Codable, Equatable {
            var city: String
            var zip = "0000"

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                city = try values.decode(String.self, forKey: .city)
                zip = try values.decodeIfPresent(String.self, forKey: .zip) ?? "0000"
            }
        }
        @Model("stored form") struct Ticket {
            #Index<Ticket>([\.status], aggregates: [.count, .sum(\.number)])
            #Index<Ticket>([\.place.zip])
            var id: Int
            var number = 1
            var status: Status
            var place: Place
        }
    }

    /// A layout of which the older records tell all.
    enum WithNil {
        typealias Place = Second.Place
        @Model("stored form") struct Ticket {
            #Index<Ticket>([\.status], aggregates: [.count, .sum(\.number)])
            #Index<Ticket>([\.place.zip])
            var id: Int
            var number = 1
            var status: Status
            var place: Place
            var note: String?
        }
    }

    /// And one of which they lack a value.
    enum WithDefault {
        typealias Place = Second.Place
        @Model("stored form") struct Ticket {
            #Index<Ticket>([\.status], aggregates: [.count, .sum(\.number)])
            #Index<Ticket>([\.place.zip])
            var id: Int
            var number = 1
            var status: Status
            var place: Place
            @Attribute(.indexed) var note: String? = "none"
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Ticket.self) }
        try fixture.store.save((0..<6).map { First.Ticket(id: $0, status: "legacy", place: First.Place(city: "Rome")) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Ticket.self) }
        let tickets = fixture.store.fetch(Second.Ticket.self)
        #expect(try tickets.where { $0.status == Status("legacy") }.count() == 6)
        #expect(try tickets.where { $0.place.zip == "0000" }.count() == 0)
        #expect(try tickets.all().allSatisfy { $0.status == Status("other") && $0.place.zip == "0000" })
        return fixture
    }

    @Test(arguments: Engine.allCases) func anOlderRecordIsSoughtByWhatIsStored(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: WithNil.Ticket.self) }
        let tickets = fixture.store.fetch(WithNil.Ticket.self)
        #expect(try fixture.store.verify().isSound)
        // By the index, and by the records.
        #expect(try tickets.where { $0.status == Status("legacy") }.ids() == [0, 1, 2, 3, 4, 5])
        #expect(try tickets.where { $0.status == Status("legacy") && $0.note == nil }.count() == 6)
        #expect(try tickets.where { $0.place.zip == "0000" }.count() == 0)
        #expect(try tickets.all().allSatisfy { $0.status == Status("other") && $0.place.zip == "0000" })
        try fixture.store.delete(WithNil.Ticket.self, id: 0)
        #expect(try tickets.where { $0.id == 1 }.update(\.note, to: "changed") == 1)
        try fixture.store.save(try #require(try fixture.store.fetch(WithNil.Ticket.self, id: 2)))
        #expect(try tickets.where { $0.status == Status("legacy") }.ids() == [1, 3, 4, 5])
        #expect(try tickets.where { $0.status == Status("legacy") }.sum(\.number) == 4)
        #expect(try tickets.where { $0.status == Status("other") }.ids() == [2])
        #expect(try tickets.where { $0.place.zip == "0000" }.ids() == [2])
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.upgrade(WithNil.Ticket.self) == 3)
        #expect(try tickets.where { $0.status == Status("legacy") }.ids() == [1])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func alsoWhereItLacksAValue(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: WithDefault.Ticket.self) }
        let tickets = fixture.store.fetch(WithDefault.Ticket.self)
        #expect(try fixture.store.verify().isSound)
        #expect(try tickets.where { $0.note == "none" }.count() == 6)
        #expect(try tickets.where { $0.status == Status("legacy") && $0.note == "none" }.count() == 6)
        #expect(try tickets.where { $0.place.zip == "0000" }.count() == 0)
        try fixture.store.delete(WithDefault.Ticket.self, id: 0)
        try fixture.store.save(try #require(try fixture.store.fetch(WithDefault.Ticket.self, id: 2)))
        #expect(try tickets.where { $0.status == Status("legacy") }.ids() == [1, 3, 4, 5])
        #expect(try tickets.where { $0.status == Status("other") }.ids() == [2])
        #expect(try tickets.where { $0.note == "none" }.count() == 5)
        #expect(try fixture.store.verify().isSound)
    }
}
