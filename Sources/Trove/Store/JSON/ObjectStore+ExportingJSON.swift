import Foundation

extension ObjectStore {
    /// Writes one snapshot of the store to a file of JSON lines.
    ///
    /// ```swift
    /// try store.exportJSON(to: "music.jsonl")
    /// try other.importJSON(from: "music.jsonl")
    /// ```
    ///
    /// The first line tells the models' layouts; a line each has a value of the application's own, an object, a bag and a blob, of a large one a part; the last
    /// line tells how many they are. Objects of models that the program does not have are among them. Indexes are not: the store that imports the file makes
    /// its own. The history and keyspaces of the application's own are not either. Equal stores make equal files, on every engine; `docs/json.md` tells more.
    ///
    /// The file appears when it is whole. Memory does not depend on the number of objects: it is that of the largest record, of all
    /// bags, and of the application's own values.
    ///
    /// - Parameters:
    ///   - progress: called now and then; when it throws, the export breaks off with its error and leaves no file.
    ///   - damaged: is told of each record that cannot be read, or of which a lazy value cannot, and which is left out; of each blob and each value of the
    ///     application's own as a record of `$blobs` or `$metadata`, named by its key; nil when the first one ends the export with its error.
    /// - Returns: what was written.
    /// - Throws: ``StorageError/destinationExists(_:)``, ``StorageError/noSuchDirectory(_:)``, ``StorageError/inputOutput(_:)``;
    ///   ``TroveError/corruptRecord(model:id:reason:)`` and its like for what cannot be read.
    @discardableResult
    public func exportJSON(
        to path: String, progress: (StoreProgress) throws -> Void = { _ in }, passingOver damaged: ((DamagedRecord) throws -> Void)? = nil
    ) throws -> StoreContents {
        let file = try TransferFile.create(path)
        do {
            let contents = try exportJSON(into: { try file.write($0) }, progress: progress, passingOver: damaged)
            try file.finish()
            return contents
        } catch {
            file.discard()
            throw error
        }
    }

    /// Writes one snapshot of the store to a file of JSON lines, on the maintenance thread, which runs one task at a time.
    @discardableResult
    public func exportJSON(to path: String, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }) async throws -> StoreContents {
        try await maintenanceQueue.run { try self.exportJSON(to: path, progress: progress) }
    }

    /// Passes one snapshot of the store to the closure as JSON lines, in pieces of UTF-8 of about a megabyte.
    ///
    /// - Parameters:
    ///   - write: gets the pieces in their order; they are valid during the call. When it throws, the export breaks off with its error.
    ///   - damaged: is told of each record that cannot be read, or of which a lazy value cannot, and which is left out; of each blob and each value of the
    ///     application's own as a record of `$blobs` or `$metadata`; nil when the first one ends the export with its error.
    @discardableResult
    public func exportJSON(
        into write: (UnsafeRawBufferPointer) throws -> Void, progress: (StoreProgress) throws -> Void = { _ in },
        passingOver damaged: ((DamagedRecord) throws -> Void)? = nil
    ) throws -> StoreContents {
        try withoutActuallyEscaping(write) { write in
            try withoutActuallyEscaping(progress) { progress in
                guard let damaged else { return try read { try JSONExport($0, write, progress).run() } }
                return try core.read(passingOver: damaged) { try JSONExport($0, write, progress, passingOver: damaged).run() }
            }
        }
    }
}
