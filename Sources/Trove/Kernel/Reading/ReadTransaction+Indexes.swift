extension ReadTransaction {
    /// The indexes of a model that this snapshot's queries may use: ready, and known to the program, or of records that the catalogue tells all of; in a write
    /// transaction those that have all changes once they are flushed.
    func usableIndexes(of model: ModelBinding) throws -> [IndexBinding] {
        guard try usesIndexes && indexTable.canTellAll(of: model) else { return [] }
        let usable = try indexTable.usable(of: model.schema.name)
        let waiting = waitingIndexes(of: model.schema.name)
        return waiting.isEmpty ? usable : usable.filter { !waiting.contains($0.number) }
    }
}

extension ReadTransaction {
    /// How many entries an estimate looks at before it takes the sample for them.
    private static let exactLimit = 256
    /// The most entries of the sample that an estimate looks at; a range of more is large, however much.
    private static let sampleLimit = 4_096

    /// About how many entries of an index are in a range: the number itself when they are few, otherwise told from the sample.
    func estimate(_ range: KeyRange, in index: IndexBinding) throws -> Int {
        var keys = KeyList()
        return try gatherFew(range, in: index, into: &keys) ? keys.count : estimateMany(range, in: index)
    }

    /// Appends the record keys of a range of an index when they are few, and otherwise some of them; returns whether these are all.
    func gatherFew(_ range: KeyRange, in index: IndexBinding, into keys: inout KeyList) throws -> Bool {
        try flushIndexes()
        guard !range.isEmpty, let keyspace = try indexKeyspace(index) else { return true }
        let limit = keys.count + Self.exactLimit
        try reader.scan(range, in: keyspace, order: .ascending, expecting: Self.exactLimit) { key, value in
            keys.append(try IndexEntry.readable(key, value, of: index).recordKey)
            return keys.count == limit ? .stop : .next
        }
        return keys.count < limit
    }

    /// About how many entries of an index are in a range of many, told from the sample.
    func estimateMany(_ range: KeyRange, in index: IndexBinding) throws -> Int {
        let total = try entryCount(of: index)
        if range == .all { return total }
        let prefix = IndexSample.samplePrefix(index.number)
        let upper = range.upper.map { prefix + $0 } ?? KeyRange.prefix(prefix).upper
        guard let samples = try reader.keyspace(named: IndexSample.keyspaceName) else { return Self.exactLimit }
        let sampled = try count(KeyRange(from: prefix + range.lower, upTo: upper), in: samples, limit: Self.sampleLimit)
        return min(total, max(Self.exactLimit, sampled * IndexSample.rate))
    }

    /// The number of entries of an index.
    ///
    /// - Complexity: O(1).
    func entryCount(of index: IndexBinding) throws -> Int {
        try flushIndexes()
        do {
            return try IndexSample.count(of: index.number, reader)
        } catch TroveError.corruptValue(let reason) {
            throw index.corrupt(reason)
        }
    }

    /// Whether all entries of an index have whole record keys, so that those of equal parts stand in the order of the ids; false also where it is not known.
    ///
    /// - Complexity: O(1).
    func hasShortKeys(_ index: IndexBinding) throws -> Bool {
        guard index.hasLongIDs else { return true }
        try flushIndexes()
        do {
            if let numbers = try IndexSample.numbers(of: index.number, reader) { return numbers.ofLongKeys == 0 }
            return try indexKeyspace(index).map { try count(.all, in: $0, limit: 1) == 0 } ?? true
        } catch TroveError.corruptValue {
            // Verifying tells; a query can do without.
            return false
        }
    }

    /// About how many different combinations of values an index has in its parts.
    ///
    /// The estimate is the first of Haas and Stokes (1998), from how many values the sample has once.
    func estimatedDistinctCount(of index: IndexBinding) throws -> Int {
        let total = try entryCount(of: index)
        guard total > 0, let samples = try reader.keyspace(named: IndexSample.keyspaceName) else { return 0 }
        if index.schema.isUnique { return total }
        var (sampled, distinct, single, repeats) = (0, 0, 0, 0)
        var last: [UInt8] = []
        let prefix = IndexSample.samplePrefix(index.number)
        guard let keyspace = try indexKeyspace(index) else { return 0 }
        func endRun() {
            if repeats > 0 { distinct += 1 }
            if repeats == 1 { single += 1 }
        }
        try reader.scan(.prefix(prefix), in: samples) { key, _ in
            let entryKey = Array([UInt8](copying: key).dropFirst(prefix.count))
            // The entry's value tells where its parts end.
            _ = try reader.get(entryKey.span.bytes, in: keyspace) { value in
                let parts = try IndexEntry.readable(entryKey.span.bytes, value, of: index).parts
                if sampled > 0, parts.elementsEqual(last) {
                    repeats += 1
                } else {
                    endRun()
                    repeats = 1
                    last = [UInt8](parts)
                }
            }
            sampled += 1
            return sampled == Self.sampleLimit ? .stop : .next
        }
        endRun()
        guard sampled > 0 else { return min(total, try distinctCount(of: index, in: keyspace)) }
        let fraction = Double(sampled) / Double(total)
        let unseen = 1 - Double(single) / Double(sampled) + Double(single) * fraction / Double(sampled)
        return min(total, max(distinct, Int(min((Double(distinct) / max(unseen, fraction)).rounded(), Double(1 << 53)))))
    }

