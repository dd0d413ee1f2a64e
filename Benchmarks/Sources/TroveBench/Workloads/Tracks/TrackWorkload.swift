/// A workload on tracks with two indexes.
protocol TrackWorkload: Workload {
    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally
}

extension TrackWorkload {
    var family: StoreFamily { .tracks }
    var preparation: [String] { ["indexed-insert"] }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openTracks(place, scale.tracks)
        if !contestant.isPersistent && !fillsStore { try store.insertion()() }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
