import Trove

extension ObjectStore {
    /// Brings the objects of a source into the store: into collections of documents, or into models.
    ///
    /// ```swift
    /// let source = try ImportSource(path: "Library.sqlite")
    /// let report = try store.importDocuments(from: source) { print("\($0.completed) of \($0.total ?? 0)") }
    /// ```
    ///
    /// Each table or class of the source becomes a collection of its name, unless ``ImportOptions/models`` names a model for it. A reference becomes the id of what it points at, which is the same in
    /// each import. Afterwards everything is read back and compared with what was stored.
    ///
    /// - Parameter progress: called now and then; when it throws, the import ends with its error, and only batches that were committed before stay.
    /// - Throws: ``ImportError``; what writing to the store throws.
    /// - Returns: what was stored, and row by row what was not.
    @discardableResult
    public func importDocuments(
        from source: ImportSource, _ options: ImportOptions = ImportOptions(), progress: (ImportProgress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        let run = try ImportRun(self, options)
        let total = try source.reader.rowCount
        var state = ImportState()
        if options.inBatches, !options.isDryRun {
            state = try run.storeInBatches(source.reader) { try progress(ImportProgress(completed: $0, total: total)) }
        } else {
            state = try run.storeWhole(source.reader) { try progress(ImportProgress(completed: $0, total: total)) }
        }
        try run.findDangling(&state)
        if !options.isDryRun { try run.verify(&state) }
        return state.report(isDryRun: options.isDryRun)
    }
}
