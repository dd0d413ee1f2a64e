extension CataloguePackage {
    /// The package as people like to see it.
    func show(on console: Console) throws {
        try console.line("  \(name) \(version)")
        try console.paragraph("    ", description)
        var facts = [section, priority?.rawValue, architecture].compactMap { $0 }
        if let downloadSize { facts.append("download \(downloadSize.asByteCount)") }
        if let installedSize { facts.append("installed \((installedSize * 1024).asByteCount)") }
        try console.paragraph("    ", facts.joined(separator: " · "))
        if !depends.isEmpty { try console.paragraph("    depends on ", depends.joined(separator: ", ")) }
    }
}
