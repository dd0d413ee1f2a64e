import Trove

/// Work that several processes do on one store.
extension Probe {
    func shareWork(_ request: ProbeRequest) throws -> ProbeReply {
        switch request {
        case .increment(let path, let account, let times):
            let store = try store(path).objects
            for _ in 0..<times {
                try store.write(.buffered) { transaction in
                    let balance = try transaction.fetch(Account.self, id: account)?.balance ?? 0
                    try transaction.save(Account(id: account, balance: balance + 1))
                }
            }
        case .transfer(let path, let accounts, let times):
            try transfer(in: store(path).objects, accounts: accounts, times: times)
        case .sum(let path, let times):
            return ProbeReply(number: try sum(store(path).objects, times: times))
        case .beginRead(let path):
            heldRead = try .read(store(path).objects)
        case .beginWrite(let path):
            heldWrite = try .write(store(path).objects)
        case .endWrite:
            try heldWrite?.end()
            heldWrite = nil
        default:
            throw Inconsistency("\(request) is not work to be shared")
        }
        return ProbeReply()
    }

    private func transfer(in store: ObjectStore, accounts: Int, times: Int) throws {
        for _ in 0..<times {
            let (from, to, amount) = (Int.random(in: 0..<accounts), Int.random(in: 0..<accounts), Int.random(in: 1...100))
            try store.write(.buffered) { transaction in
                for (id, change) in [(from, -amount), (to, amount)] {
                    let balance = try transaction.fetch(Account.self, id: id)?.balance ?? 0
                    try transaction.save(Account(id: id, balance: balance + change))
                }
            }
        }
    }

    /// The sum of all accounts, which each snapshot must give.
    private func sum(_ store: ObjectStore, times: Int) throws -> Int {
        var first: Int?
        for _ in 0..<times {
            let sum = try store.fetch(Account.self).all().reduce(0) { $0 + $1.balance }
            if let first, first != sum { throw Inconsistency("one snapshot adds up to \(first), another to \(sum)") }
            first = sum
        }
        return first ?? 0
    }
}
