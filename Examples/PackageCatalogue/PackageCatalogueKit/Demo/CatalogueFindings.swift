/// The answers of one engine that all others have to give, too.
struct CatalogueFindings: Equatable, Sendable {
    /// What the package with the most dependencies needs.
    var needs = PackageNeeds()
    var mostNeeded: [NeededName] = []
    /// The packages that provide the virtual name which most packages depend on.
    var providers: [String] = []
    /// What would break without the most needed package.
    var breaking: Set<String> = []
    /// The results of each search, in order.
    var searches: [[String]] = []
}
