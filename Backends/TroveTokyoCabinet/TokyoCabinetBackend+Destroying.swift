import TroveBackendKit
import TroveStorage

extension TokyoCabinetBackend {
    /// Deletes the store at `path` and all files that belong to it.
    ///
    /// It is opened first, so what is no sound store of this engine stays as it is: a file of another program or engine, an empty one, a damaged one.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when there is none; ``StorageError/locked(_:)`` when it is open, in this
    ///   process or another; what opening throws.
    public static func destroy(at path: String) throws {
        let file = try StoreFile(engine: Engine.name, path: path)
        try file.requireStore()
        try registry.whileClosed(file) {
            // It has the file's lock, which no other process gets meanwhile.
            let engine = try Engine(file: file, options: Options())
            do {
                try file.remove(withEndings: [".wal", CheckedMark.ending])
            } catch {
                // The error that matters is the first; the next opening checks what is left.
                do { try engine.shutDown() } catch {}
                throw error
            }
            try engine.shutDownRemoved()
        }
    }
}
