import Trove

/// One package of a Linux distribution, as its package index describes it.
///
/// An index has each name once, so the name is the identity: the names in ``depends`` are ids of other packages.
@Model
struct CataloguePackage: Equatable {
    #Unique<CataloguePackage>([\.name], identity: true)

    var name: String
    var version: String
    var architecture: String
    /// One sentence.
    var description: String
    var section: String?
    var priority: PackagePriority?
    /// The source package it is built from.
    var source: String?
    /// In KiB, on the disk.
    var installedSize: Int?
    /// In bytes.
    var downloadSize: Int?
    /// Names of packages, or of what packages provide.
    var depends: [String] = []
    var recommends: [String] = []
    /// Further names under which others may depend on it.
    var provides: [String] = []
    /// Classification in `facet::tag` form.
    var tags: [String] = []
}
