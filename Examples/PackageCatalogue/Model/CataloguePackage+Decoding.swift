/// Packages are read from JSON by hand-written rules: rows need a name, a version, an architecture and a
/// description; what else they lack is nil or empty. The store itself does not use `Decodable`.
extension CataloguePackage: Decodable {
    private enum CodingKeys: String, CodingKey {
        case name, version, architecture, description, section, priority, source
        case installedSize, downloadSize, depends, recommends, provides, tags
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        name = try row.decode(String.self, forKey: .name)
        if name.isEmpty {
            throw DecodingError.dataCorruptedError(forKey: .name, in: row, debugDescription: "it is empty")
        }
        version = try row.decode(String.self, forKey: .version)
        architecture = try row.decode(String.self, forKey: .architecture)
        description = try row.decode(String.self, forKey: .description)
        section = try row.decodeIfPresent(String.self, forKey: .section)
        priority = try row.decodeIfPresent(PackagePriority.self, forKey: .priority)
        source = try row.decodeIfPresent(String.self, forKey: .source)
        installedSize = try row.decodeIfPresent(Int.self, forKey: .installedSize)
        downloadSize = try row.decodeIfPresent(Int.self, forKey: .downloadSize)
        depends = try row.decodeIfPresent([String].self, forKey: .depends) ?? []
        recommends = try row.decodeIfPresent([String].self, forKey: .recommends) ?? []
        provides = try row.decodeIfPresent([String].self, forKey: .provides) ?? []
        tags = try row.decodeIfPresent([String].self, forKey: .tags) ?? []
    }
}
