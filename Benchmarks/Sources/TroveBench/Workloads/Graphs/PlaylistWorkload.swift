/// A workload on playlists.
protocol PlaylistWorkload: Workload {
    func run(on store: any PlaylistStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally
}

extension PlaylistWorkload {
    var family: StoreFamily { .playlists }
    var preparation: [String] { ["playlist-insert"] }
    var unit: ResultUnit { .time }
    // The whole graph is one piece of work.
    func operations(_ scale: Scale) -> Int { 1 }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openPlaylists(place, scale.playlists)
        if !contestant.isPersistent && !fillsStore { try store.insertion()() }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
