/// Compares an ordered index with the records.
final class OrderedIndexChecker: IndexChecker {
    /// How many entries are looked for in one go.
    private static let batchSize = 512

    let findings: IndexFindings
    private let binding: IndexBinding
    private let transaction: ReadTransaction
    private let keyspace: Keyspace?
    private var arena = EntryArena()
    private var groups: GroupChanges
    /// How many entries are in the arena that have not been looked for.
    private var waitingCount = 0
    /// The entries that are there and belong to a record.
    private var agreed = 0
    /// How many hashes of entries are remembered at a time, when there are stale ones.
    private let maxExpected: Int
    /// Counts the entries that are looked for, and those that are read again.
    private var watch: ReadWatch
    /// The numbers of paths, of an index of all paths.
    private let paths: PathNumbers?
    /// Whether the numbers cannot be read, so that there is nothing to compare.
    private let lacksPaths: Bool

    init(_ binding: IndexBinding, _ transaction: ReadTransaction, remembering maxExpected: Int = 1 << 21) throws {
        self.binding = binding
        self.maxExpected = maxExpected
        self.transaction = transaction
        watch = transaction.watch
        keyspace = try transaction.indexKeyspace(binding)
        var (numbers, unreadable): (PathNumbers?, TroveError?)
        do {
            let reader = try transaction.reader
            numbers = try binding.paths.map { try PathNumbers(stored: binding, $0, reader) }
        } catch let error as TroveError {
            guard case .corruptCatalogue = error else { throw error }
            unreadable = error
        }
        paths = numbers
        lacksPaths = unreadable != nil
        groups = GroupChanges(binding)
        findings = try IndexFindings(binding, transaction)
        if let unreadable { findings.note(\.wrong, [], "the numbers of its paths cannot be read: \(unreadable)") }
    }

    func check(_ record: RecordView) throws {
        if lacksPaths { return }
        let mark = arena.mark
        let count: Int
        do {
            count = try binding.appendEntries(of: record, .add, to: &arena, paths)
            if binding.hasGroups {
                try groups.note(record, sign: 1)
                groups.accept()
            }
        } catch {
            // Others' entries wait in the arena; the half of this one's must not stay behind them.
            arena.truncate(to: mark)
            groups.undo()
            throw error
        }
        waitingCount += count
        if waitingCount >= Self.batchSize { try checkWaiting() }
    }

    /// Looks for the entries that records should have, all in one go.
    private func checkWaiting() throws {
        var offsets: [Int] = []
        var offset = 0
        while offset < arena.size {
            offsets.append(offset)
            offset = arena.next(offset)
        }
        var isEqual = [Bool?](repeating: nil, count: offsets.count)
        if let keyspace {
            try transaction.reader.getMany(offsets.map { [UInt8](arena.key(at: $0)) }, in: keyspace) { position, value in
                try watch.step()
                if let value { isEqual[position] = value.isEqual(to: arena.value(at: offsets[position]).bytes) }
            }
        }
        for (offset, isEqual) in zip(offsets, isEqual) {
            if isEqual != nil { agreed += 1 }
            if isEqual == true { continue }
            let key = try [UInt8](IndexEntry(arena.key(at: offset), arena.value(at: offset)).recordKey)
            if isEqual == nil {
                findings.note(\.missing, key, "the entry of \(findings.shownID(key)) is missing")
            } else {
                findings.note(\.wrong, key, "the entry of \(findings.shownID(key)) has wrong content")
            }
        }
        arena.removeAll()
        waitingCount = 0
    }

    func finish(_ advance: () throws -> Void) throws {
        if lacksPaths { return }
        try checkWaiting()
        try checkStatistics(advance)
        if binding.hasGroups { try checkGroups() }
    }

