/// An open store of a tree and the nodes it owns.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol TreeStore: Sendable {
    /// Makes the tree and all nodes and returns what stores them in one transaction.
    func insertion() throws -> () throws -> Void

    /// Returns what deletes the tree with its nodes in one transaction.
    func deletion() throws -> () throws -> Void

    /// The number of trees and of nodes, added up.
    func count() throws -> Int

    func close() throws
}
