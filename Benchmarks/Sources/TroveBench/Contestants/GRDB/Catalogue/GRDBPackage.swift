import GRDB

/// A package without its relations and tags, which have tables of their own.
struct GRDBPackage: PersistableRecord, Sendable {
    static let databaseTableName = "package"

    let id: Int64
    let row: PackageRow

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = row.name
        container["version"] = row.version
        container["architecture"] = row.architecture
        container["description"] = row.description
        container["section"] = row.section
        container["source"] = row.source
        container["installedSize"] = row.installedSize
        container["downloadSize"] = row.downloadSize
    }
}
