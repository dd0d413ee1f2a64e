import Trove

extension PackageGraph {
    /// The packages that would no longer work without one: those that depend on it, those that depend on them, and so on.
    ///
    /// A dependency on a virtual name breaks with the last package that provides it.
    func breaking(without name: String) throws -> Set<String> {
        var gone: Set<String> = [name]
        var round = [name]
        while !round.isEmpty {
            let lost = try round + virtualNames(lostWith: round, gone)
            let references = lost.map(Reference<CataloguePackage>.init(id:))
            let dependents = try snapshot.fetch(CataloguePackage.self).where { $0.depends.any { $0.isIn(references) } }.ids()
            round = dependents.filter { gone.insert($0).inserted }
        }
        gone.remove(name)
        return gone
    }

    /// The names of no package that some of these packages provide, and none that is not gone.
    private func virtualNames(lostWith packages: [String], _ gone: Set<String>) throws -> [String] {
        let provided = Set(try snapshot.fetch(references: packages.map(Reference<CataloguePackage>.init(id:))).flatMap(\.provides))
        if provided.isEmpty { return [] }
        let real = Set(try snapshot.fetch(references: provided).map(\.name))
        let providers = try snapshot.fetch(CataloguePackage.self).where { $0.provides.any { $0.isIn(provided) } }.select(\.name, \.provides).all()
        var kept = real
        for (name, provides) in providers where !gone.contains(name) { kept.formUnion(provides.map(\.id)) }
        return provided.map(\.id).filter { !kept.contains($0) }
    }
}
