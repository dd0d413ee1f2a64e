/// An open store of documents, every attribute of which is indexed.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol DocumentStore: Sendable {
    /// Makes documents and returns what stores them, so many in each transaction.
    func insertion(count: Int, batch: Int) throws -> () throws -> Void

    /// Reads all documents that have an attribute in common with the one of this number, those of each attribute by its index.
    func documents(like number: Int) throws -> Tally

    /// The number of documents.
    func count() throws -> Int

    func close() throws
}
