/// An open store of songs and playlists of them.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol PlaylistStore: Sendable {
    /// Makes all songs and playlists and returns what stores them in one transaction.
    func insertion() throws -> () throws -> Void

    /// Returns what reads the first song of each playlist, in one snapshot.
    func readingFirstSongs() throws -> () throws -> Tally

    /// The number of songs, of playlists, and of places in playlists, added up.
    func count() throws -> Int

    func close() throws
}
