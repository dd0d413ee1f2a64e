import Trove

/// What needs what among the packages of a store, as one snapshot or transaction sees it.
///
/// ```swift
/// let needs = try await store.read { try PackageGraph($0).needs(of: "git") }
/// ```
struct PackageGraph {
    let snapshot: ReadTransaction

    init(_ snapshot: ReadTransaction) { self.snapshot = snapshot }

    /// The packages that name another, or a virtual name, among what they depend on.
    func dependents(of name: String) -> Fetch<CataloguePackage, ReadTransaction> {
        snapshot.referencing(Reference<CataloguePackage>(id: name), from: CataloguePackage.self, \.depends)
    }

    /// The packages that work better with another.
    func recommenders(of name: String) -> Fetch<CataloguePackage, ReadTransaction> {
        snapshot.referencing(Reference<CataloguePackage>(id: name), from: CataloguePackage.self, \.recommends)
    }

    /// The packages that provide a name, which need not be that of a package.
    func providers(of name: String) -> Fetch<CataloguePackage, ReadTransaction> {
        snapshot.referencing(Reference<CataloguePackage>(id: name), from: CataloguePackage.self, \.provides)
    }

    /// The names that most packages depend on, virtual ones among them; of equals those that come first.
    func mostNeeded(_ limit: Int) throws -> [NeededName] {
        var counts: [String: Int] = [:]
        // Of a record only this one field is read.
        for dependencies in try snapshot.fetch(CataloguePackage.self).select(\.depends).all() {
            for name in Set(dependencies) { counts[name.id, default: 0] += 1 }
        }
        return NeededName.most(counts, limit)
    }
}
