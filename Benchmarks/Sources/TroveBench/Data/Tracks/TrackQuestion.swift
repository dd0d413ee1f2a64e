/// What can be answered by an index of the tracks alone.
enum TrackQuestion: String, CaseIterable, Sendable {
    /// The different artists.
    case distinct
    /// How many artists there are.
    case countDistinct
    /// How many tracks have plays in a range.
    case count
    /// The plays in a range.
    case select
    /// The sum of the plays in a range.
    case sum
    /// The artists with the number of their tracks.
    case group

    /// A tenth of all plays.
    static let range = 300_000..<400_000

    var sql: String {
        let condition = "plays >= \(Self.range.lowerBound) AND plays < \(Self.range.upperBound)"
        return switch self {
        case .distinct: "SELECT DISTINCT artist FROM track"
        case .countDistinct: "SELECT count(DISTINCT artist) FROM track"
        case .count: "SELECT count(*) FROM track WHERE \(condition)"
        case .select: "SELECT plays FROM track WHERE \(condition)"
        case .sum: "SELECT sum(plays) FROM track WHERE \(condition)"
        case .group: "SELECT artist, count(*) FROM track GROUP BY artist"
        }
    }

    var title: String {
        switch self {
        case .distinct: "Different values of an index"
        case .countDistinct: "Number of different values"
        case .count: "Count of a range, 10%"
        case .select: "Values of a range, 10%"
        case .sum: "Sum over a range, 10%"
        case .group: "Groups of an index"
        }
    }
}
