/// Finding a few objects by an indexed value, a snapshot each.
struct IndexFirst: TrackWorkload {
    static let variants: [any Workload] = [
        IndexFirst(name: "index-first", title: "First object of an equality", limit: 1),
        IndexFirst(name: "index-ten", title: "Ten objects of an equality", limit: 10),
    ]

    let name: String
    let title: String
    let limit: Int
    var explanation: String {
        """
        The first \(limit == 1 ? "track" : "\(limit) tracks") of an artist, who has 100, \(limit == 1 ? "is" : "are") found by the index and \
        read; for a thousand artists drawn at random, in a snapshot each. Measured after as many others.
        """
    }
    let unit = ResultUnit.time
    let order = 25

    func operations(_ scale: Scale) -> Int { scale.equalityQueries }

    func expected(_ scale: Scale, seed: Int) -> Tally? {
        let data = scale.tracks
        var first = [[Int]](repeating: [], count: data.artistCount)
        for number in scale.stored {
            let artist = data.artistNumber(number)
            if first[artist].count < limit { first[artist].append(number) }
        }
        var tally = Tally()
        for artist in scale.randomArtists(seed: seed) {
            for number in first[artist] { tally.add(data.tally(of: number)) }
        }
        return tally
    }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        func names(_ seed: Int) -> [String] { scale.randomArtists(seed: seed).map(scale.tracks.artistName) }
        let warmUp = try store.finding(firstOf: names(scale.warmUpSeed(seed)), limit: limit)
        let find = try store.finding(firstOf: names(seed), limit: limit)
        _ = try warmUp()
        return try gauge.measure(find)
    }
}
