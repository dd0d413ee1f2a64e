import CSQLite
import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SQLiteEngine {
    /// Every commit is in the log or, after a checkpoint, in the file. Checkpoints sync both, so syncing the log is enough.
    ///
    /// SQLite holds no lock on the log's file, so opening it here and closing it drops none. It makes the log's name durable with
    /// its own first sync of it, and buffered commits may have come without one.
    func synchronize() throws {
        if writeRefusal != nil { return }
        try Self.synchronize(path: file.path + "-wal")
        try StoreFile.synchronizeDirectory(of: file.path, engine: Self.name)
    }

    /// Syncs the file at a path, if it is there.
    private static func synchronize(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // Without a log nothing was committed since the last checkpoint.
            if errno == ENOENT { return }
            throw StoreFile.error(errno, engine: name, path: path)
        }
        defer { close(descriptor) }
        try StoreFile.synchronize(descriptor, engine: name, path: path)
    }

    /// VACUUM INTO: one snapshot, without the free pages, while writers go on. It is written under another name, so that
    /// nothing incomplete is ever at `destination`.
    func backUp(to destination: String, from reader: Connection) throws {
        try checkIsFree(destination)
        let target = try StoreFile(engine: Self.name, path: destination)
        try StoreFile.requireNoLog(beside: target.path, of: .sqlite, engine: Self.name)
        let ending = ".partial-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try Connection.requireSize(ofPath: target.path, spare: ending.utf8.count)
        let partial = try StoreFile(engine: Self.name, path: target.path + ending)
        defer { unlink(partial.path) }
        var information = stat()
        guard stat(file.path, &information) == 0 else { throw StoreFile.error(errno, engine: Self.name, path: file.path) }
        // SQLite takes an empty file for a new one.
        try StoreFile.makeCopy(of: information, at: partial.path, engine: Self.name) { _ in try reader.vacuum(into: partial.path, for: target.path) }
        // A link, unlike a rename, does not replace what came to be there meanwhile.
        if link(partial.path, target.path) != 0 {
            let code = errno
            guard code == EPERM || code == ENOTSUP || code == EMLINK else {
                if code == EEXIST { try checkIsFree(target.path) }
                throw StoreFile.error(code, engine: Self.name, path: target.path)
            }
            try checkIsFree(target.path)
            guard rename(partial.path, target.path) == 0 else { throw StoreFile.error(errno, engine: Self.name, path: target.path) }
        }
        try StoreFile.synchronizeDirectory(of: target.path, engine: Self.name)
    }

    private func checkIsFree(_ path: String) throws {
        var information = stat()
        if lstat(path, &information) == 0 { throw StoreFile.isTaken(path, engine: Self.name) }
    }

    /// Runs alone: VACUUM writes the whole file anew into the log, which then replaces the old pages.
    ///
    /// - Parameter deadline: the end of the wait for other processes.
    func compact(until deadline: Deadline) throws {
        writer.finalizeStatements()
        try writer.setSynchronous(isFull: true)
        try writer.waiting(atMost: deadline.remaining) { try writer.execute("VACUUM") }
        let code = writer.waiting(atMost: deadline.remaining) { sqlite3_wal_checkpoint_v2(writer.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
        // Another process that reads keeps the log; the space is given back when it has left.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw writer.failure(code) }
        if code == SQLITE_OK { log.noteCut() }
    }

    /// A page that tells a wrong number of entries, or a key out of order, is noticed by no read; `quick_check` misses the latter.
    func checkStructure(through connection: Connection) throws {
        let finding = try connection.text("PRAGMA integrity_check(1)")
        guard finding == "ok" else {
            // Its first line names the database, which has one name here.
            let words = finding.split(separator: "\n").filter { !$0.hasPrefix("***") }.joined(separator: "; ")
            throw StorageError.corrupt(details("the file is damaged; restore a backup (SQLite: \(words))"))
        }
    }

    func statistics(from reader: Connection, oldestReaderAge: Duration?) throws -> StorageStatistics {
        let pageSize = try reader.integer("PRAGMA page_size")
        let freePages = try reader.integer("PRAGMA freelist_count")
        let sizes = ["", "-wal", "-shm"].map { Self.size(of: file.path + $0) }
        return StorageStatistics(
            fileSize: sizes.reduce(0, +), freeSize: freePages * pageSize,
            keyspaceCount: try reader.integer(.keyspaceCount) ?? 0,
            activeReaders: activeReaderCount, oldestReaderAge: oldestReaderAge,
            engineFigures: [
                "page_size": pageSize, "page_count": try reader.integer("PRAGMA page_count"), "freelist_count": freePages,
                "wal_size": sizes[1], "wal_pages": log.pageCount, "reader_connections": readers.count,
                "cache_size": options.cacheSize, "mmap_size": options.memoryMapSize,
            ])
    }

    static func size(of path: String) -> Int {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : 0
    }

    /// Closes the connections when no transaction runs. Nothing is lost when the log cannot be copied into the file: the next opening reads it.
    func shutDown() {
        readers.close()
        if writeRefusal != nil { return writer.close() }
        // Readers in other processes are not waited for.
        sqlite3_busy_timeout(writer.handle, 0)
        sqlite3_wal_checkpoint_v2(writer.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        writer.close()
        queue?.close()
    }
}
