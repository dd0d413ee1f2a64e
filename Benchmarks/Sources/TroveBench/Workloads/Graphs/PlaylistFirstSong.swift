/// Reading the first song of each playlist.
struct PlaylistFirstSong: PlaylistWorkload {
    let name = "playlist-first-song"
    let order = 10
    let title = "First song of each playlist"
    let explanation = """
        In a process that has just opened the store, and read nothing before, the first song of each playlist is read, as an object, in one snapshot. \
        The time is that of all playlists; opening is not in it, see playlist-reopen.
        """

    func expected(_ scale: Scale, seed: Int) -> Tally? { scale.playlists.tallyOfFirstMembers() }

    func run(on store: any PlaylistStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        try gauge.measure(try store.readingFirstSongs())
    }
}
