import Foundation
import Trove

/// A package of the sample with an index for every kind of query that is asked of it.
@Model("Package")
struct IndexedPackage: Decodable {
    #Unique<IndexedPackage>([\.name], identity: true)
    #Index<IndexedPackage>([.ascending(\.section), .descending(\.installedSize)])
    #Index<IndexedPackage>([\.section], name: "sections", aggregates: [.count, .sum(\.installedSize)])
    #Index<IndexedPackage>([\.installedSize])
    #Index<IndexedPackage>([\.depends])
    #Index<IndexedPackage>([\.tags])
    #Index<IndexedPackage>([.descending(\.source)])
    var name: String
    var version: String
    @Attribute(.indexed) var architecture: String
    @Attribute(.substring, .indexed(ignoringCase: true)) var description: String
    var section: String?
    @Attribute(.indexed) var priority: String?
    var source: String?
    var installedSize: Int?
    var downloadSize: Int?
    var depends: [String] = []
    var recommends: [String] = []
    var provides: [String] = []
    var tags: [String] = []
}

/// The same without an index.
@Model("Package")
struct PlainPackage: Decodable {
    #Unique<PlainPackage>([\.name], identity: true)
    var name: String
    var version: String
    var architecture: String
    var description: String
    var section: String?
    var priority: String?
    var source: String?
    var installedSize: Int?
    var downloadSize: Int?
    var depends: [String] = []
    var recommends: [String] = []
    var provides: [String] = []
    var tags: [String] = []
}
