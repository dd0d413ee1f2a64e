import CSQLite
import TroveBackendKit
import TroveStorage

/// A store that is only read.
extension SQLiteEngine {
    /// Opens a connection that reads, and refuses what is not a store.
    ///
    /// A file in write-ahead-log mode is read with the log's two files, so that readers and writers of other processes know of each other. Where these are
    /// missing and cannot be made, nobody who writes is expected: then SQLite reads the file alone, if it is whole without its logs.
    static func openReader(_ file: StoreFile, _ options: SQLiteBackend.Options) throws -> Connection {
        do {
            return try openReader(file, options, .reading)
        } catch let error as StorageError where error.mayBeAboutLogs {
            if let log = ["-wal", "-journal"].first(where: { size(of: file.path + $0) > 0 }) { throw unfinished(file, log: file.path + log) }
            // The files of the log are there, so others may use them.
            if case .inputOutput = error, FileStamp(file.path + "-shm") != nil { throw error }
            return try openReader(file, options, .readingUnlocked)
        }
    }

    private static func openReader(_ file: StoreFile, _ options: SQLiteBackend.Options, _ access: Connection.Access) throws -> Connection {
        try checked(Connection(path: file.path, access: access, timeout: options.readerTimeout)) { connection in
            let header = try connection.fileHeader()
            guard try !isUnfinished(file, header: header) else { throw unfinished(file, log: file.path + "-journal") }
            try StoreFormat.check(header: header, path: file.path)
            try checkLog(of: file, header: header, isReadOnly: true)
            if access == .reading, StoreFormat.hasLog(header: header), !mayUseLog(of: file) { throw noLog(file) }
            try checkStore(connection)
            try connection.configure(cacheSize: options.cacheSize, memoryMapSize: options.memoryMapSize)
            connection.followsLog = try access == .reading && connection.text("PRAGMA journal_mode") == "wal"
            guard try !connection.fileHasMoved() else { throw file.goneError }
        }
    }

    /// Whether SQLite finds the files of the log, or makes them as whoever writes the store would.
    private static func mayUseLog(of file: StoreFile) -> Bool {
        file.isWritable || ["-wal", "-shm"].allSatisfy { FileStamp(file.path + $0) != nil }
    }

    private static func noLog(_ file: StoreFile) -> StorageError {
        .readOnly(.init(engine: name, path: file.path, message: "there is no log beside the file, and who may only read it makes none"))
    }

    private static func unfinished(_ file: StoreFile, log: String) -> StorageError {
        .readOnly(
            .init(
                engine: name, path: file.path,
                message: """
                    the store was not closed, or is open in another process, and its log '\(log)' cannot be read in where nothing may be written; open and close \
                    the store once where it can be written, or copy it there with its log
                    """))
    }

    /// Throws when a file that is read without locks was written.
    func checkIsUnwritten() throws {
        guard let unlockedStamp, StoreStamp(ofStoreAt: file.path) != unlockedStamp else { return }
        throw StorageError.inputOutput(
            details("another program has changed the file, which was read without locks since no log could be made beside it; open the store again"))
    }
}

extension StorageError {
    /// Whether SQLite may have failed to open the files of a log, or may not read one in.
    fileprivate var mayBeAboutLogs: Bool {
        switch self {
        case .readOnly, .permissionDenied, .inputOutput: true
        default: false
        }
    }
}
