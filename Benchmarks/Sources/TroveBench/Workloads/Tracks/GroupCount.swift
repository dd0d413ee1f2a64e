/// Counting by groups, with an index.
struct GroupCount: Workload {
    /// How often it is done.
    private static let rounds = 10

    let name = "group-count"
    let title = "Group and count, by index"
    let explanation = """
        The same with an index on the label, in which Trove keeps the numbers and which SQLite counts through. The time is \
        that of one whole count, ten of which are measured after one that is not.
        """
    let unit = ResultUnit.time
    let order = 95
    let family = StoreFamily.tracks
    let preparation = ["indexed-insert", "index-build"]

    func operations(_ scale: Scale) -> Int { Self.rounds }

    func expected(_ scale: Scale, seed: Int) -> Tally? { scale.tracks.tallyOfLabels() }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openLabelledTracks(place, scale.tracks)
        if !contestant.isPersistent { try store.insertion()() }
        let count = try store.countingByLabel()
        _ = try count()
        let tally = try gauge.measure {
            var tally = Tally()
            for _ in 0..<Self.rounds { tally = try count() }
            return tally
        }
        try store.close()
        return tally
    }
}
