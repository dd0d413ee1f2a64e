/// Counting what a filter lets through, without an index.
struct FilterCount: TrackWorkload {
    private static let year = 1990

    let name = "filter-count"
    let title = "Filter and count, no index"
    let explanation = """
        The tracks after 1990, a third of all, are counted; there is no index on the year. C on keys and values looks at the \
        bytes of every record. The time is that of one track looked at, measured after one round that is not.
        """
    let unit = ResultUnit.time
    let order = 10

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? {
        Tally(count: scale.stored.count { scale.tracks.year($0) > Self.year })
    }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let count = try store.countingTracks(after: Self.year)
        _ = try count()
        return Tally(count: try gauge.measure(count))
    }
}
