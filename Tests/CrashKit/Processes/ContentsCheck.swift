import Trove

/// Compares a store with what whole transactions, in the order of their numbers and without a gap, have made.
struct ContentsCheck {
    let setup: SeriesSetup
    let oracle: Oracle

    /// Returns how many transactions the store holds.
    ///
    /// - Throws: ``ContentsError`` when one is there in part, or one in the middle is missing.
    func run(_ store: ObjectStore) throws -> Int {
        let report = try store.verify()
        if let problem = report.problems.first { throw ContentsError("verify: \(problem)") }
        return try store.read { (snapshot: ReadTransaction) throws -> Int in try check(snapshot) }
    }

    private func check(_ snapshot: ReadTransaction) throws -> Int {
        let tickets: [CrashTicket] = try snapshot.fetch(CrashTicket.self).all()
        let counter: CrashCounter? = try snapshot.fetch(CrashCounter.self, id: TransactionPlan.counterID)
        let counted = counter?.value ?? 0
        guard counted == tickets.count else { throw ContentsError("\(tickets.count) tickets, and \(counted) are counted") }
        var expected = ExpectedContents()
        for (index, ticket) in tickets.enumerated() {
            try check(ticket, index + 1)
            expected.apply(TransactionPlan(seed: setup.seed, writer: ticket.writer, number: ticket.number))
        }
        try expected.compare(with: snapshot)
        return counted
    }

    private func check(_ ticket: CrashTicket, _ sequence: Int) throws {
        guard ticket.id == sequence else { throw ContentsError("ticket \(ticket.id) stands where \(sequence) should: one in the middle is lost") }
        let slot = oracle[ticket.writer, ticket.number]
        guard slot.sequence == sequence, [.pending, .acknowledged, .found].contains(slot.state) else {
            throw ContentsError("ticket \(sequence) is of transaction \(ticket.number) of writer \(ticket.writer), which is \(slot.state) as \(slot.sequence)")
        }
    }
}
