/// Ranges of an index to be read.
struct IndexScan: Sendable {
    let index: IndexBinding
    /// The ranges of the index's keys, ascending, none of them overlapping.
    let ranges: [KeyRange]
    /// The ranges for people to read, as conditions on the parts.
    let conditions: [String]
    /// Whether an entry in the ranges may be of a record whose values are outside of them, since its parts were cut.
    let mustRecheck: Bool
    /// How many of the first parts have one value each in all of the ranges.
    let fixedParts: Int

    /// Whether no object has two entries in the ranges.
    var findsEachOnce: Bool {
        guard let multiple = index.fields.multiplePart else { return true }
        return multiple < fixedParts
    }
}

/// The order that an index gives to results.
struct IndexOrder: Sendable {
    /// Which parts of the index, after the fixed ones, are criteria of the sort: for each the number among the criteria that decide.
    let criteria: [Int]
    let order: ScanOrder
    /// Whether results with equal parts are in the right order once they are ordered by key: no criteria are left.
    let isComplete: Bool
    /// How many of the index's parts give the order, the fixed ones included.
    let partCount: Int
    /// Whether these are all that the index has, so that entries with equal parts come ascending by key.
    let usesAllParts: Bool
}
