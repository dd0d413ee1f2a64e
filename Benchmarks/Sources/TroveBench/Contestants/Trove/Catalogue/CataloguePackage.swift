import Trove

/// A package, identified by its name; what it needs are references by name.
@Model
struct CataloguePackage {
    #Unique<CataloguePackage>([\.name], identity: true)
    #Index<CataloguePackage>([.ascending(\.section), .descending(\.installedSize)])

    var name: String
    var version: String
    var architecture: String
    @Attribute(.fullText) var description: String
    var section: String?
    var source: String?
    var installedSize: Int?
    var downloadSize: Int?
    @Relationship(whenTargetDeleted: .noAction) var depends: [Reference<CataloguePackage>] = []
    @Relationship(whenTargetDeleted: .noAction) var recommends: [Reference<CataloguePackage>] = []
    @Relationship(whenTargetDeleted: .noAction) var provides: [Reference<CataloguePackage>] = []
    var tags: [String] = []
}

extension CataloguePackage {
    init(_ row: PackageRow) {
        let relations = row.relations.map { names in names.map { Reference<CataloguePackage>(id: $0) } }
        self.init(
            name: row.name, version: row.version, architecture: row.architecture, description: row.description, section: row.section,
            source: row.source, installedSize: row.installedSize, downloadSize: row.downloadSize, depends: relations[0], recommends: relations[1],
            provides: relations[2], tags: row.tags ?? [])
    }
}
