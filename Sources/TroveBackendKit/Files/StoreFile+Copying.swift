#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import TroveStorage

extension StoreFile {
    /// Makes a file for a copy of a store, lets `write` fill it, and returns when it and its name are on the disk. When that fails, nothing is left.
    ///
    /// - Parameter original: what the system says of the store's file. The copy gets its mode, as nobody may read the one who may not read the other,
    ///   and its owner may write it, also when it is of a store that can only be read; a file system without modes gives its own.
    /// - Throws: ``StorageError/destinationExists(_:)``; what the system says, as ``error(_:engine:path:)`` makes it; what `write` throws.
    package static func makeCopy(of original: stat, at destination: String, engine: String, _ write: (_ descriptor: Int32) throws -> Void) throws {
        let copy = open(destination, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else {
            throw errno == EEXIST ? isTaken(destination, engine: engine) : error(errno, engine: engine, path: destination)
        }
        defer { close(copy) }
        do {
            // The system lets everybody give a mode to a file of one's own.
            guard fchmod(copy, original.st_mode & 0o777 | 0o600) == 0 || errno == EPERM || errno == ENOTSUP else {
                throw error(errno, engine: engine, path: destination)
            }
            try write(copy)
            try synchronize(copy, engine: engine, path: destination)
            try synchronizeDirectory(of: destination, engine: engine)
        } catch {
            unlink(destination)
            throw error
        }
    }

    /// Throws when a log with contents lies beside the path of a copy that is to be made: whoever opens the copy would read it in.
    ///
    /// - Throws: ``StorageError/destinationExists(_:)``.
    package static func requireNoLog(beside destination: String, of kind: EngineFile, engine: String) throws {
        for log in kind.logEndings.map({ destination + $0 }) {
            var information = stat()
            guard stat(log, &information) == 0, information.st_size > 0 else { continue }
            throw StorageError.destinationExists(
                .init(
                    engine: engine, path: destination,
                    message: "beside the path an earlier file has left its log, '\(log)', which would be taken for the copy's; remove it or name another path"))
        }
    }

    /// The error for a path at which a copy was to be made and something is.
    package static func isTaken(_ destination: String, engine: String) -> StorageError {
        .destinationExists(.init(engine: engine, path: destination, message: "there is something at the path already; name a new one or remove it"))
    }
}
