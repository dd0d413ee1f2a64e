import TroveBackendKit
import TroveStorage

extension TokyoCabinetBackend {
    /// Deletes the store at `path` with all files that belong to it.
    ///
    /// It is opened first, so what is no sound store of this engine stays as it is: a file of another program or engine, an empty one, a damaged one.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when there is none; ``StorageError/locked(_:)`` when it is open, in this process or another; what opening throws.
    public static func destroy(at path: String) throws {
        let file = try StoreFile(engine: Engine.name, path: path)
        try file.requireStore()
        try registry.whileClosed(file) {
            // It has the file's lock, which no other process gets meanwhile.
            let engine = try Engine(file: file, options: Options())
            // Of what is gone nothing has to be kept.
            defer { do { try engine.shutDown() } catch {} }
            try file.remove(withEndings: [".wal"])
        }
    }
}
