import GRDB

/// What a package needs, recommends or provides, by name, or a tag: its kind and its place among those.
struct GRDBPackageDetail: PersistableRecord, Sendable {
    static let databaseTableName = "detail"

    let package: Int64
    let kind: Int
    let position: Int
    let name: String

    func encode(to container: inout PersistenceContainer) {
        container["package"] = package
        container["kind"] = kind
        container["position"] = position
        container["name"] = name
    }

    /// All of a package.
    static func all(of row: PackageRow, id: Int64) -> [GRDBPackageDetail] {
        (row.relations + [row.tags ?? []]).enumerated().flatMap { kind, names in
            names.enumerated().map { GRDBPackageDetail(package: id, kind: kind, position: $0, name: $1) }
        }
    }
}
