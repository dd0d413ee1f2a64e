extension CataloguePackage {
    /// The package as people like to see it.
    func show(on console: Console) throws {
        try console.paragraph("  ", "\(name) \(version): \(description)")
        var facts = [section, priority?.rawValue, architecture].compactMap { $0 }
        if let downloadSize { facts.append("download \(downloadSize.asByteCount)") }
        if let installedSize { facts.append("installed \((installedSize * 1024).asByteCount)") }
        if !depends.isEmpty { facts.append("depends on " + depends.joined(separator: ", ")) }
        try console.paragraph("    ", facts.joined(separator: " · "))
    }
}
