/// What the input holds, found before anything is stored, so that stores can be checked against it.
struct CatalogueSurvey: Sendable {
    /// Packages that most indexes have and most people know.
    private static let wellKnown: Set<String> = ["bash", "git", "sqlite3"]

    let path: String
    private(set) var count = 0
    private(set) var checksum = CatalogueChecksum()
    /// The package with the most dependencies of its own.
    private(set) var neediest: String
    /// Three packages to look at, or two when there are no more.
    private(set) var examples: [CataloguePackage]

    /// Reads the whole file; `progress` gets the number of packages now and then.
    ///
    /// - Throws: ``CatalogueError`` when there is a row that is no package, or too few of them.
    init(path: String, progress: (Int) throws -> Void) throws {
        self.path = path
        var known: [CataloguePackage] = []
        var first: [CataloguePackage] = []
        var most: CataloguePackage?
        var reader = try PackageReader(path: path)
        while let package = try reader.next() {
            count += 1
            checksum.add(package)
            if count.isMultiple(of: 1_000) { try progress(count) }
            if Self.wellKnown.contains(package.name) {
                known.append(package)
            } else if first.count < 3 {
                first.append(package)
            }
            if package.depends.count > most?.depends.count ?? -1 { most = package }
        }
        guard let most, count >= 2 else { throw CatalogueError.tooFewPackages(path: path, count: count) }
        neediest = most.name
        examples = Array((known + first).prefix(3))
    }
}
