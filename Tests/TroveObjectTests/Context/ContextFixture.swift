import TestSupport
import Trove

/// A store with the live models of the tests.
func liveFixture(_ engine: Engine) throws -> StoreFixture {
    try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Account.self, Player.self, Team.self) }
}

extension StoreFixture {
    /// Stores accounts with the ids 1, 2, 3 … and as many as there are balances.
    func fill(_ balances: Int...) throws {
        try store.save(balances.enumerated().map { Account(id: $0.offset + 1, name: "account \($0.offset + 1)", balance: $0.element) })
    }
}

/// An error that tests throw.
struct Refusal: Error, Equatable {}
