import Trove

/// What a page shows of a query.
struct ObjectResults {
    private static let usualRows = 50

    let records: [StoredRecord]
    /// Where the next page begins; nil on the last one.
    let next: ContinuationToken?
    /// The number of all records; nil when counting takes too long.
    let count: Int?
    /// What tells the results from others, the same in every process.
    let digest: String

    init(_ query: ObjectQuery, _ request: PageRequest, _ transaction: ReadTransaction) throws {
        let (found, next) = try query.fetchDigested(from: transaction).page(Self.size(request), after: request.fields["after"].map { ContinuationToken($0) })
        let count = try query.count(in: transaction)
        (records, self.next, self.count) = (found.map(\.record), next, count)
        let rows = found.map { "\($0.record.key) \($0.digest)" }.joined(separator: "\n")
        digest = EffectDigest.of("\(count ?? -1) \(next?.text ?? "")\n\(rows)")
    }

    private static func size(_ request: PageRequest) throws -> Int {
        guard let text = request.fields["rows"] else { return usualRows }
        guard let size = Int(text), (1...request.site.limits.rows).contains(size) else {
            throw HTTPRefusal(400, "'rows' is a number from 1 to \(request.site.limits.rows)")
        }
        return size
    }
}
