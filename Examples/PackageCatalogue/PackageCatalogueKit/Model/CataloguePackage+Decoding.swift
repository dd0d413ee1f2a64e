import Trove

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
        installedSize = try Self.size(.installedSize, in: row)
        downloadSize = try Self.size(.downloadSize, in: row)
        depends = try row.decodeIfPresent([Reference<CataloguePackage>].self, forKey: .depends) ?? []
        recommends = try row.decodeIfPresent([Reference<CataloguePackage>].self, forKey: .recommends) ?? []
        provides = try row.decodeIfPresent([Reference<CataloguePackage>].self, forKey: .provides) ?? []
        tags = try row.decodeIfPresent([String].self, forKey: .tags) ?? []
    }

    /// A size that is missing is nil; one that is no size is an error that names the field, which `Int` would not give.
    private static func size(_ key: CodingKeys, in row: KeyedDecodingContainer<CodingKeys>) throws -> Int? {
        guard let number = try row.decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard let size = Int(exactly: number), size >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: row, debugDescription: "\(number) is not a whole number from 0 up")
        }
        return size
    }
}
