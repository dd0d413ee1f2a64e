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
