/// A workload on songs.
protocol SongWorkload: Workload {
    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally
}

extension SongWorkload {
    var family: StoreFamily { .songs }
    var preparation: [String] { ["bulk-insert"] }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openSongs(place)
        if !contestant.isPersistent && !fillsStore { try store.insertion(of: scale.stored)() }
        let tally = try await run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
