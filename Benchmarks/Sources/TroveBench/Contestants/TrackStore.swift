/// An open store of tracks.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol TrackStore: Sendable {
    /// Makes all tracks and returns what stores them in one transaction.
    func insertion() throws -> () throws -> Void

    /// Returns what counts the tracks of later years, among all.
    func countingTracks(after year: Int) throws -> () throws -> Int

    /// Returns what reads all tracks of each artist, in one snapshot.
    func finding(artists: [String]) throws -> () throws -> Tally

    /// Returns what reads all tracks with plays in each range, in one snapshot.
    func finding(plays ranges: [Range<Int>]) throws -> () throws -> Tally

    /// Returns what counts the tracks of each label.
    func countingByLabel() throws -> () throws -> Tally

    /// The number of tracks.
    func count() throws -> Int

    func close() throws
}
