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
            try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "monday", phone: "123", referrer: nil, balance: 2))
        try fixture.store.save(Account(id: 1, created: "friday", phone: "456", referrer: nil, balance: 3))
        #expect(
            try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "monday", phone: "456", referrer: nil, balance: 3))
        #expect(try fixture.store.verify().isSound)
        // A deleted object takes its values with it.
        try fixture.store.delete(Account.self, id: 1)
        try fixture.store.save(Account(id: 1, created: "sunday", phone: nil, referrer: ["y"], balance: 4))
        #expect(
            try fixture.store.fetch(Account.self, id: 1) == Account(id: 1, created: "sunday", phone: nil, referrer: ["y"], balance: 4))
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
