import Foundation

extension WriteTransaction {
    /// What keeps the changes of a model's records; nil when nobody does.
    func historyWriter(of modelName: String) throws -> HistoryWriter? {
        guard isTold, let policy = try indexTable.history, policy.keeps(modelName) else { return nil }
        if let openHistory { return openHistory }
        let made = HistoryWriter(policy, self)
        openHistory = made
        return made
    }

    /// Whether changes of a model are kept.
    func keepsHistory(of modelName: String) throws -> Bool { try isTold && indexTable.keepsHistory(of: modelName) }

    /// Runs `body`, which writes records anew whose values stay.
    func rewriting<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = isRewriting
        isRewriting = true
        defer { isRewriting = outer }
        return try body()
    }

    /// Makes a policy that of the store, nil for none, and has every program look at it before its next change. Before this transaction changes anything.
    func setHistoryPolicy(_ policy: HistoryPolicy?) throws {
        let writer = try writer
        try change {
            try HistoryPolicy.write(policy, writer)
            if policy == nil {
                for name in [HistorySpace.keyspaceName, HistorySpace.consumersName] {
                    if let keyspace = try writer.keyspace(named: name) { try writer.dropKeyspace(keyspace) }
                }
            }
            try IndexDirectory.renew(writer)
        }
        forgetIndexes()
        // Who follows a history that is no more is told.
        whenCommitted { [core] in core.observers.signalHistory() }
    }

    /// Removes the oldest entries of the history, and leaves those that a consumer has not read.
    ///
    /// - Parameters:
    ///   - end: the entry behind the last that goes; nil for the date alone.
    ///   - date: of the entries that go; nil for the place alone. The first that is later stays, and all behind it.
    ///   - includingUnread: whether those go too that a consumer has not read.
    ///   - limit: the most that go.
    /// - Returns: how many entries went.
    func trimHistory(
        through end: HistoryToken? = nil, before date: Date? = nil, includingUnread: Bool = false, atMost limit: UInt64 = .max
    ) throws -> Int {
        let writer = try writer
        guard let keyspace = try writer.keyspace(named: HistorySpace.keyspaceName) else { return 0 }
        let first = try HistorySpace.trimmed(writer, keyspace)
        // What is gone already may have been trimmed by age.
        if let end, end.number > first.number { try checkHistory(end, keyspace) }
        var most = min(end?.number ?? .max, limit < .max - first.number ? first.number + limit : .max)
        // What a consumer has lost already, it has to read anew.
        if !includingUnread { for (_, token) in try historyPositions() where token.number >= first.number { most = min(most, token.number) } }
        guard let last = try lastHistory(upTo: most, before: date, after: first, keyspace) else { return 0 }
        try change {
            _ = try writer.deleteRange(HistorySpace.entries(upTo: last.number), in: keyspace)
            try writer.put(HistorySpace.trimmedKey, HistorySpace.encode(last, key: HistorySpace.trimmedKey), in: keyspace)
        }
        return Int(clamping: last.number - first.number)
    }

    /// The last entry up to a number, and of a time before a date; nil when there is none.
    private func lastHistory(upTo most: UInt64, before date: Date?, after first: HistoryToken, _ keyspace: Keyspace) throws -> HistoryToken? {
        guard let date else {
            // Those before it need not be read, so that damaged ones go too.
            let number = min(most, try latestHistoryNumber(keyspace))
            return number > first.number ? HistoryToken(number: number, stamp: try historyStamp(of: number, keyspace)) : nil
        }
        var last: HistoryToken?
        var watch = watch
        try writer.scan(HistorySpace.entries(after: first.number), in: keyspace) { key, value in
            try watch.step()
            guard let (number, chunk) = HistorySpace.parts(key), number <= most, number != openHistoryNumber else { return .stop }
            if chunk > 0 { return .next }
            let header = try HistoryChunk.header(value, key: [UInt8](copying: key), of: number)
            if header.date >= date { return .stop }
            last = HistoryToken(number: number, stamp: header.stamp)
            return .next
        }
        return last
    }

    /// Notes how far a consumer has read; nil forgets the consumer.
    func setHistoryPosition(_ token: HistoryToken?, ofConsumer name: String) throws {
        let writer = try writer
        try checkName(name, of: "a consumer of the history")
        let key = Array(name.utf8)
        guard let token else {
            if let keyspace = try writer.keyspace(named: HistorySpace.consumersName) { try writer.remove(key, in: keyspace) }
            return
        }
        let entries = try historyKeyspace()
        if let entries { try checkHistory(token, entries) } else if token != .start { throw TroveError.unknownHistoryToken(token.description) }
        try writer.put(key, HistorySpace.encode(token, key: key), in: writer.createKeyspace(named: HistorySpace.consumersName))
    }
}
