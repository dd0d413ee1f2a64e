extension CataloguePackage {
    /// The package, and the packages it depends on, as people like to see them.
    func show(_ dependencies: [CataloguePackage], on console: Console) throws {
        try console.paragraph("  ", "\(name) \(version): \(description)")
        var facts = [section, priority?.rawValue, architecture].compactMap { $0 }
        if let downloadSize { facts.append("download \(downloadSize.asByteCount)") }
        if let installedSize { facts.append("installed \((Double(installedSize) * 1024).asByteCount)") }
        if !depends.isEmpty {
            let size = dependencies.reduce(0.0) { $0 + Double($1.installedSize ?? 0) }
            facts.append("depends on \(depends.map(\.id).joined(separator: ", ")), installed \((size * 1024).asByteCount)")
        }
        try console.paragraph("    ", facts.joined(separator: " · "))
    }
}
