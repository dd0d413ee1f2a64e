/// Importing the package index of a Linux distribution.
struct CatalogueImport: Workload {
    let name = "catalogue-import"
    let title = "A package index imported"
    let explanation = """
        The packages of a Linux distribution, 3,593 in the sample of the demo, or those of --catalogue, are stored in one transaction in a new store, \
        with an index on section and size, a unique name, the words of the description, their tags, and what they need by name, so that \
        it can be asked who needs a package. The file is read before. The time is that of the whole.
        """
    let unit = ResultUnit.time
    let family = StoreFamily.catalogue
    let preparation: [String] = []

    func operations(_ scale: Scale) -> Int { 1 }

    // How many there are is known to the file alone; all have to store the same.
    func expected(_ scale: Scale, seed: Int) -> Tally? { nil }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let packages = try PackageRow.all(path: place.recordFile)
        let store = try contestant.openCatalogue(place)
        let insert = try store.insertion(of: packages)
        try gauge.measure(insert)
        let tally = try store.tally()
        guard tally.count == packages.count else { throw BenchmarkError("\(tally.count) of \(packages.count) packages are stored") }
        try store.close()
        return tally
    }
}
