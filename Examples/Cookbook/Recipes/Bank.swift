import Trove

enum Bank: Recipe {
    @Model
    struct Account {
        #Unique<Account>([\.owner], identity: true)
        var owner: String
        var balance: Int
    }

    struct NotEnough: Error {}

    static let title = "many tasks that change the same records, all or nothing"
    static let printed = ["60 of 100 transfers were made", "Ann has 0, Bill has 60"]

    static func run(in place: Place, print: @Sendable (String) -> Void) async throws {
        let store = try ObjectStore(place.backend(), models: Account.self)
        try await store.save([Account(owner: "Ann", balance: 60), Account(owner: "Bill", balance: 0)])

        // Each write is a transaction; those that wait at the same time share a commit.
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            guard var from = try transaction.fetch(Account.self, id: "Ann"), var to = try transaction.fetch(Account.self, id: "Bill")
                            else { return }
                            to.balance += 1
                            try transaction.save(to)
                            from.balance -= 1
                            // What was saved above is taken back.
                            if from.balance < 0 { throw NotEnough() }
                            try transaction.save(from)
                        }
                        return true
                    } catch is NotEnough {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        print("\(made) of 100 transfers were made")
        let balances = try await store.fetch(Account.self).sorted(by: \.owner).all().map { "\($0.owner) has \($0.balance)" }
        print(balances.joined(separator: ", "))
        try await store.close()
    }
}
