/// Finding objects by an indexed value.
struct IndexEquality: TrackWorkload {
    let name = "index-equality"
    let title = "Equality on an index, 100 objects"
    let explanation = """
        The 100 tracks of an artist are found by the index and read into an array of structs, every property decoded; for a \
        thousand artists drawn at random, in one snapshot. The time is that of one artist, measured after as many others.
        """
    let unit = ResultUnit.time
    let order = 30

    func operations(_ scale: Scale) -> Int { scale.equalityQueries }

    func expected(_ scale: Scale, seed: Int) -> Tally? {
        var wanted = [Int](repeating: 0, count: scale.tracks.artistCount)
        for artist in scale.randomArtists(seed: seed) { wanted[artist] += 1 }
        return scale.tracks.tally { wanted[scale.tracks.artistNumber($0)] }
    }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let warmUp = try store.finding(artists: scale.randomArtists(seed: scale.warmUpSeed(seed)).map(scale.tracks.artistName))
        let find = try store.finding(artists: scale.randomArtists(seed: seed).map(scale.tracks.artistName))
        _ = try warmUp()
        return try gauge.measure(find)
    }
}
