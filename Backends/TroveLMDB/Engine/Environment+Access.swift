import CLMDB
import TroveBackendKit
import TroveStorage

extension Environment {
    /// What an environment may do with its file.
    enum Access: Sendable {
        case writing
        /// Read, beside those who write.
        case reading
        /// Read a file that nobody writes, without the file of locks.
        case readingUnlocked

        var flags: Int32 {
            switch self {
            case .writing: 0
            case .reading: MDB_RDONLY
            case .readingUnlocked: MDB_RDONLY | MDB_NOLOCK
            }
        }
    }

    /// Checks and opens the file at `path` to read it: beside writers of other processes where there is a file of locks or one can be made.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when another process has the store open and its file of locks cannot be used.
    static func openForReading(path: String, options: LMDBBackend.Options, errors: LMDBErrors) throws -> Environment {
        let fileGuard = try StoreGuard.openForReading(path, until: Deadline(options.writerTimeout), errors: errors)
        func open(_ access: Access) throws -> Environment {
            try Self.open(path: path, fileGuard: fileGuard, access: access, mapSize: options.mapSize, options: options, errors: errors)
        }
        // A file of locks that a user makes who may not write the store would be in the way of those who may.
        guard try StoreFile(engine: LMDBErrors.engine, path: path, isReadOnly: true).isWritable || FileStamp(path + "-lock") != nil else {
            return try open(.readingUnlocked)
        }
        do {
            return try open(.reading)
        } catch let error as StorageError where error.deniesWriting {
            guard !LockFile.isInUse(forStoreAt: path) else {
                throw StorageError.locked(
                    errors.details(
                        """
                        another process has the store open, and its file of locks, '\(path)-lock', cannot be written; give this user the right to, or close \
                        it there
                        """))
            }
            return try open(.readingUnlocked)
        }
    }
}
