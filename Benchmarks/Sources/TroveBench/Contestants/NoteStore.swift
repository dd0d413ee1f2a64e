/// An open store of documents without a type, every path of which is indexed.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol NoteStore: Sendable {
    /// Makes documents and returns what stores them, so many in each transaction.
    func insertion(of data: NoteData, batch: Int) throws -> () throws -> Void

    /// Reads all documents of these authors, a transaction for each author, and adds up their numbers.
    func documents(by authors: [String]) throws -> () throws -> Tally

    /// The number of documents.
    func count() throws -> Int

    func close() throws
}