    /// Reads all entries, for those of no record and for what the statistics should be.
    private func checkStatistics(_ advance: () throws -> Void) throws {
        let reader = try transaction.reader
        var (count, longCount) = (0, 0)
        var sample: [[UInt8]] = []
        if let keyspace {
            try reader.scan(in: keyspace) { key, value in
                count += 1
                // A damaged entry is found as one that is stale or wrong.
                let recordKeySize = binding.hasLongIDs ? try? IndexEntry.read(key, value) { $0.recordKey.count } : nil
                if let recordKeySize, recordKeySize > EntryFormat.maxRecordKeySize { longCount += 1 }
                if IndexSample.contains(key) { sample.append([UInt8](copying: key)) }
                try advance()
                return .next
            }
            // All that belong to a record were found, so any more are stale.
            if count > agreed { try findStale(among: count, in: keyspace) }
        }
        var stored: [[UInt8]] = []
        if let statistics = try reader.keyspace(named: IndexSample.keyspaceName) {
            let prefix = IndexSample.samplePrefix(binding.number)
            try reader.scan(.prefix(prefix), in: statistics) { key, _ in
                try watch.step()
                stored.append(Array([UInt8](copying: key).dropFirst(prefix.count)))
                return .next
            }
        }
        if stored != sample { findings.note(\.wrong, [], "the sample of its entries is wrong") }
        do {
            let numbers = try IndexSample.numbers(of: binding.number, reader)
            if case let total = numbers?.all ?? 0, total != count { findings.note(\.wrong, [], "it has \(count) entries and counts \(total)") }
            if let total = numbers?.ofLongKeys, total != longCount {
                findings.note(\.wrong, [], "it has \(longCount) entries of long ids and counts \(total)")
            }
        } catch TroveError.corruptValue(let reason) {
            findings.note(\.wrong, [], "the number of its entries cannot be read: \(reason)")
        }
    }

    /// Looks for the entries that no record has.
    ///
    /// The entries of each record are made once for all of them: to make them for each entry anew would take the square of a record's entries.
    private func findStale(among count: Int, in keyspace: Keyspace) throws {
        let rounds = UInt64(count / maxExpected + 1)
        for round in 0..<rounds {
            let (expected, unreadable) = try expectedEntries { $0 % rounds == round }
            try transaction.reader.scan(in: keyspace) { key, value in
                try watch.step()
                let recordKey: [UInt8]
                do {
                    recordKey = try IndexEntry.read(key, value) { [UInt8]($0.recordKey) }
                } catch {
                    if round == 0 { findings.note(\.wrong, [], "an entry is damaged: \(error)") }
                    return .next
                }
                let hash = key.withUnsafeBytes { Self.hash($0, of: recordKey) }
                if hash % rounds == round, !expected.contains(hash), !unreadable.contains(recordKey) {
                    findings.note(\.stale, recordKey, "it has an entry of \(findings.shownID(recordKey)), which has no such values")
                }
                return .next
            }
        }
    }

    /// The hashes of the entries that the records have, as far as these are wanted, and the keys of the records that cannot be read, which is told elsewhere.
    private func expectedEntries(where isWanted: (UInt64) -> Bool) throws -> (hashes: Set<UInt64>, unreadable: Set<[UInt8]>) {
        var hashes: Set<UInt64> = []
        var unreadable: Set<[UInt8]> = []
        let reader = try transaction.reader
        guard let records = try reader.keyspace(named: binding.modelName) else { return (hashes, unreadable) }
        let model = OpenModel(try transaction.binding(named: binding.modelName))
        try reader.scan(in: records) { key, record in
            try watch.step()
            arena.removeAll()
            let recordKey = [UInt8](copying: key)
            do {
                try transaction.withRecordView(record, key: key, model) { _ = try binding.appendEntries(of: $0, .add, to: &arena, paths) }
            } catch is TroveError {
                unreadable.insert(recordKey)
                return .next
            }
            var offset = 0
            while offset < arena.size {
                if case let hash = Self.hash(arena.key(at: offset), of: recordKey), isWanted(hash) { hashes.insert(hash) }
                offset = arena.next(offset)
            }
            return .next
        }
        return (hashes, unreadable)
    }

    /// What tells an entry of a record from others. A unique index has one of several records with a key.
    private static func hash(_ key: UnsafeRawBufferPointer, of recordKey: [UInt8]) -> UInt64 { Checksum.hash(key, seed: Checksum.hash(recordKey)) }

    private func checkGroups() throws {
        let reader = try transaction.reader
        var expected = groups.entries
        if let keyspace = try reader.keyspace(named: IndexCatalogueEntry.groupsName(binding.number)) {
            try reader.scan(in: keyspace) { key, value in
                try watch.step()
                let key = [UInt8](copying: key)
                guard let group = expected.removeValue(forKey: key) else {
                    findings.note(\.stale, [], "it has a group of no object: \(StoredRecord.text(of: key))")
                    return .next
                }
                // Sums are equal whatever their bytes are; what cannot be read is nil. A group has the values of the object that made it, which may be gone.
                let stored = try? GroupEntry(value, binding.fields)
                let isSound = stored.map { $0.count == group.count && $0.sums == group.sums && ($0.values == group.values || binding.isGroup($0, under: key)) }
                if isSound != true {
                    findings.note(\.wrong, [], "the count, sums or values of a group are wrong: \(StoredRecord.text(of: key))")
                }
                return .next
            }
        }
        for key in expected.keys { findings.note(\.missing, [], "a group is missing: \(StoredRecord.text(of: key))") }
    }
}
