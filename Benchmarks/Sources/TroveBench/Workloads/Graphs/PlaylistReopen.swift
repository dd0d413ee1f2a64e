/// Opening the store of playlists and reading the first song of each.
struct PlaylistReopen: PlaylistWorkload {
    let name = "playlist-reopen"
    let order = 20
    let title = "The same, opening included"
    let explanation = "As playlist-first-song, but the time has the opening of the store in it."

    func expected(_ scale: Scale, seed: Int) -> Tally? { scale.playlists.tallyOfFirstMembers() }

    func run(on store: any PlaylistStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        try store.readingFirstSongs()()
    }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let (store, tally) = try gauge.measure {
            let store = try contestant.openPlaylists(place, scale.playlists)
            return (store, try store.readingFirstSongs()())
        }
        try store.close()
        return tally
    }
}
