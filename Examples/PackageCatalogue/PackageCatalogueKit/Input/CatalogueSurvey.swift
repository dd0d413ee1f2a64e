/// What the input holds, found before anything is stored, so that stores can be checked against it.
struct CatalogueSurvey: Sendable {
    /// Packages that most indexes have and most people know.
    private static let wellKnown: Set<String> = ["bash", "git", "sqlite3"]

    let path: String
    private(set) var checksum = CatalogueChecksum()
    /// The package with the most dependencies of its own.
    private(set) var neediest: String
    /// The names that most packages depend on.
    private(set) var mostNeeded: [NeededName]
    /// How many references there are to names that no package has.
    private(set) var danglingReferences: Int
    /// The name of no package that most packages depend on; nil when there is none.
    private(set) var virtualName: String?
    /// Three packages to look at, or two when there are no more.
    private(set) var examples: [CataloguePackage]

    /// The number of packages.
    var count: Int { checksum.count }

    /// Reads the whole file; `progress` gets the number of packages now and then.
    ///
    /// - Throws: ``CatalogueError`` when there is a row that is no package, or too few of them.
    init(path: String, progress: (Int) throws -> Void) throws {
        self.path = path
        var known: [CataloguePackage] = []
        var first: [CataloguePackage] = []
        var most: CataloguePackage?
        var names: Set<String> = []
        var dependents: [String: Int] = [:]
        var references: [String: Int] = [:]
        var reader = try PackageReader(path: path)
        while let package = try reader.next() {
            checksum.add(package)
            if checksum.count.isMultiple(of: 1_000) { try progress(checksum.count) }
            if Self.wellKnown.contains(package.name) {
                known.append(package)
            } else if first.count < 3 {
                first.append(package)
            }
            if package.depends.count > most?.depends.count ?? -1 { most = package }
            names.insert(package.name)
            for name in Set(package.depends) { dependents[name.id, default: 0] += 1 }
            for field in [package.depends, package.recommends, package.provides] {
                for name in Set(field) { references[name.id, default: 0] += 1 }
            }
        }
        guard let most, checksum.count >= 2 else { throw CatalogueError.tooFewPackages(path: path, count: checksum.count) }
        neediest = most.name
        examples = Array((known + first).prefix(3))
        mostNeeded = NeededName.most(dependents, 5)
        virtualName = NeededName.most(dependents.filter { !names.contains($0.key) }, 1).first?.name
        danglingReferences = references.reduce(0) { $0 + (names.contains($1.key) ? 0 : $1.value) }
    }
}
