/// What a process of a crowd does between its transactions, and is killed in.
package enum CrowdWindow: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Nothing else.
    case writing
    /// Closing the store and opening it again.
    case opening
    /// Entering a model into the store's catalogue.
    case catalogue
    /// Building the indexes again.
    case indexing
    /// Compacting, which other processes may refuse.
    case compaction
    /// Writing a backup and opening it.
    case backup
    /// Observing a query.
    case observing
    /// Storing a blob piece by piece.
    case uploading

    package var description: String { rawValue }
}
