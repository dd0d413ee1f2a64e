import Trove

extension CatalogueDemo {
    /// Asks what needs what, in both directions, and compares the answers with what the file says.
    func relate(in store: ObjectStore, _ findings: inout CatalogueFindings) async throws {
        let survey = survey
        let (mostNeeded, counted, dangling) = try await store.read { snapshot in
            let graph = PackageGraph(snapshot)
            let mostNeeded = try graph.mostNeeded(survey.mostNeeded.count)
            // Once counted from what packages depend on, and once from the index of what points where.
            let counted = try mostNeeded.map { NeededName(name: $0.name, dependents: try graph.dependents(of: $0.name).count()) }
            return (mostNeeded, counted, try snapshot.danglingReferences().count)
        }
        guard mostNeeded == survey.mostNeeded, counted == mostNeeded else {
            throw disagreement("other names than in the file are those that most packages depend on")
        }
        guard dangling == survey.danglingReferences else {
            throw disagreement("\(dangling) references point at names of no package; in the file \(survey.danglingReferences) do")
        }
        findings.mostNeeded = mostNeeded
        if let name = survey.virtualName { findings.providers = try await store.read { try PackageGraph($0).providers(of: name).ids() } }
        if let name = mostNeeded.first?.name { findings.breaking = try await store.read { try PackageGraph($0).breaking(without: name) } }
        if showsAnswers { try await show(findings, store) }
        try console.check(
            "relate", "the \(mostNeeded.count) most needed names have as many dependents as in the file, "
                + "and \(dangling.grouped) references are to names of no package, as there")
        if showsAnswers { try console.line() }
    }

    private func show(_ findings: CatalogueFindings, _ store: ObjectStore) async throws {
        let names = survey.examples.map(\.name)
        // The packages and all they depend on, in two requests however many they are.
        let graph = try await store.fetch(CataloguePackage.self).where { $0.name.isIn(names) }.including { $0.depends }
        for package in graph.roots { try package.show(graph[package.depends], on: console) }
        try console.line()

        let needs = findings.needs
        try console.paragraph(
            "  Needs    ", "\(survey.neediest) needs \((needs.packages.count - 1).packages)"
                + Self.list(", some of them for virtual names:", needs.virtual.sorted { $0.key < $1.key }.map { "\($0.value) as \($0.key)" })
                + Self.list("; nothing provides", needs.missing.sorted()))
        try console.paragraph(
            "  Needed   ", "most packages depend on " + findings.mostNeeded.map { "\($0.name) (\($0.dependents.grouped))" }.joined(separator: ", "))
        if let name = survey.virtualName {
            let dependents = try await store.read { try PackageGraph($0).dependents(of: name).count() }
            let providers = findings.providers.isEmpty ? "nothing provides it" : "provided by \(findings.providers.prefix(3).joined(separator: ", "))"
            try console.paragraph("  Virtual  ", "\(name) is no package, but \(providers); needed by \(dependents.packages)")
        }
        if let name = findings.mostNeeded.first?.name {
            try console.paragraph("  Removed  ", "without \(name) \(findings.breaking.count.grouped) of \(survey.count.packages) would no longer work")
        }
        try console.line()
    }

    /// The first three of a list behind a word; nothing for an empty one.
    private static func list(_ word: String, _ items: [String]) -> String {
        items.isEmpty ? "" : "\(word) \(items.prefix(3).joined(separator: ", "))" + (items.count > 3 ? " and \(items.count - 3) more" : "")
    }
}
