#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import TroveStorage

extension StoreFile {
    /// Throws when there is nothing at the path, or only an empty file, in which an engine would create a store.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)``.
    public func requireStore() throws {
        guard size == 0 else { return }
        throw StorageError.noSuchStore(
            .init(
                engine: engine, path: path,
                message: exists
                    ? "the file at the path is empty, so it is not a store" : "there is no store at the path; look for it elsewhere, or let opening create one")
        )
    }

    /// Removes the existing files with the store's name and one of the endings, then the store's own file, and syncs the directory.
    ///
    /// Only for a file that its engine has found to be a store, and that nobody else has open.
    public func remove(withEndings endings: [String]) throws {
        for path in endings.map({ path + $0 }) + [path] where unlink(path) != 0 && errno != ENOENT {
            throw Self.error(errno, engine: engine, path: path)
        }
        try Self.synchronizeDirectory(of: path, engine: engine)
    }

    /// The error for a store that was there when opening it began, and is not any more.
    public var goneError: StorageError {
        .noSuchStore(
            .init(engine: engine, path: path, message: "the store was removed while it was opened; open it again to create one, or look for it elsewhere"))
    }

    /// The error for a path at which there was a store that is open still, and is another file now.
    package var replacedError: StorageError {
        .locked(
            .init(
                engine: engine, path: path,
                message: """
                    the store that was at the path is open in this process still, though its file was removed or replaced, and both would use the files \
                    beside it; close that store first
                    """))
    }

    /// The error for a store whose file is not at its path any more.
    package var movedError: StorageError {
        .inputOutput(
            .init(
                engine: engine, path: path, message: "the file was moved, removed or replaced while the store was open; put it back, or close the store"))
    }

    /// The error for a store that cannot be destroyed, because it is open.
    public var inUseError: StorageError {
        .locked(.init(engine: engine, path: path, message: "the store is open, here or in another process; close it before it is destroyed"))
    }
}
