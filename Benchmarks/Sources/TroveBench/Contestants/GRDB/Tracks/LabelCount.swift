import GRDB

/// A label and the number of its tracks.
struct LabelCount: FetchableRecord, Sendable {
    let label: String
    let tracks: Int

    init(row: Row) {
        label = row[0]
        tracks = row[1]
    }
}

extension Tally {
    /// Adds labels.
    mutating func add(_ counts: [LabelCount]) {
        for count in counts { add(label: count.label, tracks: count.tracks) }
    }
}
