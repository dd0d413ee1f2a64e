/// Counting by groups, without an index.
struct GroupScan: TrackWorkload {
    let name = "group-scan"
    let title = "Group and count, no index"
    let explanation = """
        The tracks of each of 1,000 labels are counted; there is no index on the label. The time is that of one track \
        looked at, measured after one round that is not.
        """
    let unit = ResultUnit.time
    let order = 20

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { scale.tracks.tallyOfLabels() }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let count = try store.countingByLabel()
        _ = try count()
        return try gauge.measure(count)
    }
}
