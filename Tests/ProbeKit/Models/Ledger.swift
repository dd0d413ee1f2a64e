import Trove

/// Numbered transactions of a few records each, so that a store shows which of them it holds, and whether it holds them whole.
enum Ledger {
    /// The records of one transaction.
    static let batchSize = 5
    /// The account that counts the transactions.
    static let counter = 1

    /// Writes the transaction with the number that comes next, and returns the number.
    static func append(to store: ObjectStore, payloadSize: Int, _ durability: Durability) throws -> Int {
        try store.write(durability) { transaction in
            let batch = (try transaction.fetch(Account.self, id: counter)?.balance ?? 0) + 1
            for index in 0..<batchSize {
                try transaction.save(LedgerEntry.sample(batch * batchSize + index, batch: batch, size: payloadSize))
            }
            try transaction.save(Account(id: counter, balance: batch))
            return batch
        }
    }

    /// The number of transactions the store holds.
    ///
    /// - Throws: ``Inconsistency`` when one is there in part, or one before the last is missing.
    static func check(_ store: ObjectStore) throws -> Int {
        let report = try store.verify()
        if let problem = report.problems.first { throw problem.error }
        return try store.read { snapshot in
            let count = try snapshot.fetch(Account.self, id: counter)?.balance ?? 0
            var expected = batchSize
            try snapshot.fetch(LedgerEntry.self).forEach { entry, _ in
                guard entry.id == expected, entry == .sample(expected, batch: expected / batchSize, size: entry.payload.count) else {
                    throw Inconsistency("entry \(entry.id) of transaction \(entry.batch) stands where \(expected) should")
                }
                expected += 1
            }
            guard expected == (count + 1) * batchSize else {
                throw Inconsistency("\(expected - batchSize) entries, and \(count) transactions are counted")
            }
            return count
        }
    }
}
