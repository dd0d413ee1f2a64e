/// An open store of tracks that has an index on the label besides the other two, or is read as if it had none.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol LabelStore: Sendable {
    /// Makes all tracks and returns what stores them in one transaction.
    func insertion() throws -> () throws -> Void

    /// Returns what counts the tracks of each label.
    func countingByLabel() throws -> () throws -> Tally

    /// The number of tracks.
    func count() throws -> Int

    func close() throws
}
