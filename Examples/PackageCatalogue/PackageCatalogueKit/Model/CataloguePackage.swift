import Trove

/// One package of a Linux distribution, as its package index describes it.
///
/// An index has each name once, so the name is the identity, and a reference to a package is its name. A name that no package has may be
/// **virtual**: other packages provide it. References to such names point at nothing that is stored, which a store allows.
///
/// What depends on a package is not stored with it: the C library of a whole index would have a list of 20,000 packages, to be written anew with
/// each package that is added. The index that the store keeps of every relationship has it, see ``PackageGraph/dependents(of:)``.
@Model
struct CataloguePackage: Equatable {
    #Unique<CataloguePackage>([\.name], identity: true)
    #Index<CataloguePackage>([.ascending(\.section), .descending(\.installedSize)], name: "section, largest first")
    #Index<CataloguePackage>([\.section], name: "sections", aggregates: [.count, .sum(\.installedSize)])

    var name: String
    var version: String
    var architecture: String
    /// One sentence.
    @Attribute(.fullText) var description: String
    var section: String?
    var priority: PackagePriority?
    /// The source package it is built from.
    var source: String?
    /// In KiB, on the disk.
    var installedSize: Int?
    /// In bytes.
    var downloadSize: Int?
    /// What it does not work without, in the order in which the index names it. A package that others depend on cannot be deleted alone.
    @Relationship(whenTargetDeleted: .deny) var depends: [Reference<CataloguePackage>] = []
    @Relationship(whenTargetDeleted: .noAction) var recommends: [Reference<CataloguePackage>] = []
    /// Further names under which others may depend on it.
    @Relationship(whenTargetDeleted: .noAction) var provides: [Reference<CataloguePackage>] = []
    /// Classification in `facet::tag` form.
    var tags: [String] = []
}
