import Trove

enum Audit: Recipe {
    @Model
    struct Price {
        #Unique<Price>([\.article], identity: true)
        var article: String
        var cents: Int
    }

    static let title = "who changed what, and a total that is brought up to date from the changes"
    static let printed = [
        "Ann: tea – 300", "import: tea 300 250, milk – 120", "Bill: tea 250 –",
        "tea was – 300 250", "1 article costs 120", "2 articles cost 620",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) async throws {
        let store = try ObjectStore(place.backend(), models: Price.self)
        try await store.keepHistory(.values(of: [Price.self]))
        func save(_ prices: [Price], by author: String) async throws {
            try await store.write { transaction in
                transaction.author = author
                try transaction.save(prices)
            }
        }
        try await save([Price(article: "tea", cents: 300)], by: "Ann")
        try await save([Price(article: "tea", cents: 250), Price(article: "milk", cents: 120)], by: "import")
        try await store.write { transaction in
            transaction.author = "Bill"
            try transaction.delete(Price.self, id: "tea")
        }

        for entry in try await store.history().entries {
            let changes = try entry.changes.map { change in
                let (old, new) = (try change.old(Price.self), try change.new(Price.self))
                return "\((new ?? old)?.article ?? "") \(old.map { "\($0.cents)" } ?? "–") \(new.map { "\($0.cents)" } ?? "–")"
            }
            print("\(entry.author ?? "somebody"): \(changes.joined(separator: ", "))")
        }
        let former = try await store.history(of: Price.self, id: "tea").map { try $0.changes[0].old(Price.self).map { "\($0.cents)" } ?? "–" }
        print("tea was \(former.joined(separator: " "))")

        // Each change counts once, whenever this is called and whatever was killed in between: the place is stored with the total.
        let consumer = try await store.historyConsumer("total")
        func bringUpToDate() async throws -> (count: Int, cents: Int) {
            try await store.write { transaction in
                var (count, cents) = (0, 0)
                if case .array(let stored)? = try transaction.metadata(forKey: "total"), case .int(let first) = stored[0], case .int(let second) = stored[1] {
                    (count, cents) = (Int(first), Int(second))
                }
                let (entries, next) = try consumer.unread(in: transaction)
                for change in entries.flatMap(\.changes) {
                    if let old = try change.old(Price.self) { (count, cents) = (count - 1, cents - old.cents) }
                    if let new = try change.new(Price.self) { (count, cents) = (count + 1, cents + new.cents) }
                }
                try transaction.setMetadata(.array([.int(Int64(count)), .int(Int64(cents))]), forKey: "total")
                try consumer.markRead(through: next, in: transaction)
                return (count, cents)
            }
        }
        let first = try await bringUpToDate()
        print("\(first.count) article costs \(first.cents)")
        try await save([Price(article: "coffee", cents: 500)], by: "Ann")
        let second = try await bringUpToDate()
        print("\(second.count) articles cost \(second.cents)")
        try await store.close()
    }
}
