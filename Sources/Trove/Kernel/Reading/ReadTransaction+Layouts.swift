extension ReadTransaction {
    /// How the records of all models are laid out, those that the program does not have included; Trove's own are not among them.
    ///
    /// ```swift
    /// for layout in try store.read({ try $0.layouts() }) { print(layout) }
    /// ```
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    public func layouts() throws -> [StoredLayout] {
        try Catalogue.entries(reader).filter { !Catalogue.isReserved($0.layout.modelName) }.map { StoredLayout(entry: $0) }
    }
}
