import Trove

extension CatalogueDemo {
    /// Imports the file, reads everything back, and follows dependencies from package to package.
    func measure(_ store: ObjectStore) async throws -> EngineReport {
        let clock = ContinuousClock()
        var importer = CatalogueImporter(store: store)
        let importStart = clock.now
        try await ProgressBar.show("Importing", on: console) { bar in
            try await importer.run(path: survey.path) { try bar.update($0, of: survey.count) }
        }
        let importTime = clock.now - importStart

        let readStart = clock.now
        let read = try await store.read { snapshot in
            var count = 0
            try snapshot.fetch(CataloguePackage.self).forEach { _, _ in count += 1 }
            return count
        }
        let readTime = clock.now - readStart
        let contents = try await contents(of: store)
        guard read == survey.count, contents.checksum == survey.checksum else {
            throw disagreement(
                "\(survey.count) packages with the checksum \(survey.checksum) went in, \(read) with \(contents.checksum) came out")
        }

        let lookupStart = clock.now
        let needed = try await dependencies(of: survey.neediest, in: store)
        let lookupTime = clock.now - lookupStart
        return EngineReport(
            engine: engine,
            importing: Measurement(objects: importer.imported, duration: importTime),
            storing: Measurement(objects: importer.imported, duration: importer.storingTime),
            reading: Measurement(objects: read, duration: readTime),
            lookup: Measurement(objects: needed.found, duration: lookupTime),
            unresolved: needed.unresolved, fileSize: try await store.statistics().fileSize,
            checksum: contents.checksum, count: contents.count)
    }

    /// How many packages a package brings, itself included, and how many names among their dependencies are of no package.
    ///
    /// Each round asks for all packages that the last one named, in one call, and all rounds see one snapshot.
    private func dependencies(of name: String, in store: ObjectStore) async throws -> (found: Int, unresolved: Int) {
        try await store.read { snapshot in
            var asked: Set<String> = [name]
            var found = 0
            var round = asked
            while !round.isEmpty {
                let packages = try snapshot.fetch(CataloguePackage.self, ids: round)
                found += packages.count
                round = Set(packages.flatMap(\.depends)).subtracting(asked)
                asked.formUnion(round)
            }
            return (found, asked.count - found)
        }
    }
}
