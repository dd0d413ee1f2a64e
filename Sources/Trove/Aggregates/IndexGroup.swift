import Foundation

/// The objects with one combination of values in the parts of an index that keeps aggregates.
struct IndexGroup {
    /// The exact sum of a field over the group's objects; `present` of them have a value.
    enum Sum: Sendable, Hashable {
        case integer(Int128, present: Int)
        /// Not a number when one of the values is none.
        case decimal(Decimal, present: Int)
    }

    /// The values of the index's parts; text by the index's folding.
    let values: [StoredValue]
    /// How many objects there are.
    let count: Int
    /// The sums, in the order in which the index declares them.
    let sums: [Sum]
    /// Whether the index may have cut the group's key, so that the group does not stand in the order of its values.
    let isCut: Bool
}

extension ReadTransaction {
    /// Calls `body` with each group of an index, in the order of its parts and directions.
    ///
    /// - Parameters:
    ///   - range: the groups wanted, as ``IndexBinding/entryRange(parts:last:)`` makes it; with parts that had to be cut they have to be
    ///     checked by their values.
    ///   - order: whether to begin at the beginning of the index or at its end.
    func forEachGroup(
        of index: IndexBinding, in range: KeyRange = .all, order: ScanOrder = .ascending, _ body: (IndexGroup) throws -> ScanStep
    ) throws {
        try flushIndexes()
        guard let keyspace = try reader.keyspace(named: IndexCatalogueEntry.groupsName(index.number)) else { return }
        index.uses.add()
        let fields = index.fields
        var watch = watch
        try reader.scan(range, in: keyspace, order: order) { key, value in
            try watch.step()
            let entry: GroupEntry
            let values: [StoredValue]
            do {
                entry = try GroupEntry(value, fields)
                values = try entry.storedValues(fields.parts.count)
            } catch TroveError.corruptValue(let reason) {
                throw index.corrupt(reason)
            }
            let sums = zip(fields.sums, entry.sums).map { field, sum -> IndexGroup.Sum in
                field.isDecimal
                    ? .decimal(sum.notNumbers > 0 ? .nan : sum.decimal.total() ?? .nan, present: sum.present)
                    : .integer(sum.integer, present: sum.present)
            }
            return try body(IndexGroup(values: values, count: entry.count, sums: sums, isCut: key.byteCount >= EntryFormat.maxPartsSize))
        }
    }
}
