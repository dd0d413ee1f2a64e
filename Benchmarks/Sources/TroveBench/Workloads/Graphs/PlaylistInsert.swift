/// Storing songs and playlists of them.
struct PlaylistInsert: PlaylistWorkload {
    let name = "playlist-insert"
    let title = "Songs and playlists stored"
    let explanation = """
        Songs, and for each hundred of them a playlist of 100 songs in order, drawn at random so that they repeat, are stored in a new store, in one \
        transaction, with what is needed to find the playlists of a song: Trove's index of what points where, an index on the join table. \
        The time is that of the whole graph.
        """

    var preparation: [String] { [] }

    func expected(_ scale: Scale, seed: Int) -> Tally? {
        Tally(count: scale.count + scale.playlists.listCount + scale.playlists.listCount * scale.playlists.listLength)
    }

    func run(on store: any PlaylistStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let insert = try store.insertion()
        try gauge.measure(insert)
        return Tally(count: try store.count())
    }
}
