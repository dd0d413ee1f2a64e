import TestSupport
import Testing

@testable import Trove

@Suite struct FieldOptionTests {
    @Model struct Account: Equatable {
        var id: Int
        @Attribute(.writeOnce) var created: String
        @Attribute(.keepIfNil) var phone: String?
        @Attribute(.writeOnce, .keepIfNil) var referrer: [String]?
        var balance: Int
    }

    @Test(arguments: Engine.allCases) func storedValuesAreKept(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Account.self) }
        try fixture.store.save(Account(id: 1, created: "monday", phone: "123", referrer: nil, balance: 1))
        try fixture.store.save(Account(id: 1, created: "tuesday", phone: nil, referrer: ["x"], balance: 2))
        #expect(
            try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "monday", phone: "123", referrer: ["x"], balance: 2))
        try fixture.store.save(Account(id: 1, created: "friday", phone: "456", referrer: nil, balance: 3))
        #expect(
            try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "monday", phone: "456", referrer: ["x"], balance: 3))
        #expect(try fixture.store.verify().isSound)
        // A deleted object takes its values with it.
        try fixture.store.delete(Account.self, id: 1)
        try fixture.store.save(Account(id: 1, created: "sunday", phone: nil, referrer: ["y"], balance: 4))
        #expect(
            try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "sunday", phone: nil, referrer: ["y"], balance: 4))
    }

    /// nil is not written yet: what comes first after it stays, also when nil or another value comes later, and in a context.
    @Test(arguments: Engine.allCases) func aNilIsNotWrittenYet(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Ticket.self, LiveTicket.self) }
        for (seat, kept) in [(nil, nil), ("4A", "4A"), (nil, "4A"), ("5B", "4A")] as [(String?, String?)] {
            try fixture.store.save(Ticket(id: 1, seat: seat))
            #expect(try fixture.store.fetch(Ticket.self, id: 1)?.seat == kept)
            let context = ObjectContext(fixture.store)
            if let ticket = try context.fetch(LiveTicket.self).where({ $0.number == 1 }).first() {
                ticket.seat = seat
            } else {
                try context.insert(LiveTicket(number: 1, seat: seat))
            }
            try context.save()
            #expect(try ObjectContext(fixture.store).fetch(LiveTicket.self).first()?.seat == kept)
        }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Ticket.self, id: 1)?.seat == "4A")
    }

    @Model struct Ticket {
        var id: Int
        @Attribute(.writeOnce) var seat: String?
    }

    @Model final class LiveTicket {
        var number: Int
        @Attribute(.writeOnce) var seat: String?

        init(number: Int, seat: String?) {
            self.number = number
            self.seat = seat
        }
    }

    @Test(arguments: Engine.allCases) func withinOneBatch(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Account.self) }
        try fixture.store.save([
            Account(id: 1, created: "first", phone: "1", referrer: nil, balance: 1),
            Account(id: 1, created: "second", phone: nil, referrer: nil, balance: 2),
        ])
        #expect(try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "first", phone: "1", referrer: nil, balance: 2))
    }
}
