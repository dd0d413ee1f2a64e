import TroveBackendKit
import TroveStorage

extension LMDBBackend {
    /// Deletes the store at `path` with all files that belong to it.
    ///
    /// It is opened first, so what is no sound store of this engine stays as it is: a file of another program or engine, an empty one, a damaged one.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when there is none; ``StorageError/locked(_:)`` when it is open, in this process or another; what opening throws.
    public static func destroy(at path: String) throws {
        let file = try StoreFile(engine: LMDBErrors.engine, path: path)
        try file.requireStore()
        var options = Options()
        options.writerTimeout = .seconds(1)
        try LMDBEngine.registry.whileClosed(file) {
            let environment = try Environment.open(path: file.path, options: options, errors: LMDBErrors(path: file.path))
            defer { environment.close() }
            guard environment.fileGuard.takeAlone() else { throw file.isInUse }
            try file.remove(withEndings: ["-lock"])
        }
    }
}
