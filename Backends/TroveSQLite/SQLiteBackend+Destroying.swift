import TroveBackendKit
import TroveStorage

extension SQLiteBackend {
    /// Deletes the store at `path` and all files that belong to it.
    ///
    /// It is opened first, so what is no sound store of this engine stays as it is: a file of another program or engine, an empty one, a damaged one.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when there is none; ``StorageError/locked(_:)`` when it is open, in this
    ///   process or another; what opening throws.
    public static func destroy(at path: String) throws {
        let file = try StoreFile(engine: SQLiteEngine.name, path: path)
        try file.requireStore()
        var options = Options()
        options.writerTimeout = .seconds(1)
        try engines.whileClosed(file) {
            let connection = try SQLiteEngine.openWriter(file, options)
            defer { connection.close() }
            do {
                // Only who has the file alone can leave the write-ahead log.
                guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else { throw file.inUseError }
                try SQLiteEngine.keepAlone(file, through: connection)
            } catch StorageError.timedOut {
                throw file.inUseError
            }
            try file.remove(withEndings: ["-wal", "-shm", "-journal", "-queue"])
        }
    }
}