    /// How many different parts an index of few entries has.
    private func distinctCount(of index: IndexBinding, in keyspace: Keyspace) throws -> Int {
        var last: [UInt8]?
        var distinct = 0
        var seen = 0
        try reader.scan(in: keyspace) { key, value in
            let parts = try IndexEntry.readable(key, value, of: index).parts
            if last.map({ parts.elementsEqual($0) }) != true {
                distinct += 1
                last = [UInt8](parts)
            }
            seen += 1
            return seen == Self.sampleLimit ? .stop : .next
        }
        return distinct
    }

    private func count(_ range: KeyRange, in keyspace: Keyspace, limit: Int) throws -> Int {
        var count = 0
        try reader.scanKeys(range, in: keyspace, order: .ascending, expecting: limit) { _ in
            count += 1
            return count == limit ? .stop : .next
        }
        return count
    }
}

extension ReadTransaction {
    /// How many keys are announced at once. Each costs a remote engine the transfer of its value.
    static let prefetchSize = 512

    /// Announces the keys of a loop's next rounds, when one begins at this position and the engine wants to know.
    func prefetch(_ keys: KeyList, from position: Int, in keyspace: Keyspace) throws {
        guard position.isMultiple(of: Self.prefetchSize), try reader.prefetches else { return }
        try reader.prefetch((position..<min(keys.count, position + Self.prefetchSize)).map { keys[$0] }, in: keyspace)
    }
}

/// How much of a store its indexes take.
extension ReadTransaction {
    /// The most entries of a keyspace that are looked at; of more, these tell how large the others are.
    private static let sizedLimit = 4_096

    /// About how many bytes the keys and values of an index have: all of them when they are few.
    ///
    /// - Parameter entryCount: how many entries of values it has.
    func estimatedSize(of entry: IndexCatalogueEntry, entryCount: Int) throws -> Int {
        let name = IndexCatalogueEntry.keyspaceName(entry.number)
        if let inverted = try entry.schema.invertedIndex(named: name, of: entry.modelName) {
            return try [inverted.postingsName, inverted.documentsName, inverted.keysName].reduce(0) { try $0 + size(ofKeyspace: $1) }
        }
        let groups = entry.schema.aggregates.isEmpty ? 0 : try size(ofKeyspace: IndexCatalogueEntry.groupsName(entry.number))
        let sampled = entryCount > Self.sizedLimit ? try sampledSize(of: entry.number, name, entryCount) : nil
        return try groups + (sampled ?? size(ofKeyspace: name))
    }

    /// The size of the entries that are in the sample, times how many there are for each; nil when none is.
    private func sampledSize(of number: Int, _ name: String, _ entryCount: Int) throws -> Int? {
        guard let samples = try reader.keyspace(named: IndexSample.keyspaceName), let keyspace = try reader.keyspace(named: name) else { return nil }
        let prefix = IndexSample.samplePrefix(number)
        var (count, size) = (0, 0)
        try reader.scanKeys(.prefix(prefix), in: samples, order: .ascending, expecting: Self.sizedLimit) { key in
            let entryKey = Array([UInt8](copying: key).dropFirst(prefix.count))
            let isFound = try reader.get(entryKey.span.bytes, in: keyspace) { size += entryKey.count + $0.byteCount }
            if isFound { count += 1 }
            return count == Self.sizedLimit ? .stop : .next
        }
        return count == 0 ? nil : Self.scaled(size, from: count, to: entryCount)
    }

    private func size(ofKeyspace name: String) throws -> Int {
        guard let keyspace = try reader.keyspace(named: name) else { return 0 }
        var (count, size) = (0, 0)
        try reader.scan(.all, in: keyspace, order: .ascending, expecting: Self.sizedLimit) { key, value in
            count += 1
            size += key.byteCount + value.byteCount
            return count == Self.sizedLimit ? .stop : .next
        }
        return count < Self.sizedLimit ? size : Self.scaled(size, from: count, to: try reader.count(in: keyspace))
    }

    /// A damaged count is found by verifying; it must not trap here.
    private static func scaled(_ size: Int, from count: Int, to total: Int) -> Int {
        Int(min(Double(size) / Double(count) * Double(max(total, 0)), Double(1 << 53)).rounded())
    }
}
