import CLMDB
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension LMDBEngine {
    /// Writes a compacted copy of the last committed state, synced.
    func backUp(to destination: String, timeout: Duration) throws {
        try sharingGate(timeout: timeout) { environment in
            let descriptor = try writeCopy(of: environment, to: destination)
            closeDescriptor(descriptor)
        }
    }

    /// Puts a compacted copy in place of the file.
    func compact(timeout: Duration) throws {
        try alone(timeout: timeout, for: "compacting the store") {
            let environment = try openEnvironment()
            guard environment.fileGuard.takeAlone() else {
                throw StorageError.locked(
                    errors.details("another process has the store open, or its file system has no locks; compaction needs it alone"))
            }
            defer { environment.fileGuard.share() }
            let temporary = path + "-compacting"
            // What a crash in an earlier compaction left: nobody else writes it while the store is locked.
            guard unlink(temporary) == 0 || errno == ENOENT else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: temporary) }
            let fileGuard = StoreGuard.adopt(descriptor: try writeCopy(of: environment, to: temporary))
            try swap(environment, for: fileGuard, at: temporary)
        }
    }

    /// Closes the environment, moves the copy to its place and opens it. When moving fails the old file is opened again.
    private func swap(_ environment: Environment, for fileGuard: StoreGuard, at temporary: String) throws {
        var information = MDB_envinfo()
        try environment.check(mdb_env_info(environment.pointer, &information), "look at the map")
        environment.close()
        replaceEnvironment(by: nil)
        let isMoved = rename(temporary, path) == 0
        let code = errno
        if !isMoved { unlink(temporary) }
        replaceEnvironment(
            by: try Environment.open(
                path: path, fileGuard: isMoved ? fileGuard : environment.fileGuard, mapSize: information.me_mapsize, options: options,
                errors: errors, checksPages: false))
        guard isMoved else { throw StoreFile.error(code, engine: LMDBErrors.engine, path: path) }
        fileGuard.share()
        Self.registry.fileReplaced(of: self, by: try StoreFile(engine: LMDBErrors.engine, path: path))
        try syncDirectory(of: path)
    }

    /// Copies the last committed state without its free pages, and returns the new file's descriptor. When that fails, nothing is left.
    ///
    /// The compacting copy needs no lock of the writer's, so it does not wait for writers and works inside a write.
    private func writeCopy(of environment: Environment, to destination: String) throws -> Int32 {
        let descriptor = open(destination, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            if code == EEXIST {
                throw StorageError.destinationExists(errors.details("there is something at '\(destination)'; name a new file", code: code))
            }
            throw StoreFile.error(code, engine: LMDBErrors.engine, path: destination)
        }
        do {
            let code = mdb_env_copyfd2(environment.pointer, descriptor, UInt32(MDB_CP_COMPACT))
            if code != MDB_SUCCESS { throw LMDBErrors(path: destination).error(code, doing: "copy the store") }
            guard fsync(descriptor) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: destination) }
            #if canImport(Darwin)
            _ = fcntl(descriptor, F_FULLFSYNC)
            #endif
            try syncDirectory(of: destination)
            return descriptor
        } catch {
            closeDescriptor(descriptor)
            unlink(destination)
            throw error
        }
    }

    /// Makes a new or moved file's name durable.
    private func syncDirectory(of path: String) throws {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: directory) }
        defer { closeDescriptor(descriptor) }
        // Some file systems refuse to sync directories; there is nothing else to do there.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: directory) }
    }
}

/// The system's `close`, which the engine's own would hide.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
