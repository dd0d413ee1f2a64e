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

    /// How many of `count` results pass.
    func passing(_ count: Int) -> Int {
        let rest = max(0, count - skips)
        return remaining.map { min($0, rest) } ?? rest
    }
}
