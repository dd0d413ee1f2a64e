extension ReadTransaction {
    /// The record layouts of all models, also of those that the program does not have; without Trove's own.
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
