import Trove

extension CatalogueDemo {
    /// Asks for packages in several ways, and shows what was found and how.
    func search(in store: ObjectStore, _ findings: inout CatalogueFindings) async throws {
        let packages = store.fetch(CataloguePackage.self)
        let searches = [
            ("The largest games", packages.where { $0.section == "games" }.sorted(by: \.installedSize, .descending)),
            ("Required, above 5 MB", packages.matching("priority = 'required' and installedSize > 5000 order by installedSize desc")),
            ("In need of something above 300 MB", packages.where { $0.depends.any { $0.installedSize > 300_000 } }),
        ]
        for (title, search) in searches {
            let search = search.limit(5)
            let found = try await search.all().map(\.name)
            findings.searches.append(found)
            if showsAnswers { try await show(title, found, search.explain()) }
        }
        try await rank("web server", in: packages, &findings)
        try await group(packages, &findings)
        try console.check("search", "\(findings.searches.count) searches: by value, text, words and relationship, and in groups")
    }

    /// Finds packages by words of their descriptions, the best first.
    private func rank(_ words: String, in packages: Fetch<CataloguePackage, ObjectStore>, _ findings: inout CatalogueFindings) async throws {
        let hits = try await packages.limit(5).search(words)
        findings.searches.append(hits.map(\.object.name))
        guard showsAnswers else { return }
        try await show("The words '\(words)'", hits.map(\.object.name), packages.where { $0.description.hasWords(words) }.explain())
    }

    /// Adds up sections; the store keeps these numbers with an index.
    private func group(_ packages: Fetch<CataloguePackage, ObjectStore>, _ findings: inout CatalogueFindings) async throws {
        let sections = packages.grouped(by: \.section)
        let groups = try await sections.aggregate(.count, .sum(\.installedSize)).sorted { $0.values.1 > $1.values.1 }
        let largest = groups.prefix(5).map { "\($0.key ?? "none") (\($0.values.0.grouped), \((Double($0.values.1) * 1024).asByteCount))" }
        findings.searches.append(largest)
        if showsAnswers { try await show("The largest sections", largest, sections.explain(.count, .sum(\.installedSize))) }
    }

    private func show(_ title: String, _ found: [String], _ explanation: Explanation) throws {
        try console.paragraph("  ", "\(title): \(found.isEmpty ? "none" : found.joined(separator: ", "))")
        for line in explanation.description.split(separator: "\n") { try console.line("      " + line.prefix(max(74, console.width - 6))) }
        try console.line()
    }
}
