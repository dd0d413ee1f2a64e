import Trove

/// Takes one engine through everything a store does, and checks each answer against the input.
struct CatalogueDemo {
    let engine: EngineChoice
    let survey: CatalogueSurvey
    let directory: StoreDirectory
    let console: Console
    /// Whether answers are shown, or only compared with those of the engine before.
    let showsAnswers: Bool

    /// - Throws: ``Disagreement`` when an answer is wrong; ``CatalogueError``; errors of the store.
    func run() async throws -> EngineReport {
        var store = try ObjectStore(engine.open(path: directory.path(of: engine)), models: CataloguePackage.self)
        try console.heading(engine.isPersistent ? "\(engine.title) \(store.capabilities.engineVersion)" : engine.title)

        var report = try await measure(store)
        try show(report)
        try await relate(in: store, &report.findings)
        try await search(in: store, &report.findings)

        var expected = survey.checksum
        try await edit(survey.examples[0], in: store, &expected)
        try await deny(in: store, expected)
        try await delete(survey.examples[1], in: store, &expected)
        try await rollBack(in: store, expected)
        if engine.isPersistent { store = try await reopen(store, expected) }
        try await verify(store)
        try await copy(store, expected)

        report.checksum = expected
        try await store.close()
        return report
    }

    /// Throws unless the store holds exactly the packages of this checksum.
    func require(_ expected: CatalogueChecksum, in store: ObjectStore, after step: String) async throws {
        let found = try await contents(of: store)
        if found != expected {
            throw disagreement("after \(step) there are \(found.count.packages) with the checksum \(found), not \(expected.count) with \(expected)")
        }
    }

    /// The number and the checksum of all packages, read in one snapshot.
    func contents(of store: ObjectStore) async throws -> CatalogueChecksum {
        try await store.read { snapshot in
            var checksum = CatalogueChecksum()
            try snapshot.fetch(CataloguePackage.self).forEach { package, _ in checksum.add(package) }
            return checksum
        }
    }

    func disagreement(_ finding: String) -> Disagreement {
        Disagreement(engine: engine.title, finding: finding)
    }

    private func show(_ report: EngineReport) throws {
        var table = ReportTable("Step", "Objects", "Seconds", "Objects/s")
        func add(_ step: String, _ measurement: Measurement) {
            table.add(step, measurement.objects.grouped, measurement.seconds.withDecimals(3), measurement.rate)
        }
        add("Import from JSON", report.importing)
        add("  of which storing", report.storing)
        add("Read all", report.reading)
        add("Follow dependencies", report.lookup)
        for line in table.lines { try console.line(line) }
        let size = engine.isPersistent ? "File \(report.fileSize.asByteCount)" : "No file"
        try console.paragraph("  ", "\(size) · checksum of what was read \(survey.checksum), as in the input")
        try console.line()
    }
}
