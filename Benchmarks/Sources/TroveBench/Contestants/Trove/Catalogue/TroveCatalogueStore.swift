import Trove

/// Packages on any of Trove's engines.
final class TroveCatalogueStore: CatalogueStore {
    private let store: ObjectStore
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Packages are inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, syncsAfterLoad: Bool) throws {
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: CataloguePackage.self)
    }

    func insertion(of packages: [PackageRow]) throws -> () throws -> Void {
        let packages = packages.map(CataloguePackage.init)
        return {
            try self.store.save(packages, durability: self.syncsAfterLoad ? .buffered : nil)
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func tally() throws -> Tally {
        var tally = Tally()
        try store.fetch(CataloguePackage.self).forEach { package, _ in
            let relations = package.depends.count + package.recommends.count + package.provides.count
            tally.add(title: package.description, seconds: relations + package.tags.count)
        }
        return tally
    }

    func close() throws { try store.close() }
}
