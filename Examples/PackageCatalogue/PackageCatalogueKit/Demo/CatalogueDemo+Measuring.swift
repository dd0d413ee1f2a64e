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
        guard read == survey.count, contents == survey.checksum else {
            throw disagreement("\(survey.count) packages with the checksum \(survey.checksum) went in, \(read) with \(contents) came out")
        }

        let neediest = survey.neediest
        let lookupStart = clock.now
        let needs = try await store.read { try PackageGraph($0).needs(of: neediest) }
        let lookupTime = clock.now - lookupStart
        return EngineReport(
            engine: engine,
            importing: Measurement(objects: importer.imported, duration: importTime),
            storing: Measurement(objects: importer.imported, duration: importer.storingTime),
            reading: Measurement(objects: read, duration: readTime),
            lookup: Measurement(objects: needs.packages.count, duration: lookupTime),
            fileSize: try await store.statistics().fileSize, findings: CatalogueFindings(needs: needs), checksum: contents)
    }
}
