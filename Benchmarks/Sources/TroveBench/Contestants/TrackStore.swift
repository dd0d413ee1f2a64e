/// An open store of tracks with an index on the artist and one on the plays.
protocol TrackStore: LabelStore {
    /// Returns what counts the tracks of later years, among all.
    func countingTracks(after year: Int) throws -> () throws -> Int

    /// Returns what reads all tracks of each artist, in one snapshot.
    func finding(artists: [String]) throws -> () throws -> Tally

    /// Returns what reads the first tracks of each artist, at most `limit`, in a snapshot each.
    func finding(firstOf artists: [String], limit: Int) throws -> () throws -> Tally

    /// Returns what answers a question.
    func answering(_ question: TrackQuestion) throws -> () throws -> Tally

    /// Returns what reads all tracks with plays in each range, in one snapshot.
    func finding(plays ranges: [Range<Int>]) throws -> () throws -> Tally
}
