/// An open store of titles.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol TitleStore: Sendable {
    /// Makes all titles and returns what stores them in one transaction.
    func insertion() throws -> () throws -> Void

    /// Returns what reads all titles with each of these words, in one snapshot.
    func finding(words: [String]) throws -> () throws -> Tally

    /// Returns what reads the best titles that have both words of each pair, in one snapshot: their texts, the best first.
    func ranking(pairs: [(String, String)], limit: Int) throws -> () throws -> [[String]]

    /// The number of titles.
    func count() throws -> Int

    func close() throws
}
