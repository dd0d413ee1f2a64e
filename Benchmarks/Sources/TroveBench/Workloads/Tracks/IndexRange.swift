/// Finding objects by a range of an indexed value.
struct IndexRange: TrackWorkload {
    let name = "index-range"
    let title = "Range on an index, 1%"
    let explanation = """
        The tracks whose plays are in a range, one in a hundred of all, are found by the index and read into an array of \
        structs; ten ranges drawn at random, in one snapshot. The time is that of one track found, measured after ten other ranges.
        """
    let unit = ResultUnit.time
    let order = 40

    func operations(_ scale: Scale) -> Int { scale.rangeQueries * scale.count / 100 }

    func expected(_ scale: Scale, seed: Int) -> Tally? {
        let ranges = scale.randomRanges(seed: seed)
        return scale.tracks.tally { number in
            let plays = scale.tracks.plays(number)
            return ranges.count { $0.contains(plays) }
        }
    }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let warmUp = try store.finding(plays: scale.randomRanges(seed: scale.warmUpSeed(seed)))
        let find = try store.finding(plays: scale.randomRanges(seed: seed))
        _ = try warmUp()
        return try gauge.measure(find)
    }
}
