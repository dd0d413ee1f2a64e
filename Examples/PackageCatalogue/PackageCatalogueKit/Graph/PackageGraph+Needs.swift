import Trove

extension PackageGraph {
    /// Follows dependencies from package to package until nothing new is met.
    ///
    /// Each round asks for all packages that the last one named, in one call.
    func needs(of name: String) throws -> PackageNeeds {
        var needs = PackageNeeds()
        var asked: Set<String> = [name]
        var round = [name]
        while !round.isEmpty {
            let packages = try snapshot.fetch(references: round.map(Reference<CataloguePackage>.init(id:)))
            needs.packages.formUnion(packages.map(\.name))
            var named = packages.flatMap { $0.depends.map(\.id) }
            for virtual in round where !needs.packages.contains(virtual) {
                if let provider = try providers(of: virtual).limit(1).ids().first {
                    needs.virtual[virtual] = provider
                    named.append(provider)
                } else {
                    needs.missing.insert(virtual)
                }
            }
            round = named.filter { asked.insert($0).inserted }
        }
        return needs
    }
}
