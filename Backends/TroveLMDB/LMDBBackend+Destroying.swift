import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension LMDBBackend {
    /// Deletes the store at `path` and all files that belong to it.
    ///
    /// It is opened first, so what is no sound store of this engine stays as it is: a file of another program or engine, an empty one, a damaged one.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when there is none; ``StorageError/locked(_:)`` when it is open, in this process or another, and on a file
    ///   system without locks, where nobody can tell; what opening throws.
    public static func destroy(at path: String) throws {
        let file = try StoreFile(engine: LMDBErrors.engine, path: path)
        try file.requireStore()
        var options = Options()
        options.writerTimeout = .seconds(1)
        try LMDBEngine.registry.whileClosed(file) {
            let environment = try Environment.open(path: file.path, options: options, errors: LMDBErrors(path: file.path))
            defer { environment.close() }
            // Only who has the replacement asks for the store alone: a process that compacts gives its lock up for a moment.
            guard let replacement = try StoreGuard.forReplacement(at: file.path + LMDBEngine.compactingEnding, needsLock: true) else {
                throw notAlone(file)
            }
            try withExtendedLifetime(replacement) {
                guard environment.fileGuard.takeAlone() else {
                    unlink(file.path + LMDBEngine.compactingEnding)
                    throw notAlone(file)
                }
                // A crash may have left what was to replace the file.
                try file.remove(withEndings: ["-lock", CheckedMark.ending, LMDBEngine.compactingEnding, Environment.newEnding])
            }
        }
    }

    private static func notAlone(_ file: StoreFile) -> StorageError {
        .locked(
            .init(
                engine: file.engine, path: file.path,
                message: """
                    another process has the store open, or the file system has no locks; destroying needs the store alone: close it there, or remove its \
                    files by hand
                    """))
    }
}
