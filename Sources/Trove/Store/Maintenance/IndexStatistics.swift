/// The figures of an index, for people to read: what it is, how far it is, what it holds and how much it is used.
public struct IndexStatistics: Sendable, Hashable {
    /// The name of the model.
    public let model: String
    /// The index as it is declared.
    public let schema: IndexSchema
    /// Whether the model declares the index, or a collection has it from its first save; false when it was created at run time.
    public let isDeclared: Bool
    /// Whether the index is ready, or how far it is built.
    public let state: IndexState
    /// The number of entries: one for each object, or for each member of a collection; of an index of words or parts of texts, the number of
    /// its objects.
    public let entries: Int
    /// The approximate number of bytes of its keys and values, with the counts and sums that it keeps. What the engine needs beside them is not in it.
    public let bytes: Int
    /// The approximate number of different combinations of values; nil while the index is not ready, and for a model that the program does not name.
    public let distinctValues: Int?
    /// The number of times that queries have read the index since the store was opened; reads by planning, unique rules and verification are not counted.
    public let uses: Int
}

extension IndexStatistics: CustomStringConvertible {
    /// The index in one line: `Song: the index 'artist', ready, 1000 entries of 24000 bytes, about 40 different values, used 3 times`.
    public var description: String {
        let progress =
            switch state {
            case .building(after: nil): "not begun"
            case .building: "building"
            case .ready: "ready"
            case .dropping: "being removed"
            }
        func counted(_ count: Int, _ one: String, _ several: String) -> String { "\(count) \(count == 1 ? one : several)" }
        let isOfEntries = schema.kind.hasPartEntries || schema.kind.isOfPaths
        let content = isOfEntries ? counted(entries, "entry", "entries") : counted(entries, "object", "objects")
        let values = distinctValues.map { ", about " + counted($0, "different value", "different values") } ?? ""
        return "\(model): the index '\(schema.name)', \(isDeclared ? "" : "made at run time, ")\(progress), \(content) of \(bytes) bytes\(values), used \(counted(uses, "time", "times"))"
    }
}

extension IndexStatistics: JSONRepresentable {
    /// The index as JSON: its model, declaration, state and figures.
    public func jsonValue() throws -> StoredValue {
        let stateName =
            switch state {
            case .building: "building"
            case .ready: "ready"
            case .dropping: "dropping"
            }
        var values: [String: StoredValue] = [
            "model": .string(model), "index": try schema.jsonValue(), "declared": .bool(isDeclared), "state": .string(stateName),
            "entries": .number(entries), "bytes": .number(bytes), "uses": .number(uses),
        ]
        if let distinctValues { values["distinctValues"] = .number(distinctValues) }
        return .object(values)
    }
}

extension ObjectStore {
    /// All indexes of the store, also those of models that the program does not name and those that are being removed.
    ///
    /// - Complexity: a bounded number of entries of each index is read.
    public func indexStatistics() throws -> [IndexStatistics] {
        try read { try $0.indexStatistics() }
    }

    /// All indexes of the store, also those of models that the program does not name and those that are being removed.
    public func indexStatistics() async throws -> [IndexStatistics] {
        try await read { try $0.indexStatistics() }
    }

    /// The indexes of a model, declared and created at run time.
    ///
    /// ```swift
    /// for index in try store.indexes(of: Song.self) where !index.isDeclared && index.uses == 0 { print(index) }
    /// ```
    ///
    /// - Complexity: a bounded number of entries of each index is read.
    public func indexes<Object: Model>(of type: Object.Type) throws -> [IndexStatistics] { try indexes(of: Object.schema.name) }

    /// The indexes of a model or collection by its name, declared and created at run time. The program need not have the model.
    public func indexes(of modelName: String) throws -> [IndexStatistics] { try read { try $0.indexes(of: modelName) } }

    /// The indexes of a model, declared and created at run time.
    public func indexes<Object: Model>(of type: Object.Type) async throws -> [IndexStatistics] { try await indexes(of: Object.schema.name) }

    /// The indexes of a model or collection by its name, declared and created at run time.
    public func indexes(of modelName: String) async throws -> [IndexStatistics] { try await read { try $0.indexes(of: modelName) } }
}

extension ReadTransaction {
    /// The indexes of the store in the snapshot of this transaction.
    public func indexStatistics() throws -> [IndexStatistics] {
        try flushIndexes()
        return try indexTable.entries.map(statistics)
    }

    /// The indexes of a model or collection in the snapshot of this transaction, declared and created at run time.
    public func indexes(of modelName: String) throws -> [IndexStatistics] {
        try flushIndexes()
        return try indexTable.entries.filter { $0.modelName == modelName && $0.state != .dropping }.map(statistics)
    }

    private func statistics(_ entry: IndexCatalogueEntry) throws -> IndexStatistics {
        let binding = try indexTable.bindings(of: entry.modelName).first { $0.number == entry.number }
        let isKnown = entry.state == .ready && entry.schema.kind.isOrdered
        let count = try entryCount(of: entry)
        return IndexStatistics(
            model: entry.modelName, schema: entry.schema, isDeclared: entry.isDeclared, state: entry.state, entries: count,
            bytes: try estimatedSize(of: entry, entryCount: count), distinctValues: try isKnown ? binding.map { try estimatedDistinctCount(of: $0) } : nil,
            uses: core.indexUses.count(of: entry.number).value)
    }

    private func entryCount(of entry: IndexCatalogueEntry) throws -> Int {
        guard let inverted = try entry.schema.invertedIndex(named: IndexCatalogueEntry.keyspaceName(entry.number), of: entry.modelName) else {
            do {
                return try IndexSample.count(of: entry.number, reader)
            } catch TroveError.corruptValue(let reason) {
                throw TroveError.corruptIndex(model: entry.modelName, index: entry.schema.name, reason: reason)
            }
        }
        // What is left of one that is being removed may not fit together.
        guard entry.state != .dropping, let documents = try reader.keyspace(named: inverted.documentsName) else { return 0 }
        return try IndexTotals.load(inverted, reader, documents).documentCount
    }
}
