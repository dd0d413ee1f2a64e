import Foundation

/// How a query is answered: how records are found, what is left to check on them, and how they come into order.
struct Plan: Sendable {
    let access: Access
    let arrangement: Arrangement
    /// The conditions that the access does not make sure of.
    let residual: Filter
    /// How many objects are expected to pass the filter; infinite where the plan did not depend on it.
    let estimatedRows: Double
    /// What it is expected to cost, in microseconds.
    let estimatedCost: Double
    /// The order that the access gives, where the arrangement is by it.
    let order: IndexOrder?
    /// The number of steps of the access.
    let stepCount: Int

    init(_ access: Access, _ arrangement: Arrangement, residual: Filter, estimatedRows: Double, cost: Double, order: IndexOrder? = nil) {
        var count = 0
        self.access = access.numbered(from: &count)
        self.arrangement = arrangement
        self.residual = residual
        self.estimatedRows = estimatedRows
        estimatedCost = cost
        self.order = order
        stepCount = count
    }

    /// Whether each key that the access finds is a result, in its order, when nothing is left to check.
    var findsResults: Bool { access.findsKeys && access.findsRecords && arrangement != .sort }

    /// Whether results are met one by one in a scan of the records, which goes on rightly when they are changed meanwhile.
    var isLiveScan: Bool {
        if case .records = access.kind { arrangement != .sort } else { false }
    }
}

extension Plan {
    /// Whether a run that begins behind a place does not do again what led to the place.
    var canGoOn: Bool {
        switch (access.kind, arrangement) {
        case (.records, .key): true
        // Objects of equal values are gathered, all of them, where their entries are not in the order of the ids.
        case (.index, .index): order?.hasShortKeys ?? true
        default: false
        }
    }
}

extension KeyRange {
    /// The part of the range that a scan in an order still has before it, once it has passed `key`.
    func rest(_ order: ScanOrder, after key: ArraySlice<UInt8>?) -> KeyRange {
        guard let key else { return self }
        switch order {
        case .ascending:
            let next = Array(key) + [0]
            return lower.lexicographicallyPrecedes(next) ? KeyRange(from: next, upTo: upper) : self
        case .descending:
            guard let upper, upper.lexicographicallyPrecedes(key) else { return KeyRange(from: lower, upTo: Array(key)) }
            return self
        }
    }
}

/// The numbers of rows that the steps of a plan met in a run.
struct PlanRows: Sendable {
    private var steps: [Int]
    /// The records that were read for keys found.
    var fetched = 0
    /// The records that passed what was left to check.
    var matches = 0
    /// The results that were kept to be sorted.
    var sorted = 0

    init(_ plan: Plan) {
        steps = Array(repeating: 0, count: plan.stepCount)
    }

    /// How many threads read a scan.
    var threads = 1

    /// Counts what a scan of records has met.
    mutating func add(_ scan: RecordRows, to step: Int) {
        steps[step] += scan.met
        matches += scan.matches
    }

    /// The rows of the step with this number.
    subscript(step: Int) -> Int {
        get { steps[step] }
        set { steps[step] = newValue }
    }
}

/// How many records a scan met, and how many of them passed.
struct RecordRows: Sendable {
    var met = 0
    var matches = 0
}

/// The part of the ordered results that offset and limit leave.
struct ResultWindow {
    /// Up to this many results a heap of the first ones is kept, instead of sorting all.
    static let maxTop = 20_000

    private var skips: Int
    private var remaining: Int?

    init(_ query: Query) {
        skips = query.offset
        remaining = query.limit
    }

    /// Whether nothing can pass, however many results there are.
    var isClosed: Bool { remaining == 0 }

    /// How many results have to be looked at to fill the window; nil when all have to be.
    var reach: Int? {
        guard let remaining else { return nil }
        let (sum, overflows) = skips.addingReportingOverflow(remaining)
        return overflows ? nil : sum
    }

    /// Calls `body` for the next result if it is in the window, and says whether there can be more.
    @inline(__always)
    mutating func pass(_ body: () throws -> ScanStep) rethrows -> ScanStep {
        if skips > 0 {
            skips -= 1
            return .next
        }
        guard let left = remaining else { return try body() }
        if left == 0 { return .stop }
        remaining = left - 1
        let step = try body()
        return left == 1 ? .stop : step
    }

    /// Those of `results`, the rows' numbers in the query's order, that are in the window.
    func passing(_ results: [Int]) -> [Int] {
        if skips == 0, remaining == nil { return results }
        return Array(results.dropFirst(skips).prefix(passing(results.count)))
    }

    /// How many of `count` results pass.
    func passing(_ count: Int) -> Int {
        let rest = max(0, count - skips)
        return remaining.map { min($0, rest) } ?? rest
    }
}
