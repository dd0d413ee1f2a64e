import Dispatch
import Synchronization
import Trove

extension ObjectStore {
    /// Brings the objects of a source into the store: into collections of documents, or into models.
    ///
    /// ```swift
    /// let source = try ImportSource(path: "Library.sqlite")
    /// let report = try store.importDocuments(from: source) { print("\($0.completed) of \($0.total ?? 0)") }
    /// ```
    ///
    /// Each table or class of the source becomes a collection of its name, unless ``ImportOptions/models`` names a model for it. A reference becomes the id of
    /// what it points at, which is the same in each import. NanoStore's bags become bags; see ``ImportReport/bags``. Afterwards everything is read back and
    /// compared with what was stored.
    ///
    /// - Parameter progress: called now and then; when it throws, the import ends with its error, and only batches that were committed before stay. Of an
    ///   import that is whole it is called inside of the write transaction, and so uses no other one; if that has to run again, the numbers begin again.
    /// - Throws: ``ImportError``; what writing to the store throws. When all is stored nothing throws: what cannot be read back then is a fault of the report.
    /// - Returns: what was stored, and row by row what was not.
    @discardableResult
    public func importDocuments(
        from source: ImportSource, _ options: ImportOptions = ImportOptions(), progress: (ImportProgress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        let run = try ImportRun(self, options)
        let total = try source.reader.rowCount
        var state: ImportState
        if options.inBatches, !options.isDryRun {
            state = try run.storeInBatches(source.reader) { try progress(ImportProgress(completed: $0, total: total)) }
        } else {
            state = try run.storeWhole(source.reader) { try progress(ImportProgress(completed: $0, total: total)) }
        }
        run.findDangling(&state)
        if !options.isDryRun { run.verify(&state) }
        return state.report(isDryRun: options.isDryRun)
    }

    /// Brings the objects of a source into the store, on a thread of its own.
    ///
    /// ```swift
    /// let report = try await store.importDocuments(at: "Library.sqlite") { print("\($0.completed) of \($0.total ?? 0)") }
    /// ```
    ///
    /// A cancelled task ends the import: of an import in batches those that were committed before stay, of another nothing.
    ///
    /// - Parameters:
    ///   - path: the source; it is opened and read on that thread.
    ///   - kind: its format; nil to tell it by the content.
    ///   - sourceOptions: what a file of values alone does not tell.
    /// - Throws: `CancellationError`; otherwise as ``importDocuments(from:_:progress:)``.
    @discardableResult
    public func importDocuments(
        at path: String, kind: ImportKind? = nil, _ sourceOptions: ImportSourceOptions = ImportSourceOptions(), options: ImportOptions = ImportOptions(),
        progress: @escaping @Sendable (ImportProgress) throws -> Void = { _ in }
    ) async throws -> ImportReport {
        let cancellation = ImportCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "trove.import").async {
                    continuation.resume(
                        with: Result {
                            try cancellation.check()
                            return try self.importDocuments(from: ImportSource(path: path, kind: kind, sourceOptions), options) {
                                try cancellation.check()
                                try progress($0)
                            }
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

/// Tells a thread that the task which waits for it was cancelled.
private final class ImportCancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() { isCancelled.store(true, ordering: .releasing) }

    func check() throws {
        if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
    }
}
