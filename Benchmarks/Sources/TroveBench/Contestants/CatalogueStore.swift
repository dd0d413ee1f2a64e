/// An open store of the packages of a Linux distribution.
///
/// As with ``SongStore``, what a call needs to have ready is made outside of the closure that is measured.
protocol CatalogueStore: Sendable {
    /// Returns what stores all packages in one transaction.
    func insertion(of packages: [PackageRow]) throws -> () throws -> Void

    /// What is stored: the number of packages, that of their relations and tags, and the bytes of their descriptions.
    func tally() throws -> Tally

    func close() throws
}
