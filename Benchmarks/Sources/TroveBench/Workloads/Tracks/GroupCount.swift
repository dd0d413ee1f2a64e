/// Counting by groups, with an index.
struct GroupCount: TrackWorkload {
    /// How often it is done.
    private static let rounds = 10

    let name = "group-count"
    let title = "Group and count, by index"
    let explanation = """
        The same with an index on the label, in which Trove keeps the numbers and which SQLite counts through. The time is \
        that of one whole count, ten of which are measured after one that is not.
        """
    let unit = ResultUnit.time
    var preparation: [String] { ["indexed-insert", "index-build"] }
    var hasLabelIndex: Bool { true }

    func operations(_ scale: Scale) -> Int { Self.rounds }

    func expected(_ scale: Scale, seed: Int) -> Tally? { scale.tracks.tallyOfLabels() }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let count = try store.countingByLabel()
        _ = try count()
        return try gauge.measure {
            var tally = Tally()
            for _ in 0..<Self.rounds { tally = try count() }
            return tally
        }
    }
}
