import TroveStorage

/// What the steps of a plan cost, in microseconds.
///
/// The figures are near to what LMDB needs for records of 100 bytes (`docs/search.md`). Only their ratios choose a plan, and these are
/// alike on all engines in one process; across a network, round trips and bytes count, which nothing here has measured yet.
struct CostModel: Sendable {
    /// An entry of an index met in a scan.
    let entry: Double
    /// A record met in a scan, filter included.
    let record: Double
    /// A record read by its key, filter included.
    let fetch: Double
    /// A key put into key order.
    let keySort = 0.05
    /// A result sorted by its values, for each doubling of their number.
    let sort = 0.04
    /// A result compared with the first few so far.
    let top = 0.12
    /// Beginning a scan or a batch.
    let start: Double

    init(_ capabilities: StorageCapabilities) {
        if capabilities.isRemote {
            (entry, record, fetch, start) = (0.5, 1.5, 3, 500)
        } else {
            (entry, record, fetch, start) = (0.08, 0.15, 0.9, 2)
        }
    }

    /// The share of objects that pass a condition of which nothing is known.
    static func selectivity(_ filter: Filter) -> Double {
        switch filter {
        case .comparison(_, .equal, _, _), .isNil: 0.05
        case .comparison(_, .notEqual, _, _): 0.9
        case .comparison: 0.33
        case .membership(_, let values, _): min(0.5, 0.05 * Double(values.count))
        case .text, .matches, .fullText, .isWithin: 0.1
        case .isMultiple(_, let factor): factor == 0 ? 0.05 : 1 / Double(factor.magnitude)
        case .quantified: 0.25
        case .isUnreferenced, .hasDanglingReferences: 0.1
        case .not(let inner): 1 - selectivity(inner.value)
        case .and(let filters): filters.reduce(1) { $0 * selectivity($1) }
        case .or(let filters): min(1, filters.reduce(0) { $0 + selectivity($1) })
        case .constant(let value): value ? 1 : 0
        }
    }
}
