import CLMDB
import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes the errors of one store out of LMDB's and the system's codes.
struct LMDBErrors: Sendable {
    static let engine = "LMDB"

    let path: String

    func details(_ message: String, code: Int32? = nil) -> StorageError.Details {
        StorageError.Details(engine: Self.engine, path: path, message: message, code: code.map { String($0) })
    }

    /// The error for the code that LMDB gave while it was `doing` something: "commit the transaction".
    func error(_ code: Int32, doing: String) -> StorageError {
        func explained(_ advice: String) -> StorageError.Details {
            details("could not \(doing): \(String(cString: mdb_strerror(code))); \(advice)", code: code)
        }
        return switch code {
        case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
            .corrupt(explained("the file is damaged; restore a backup"))
        case MDB_INVALID:
            .notAStore(explained("the file, or the lock file beside it, is not LMDB's"))
        case MDB_VERSION_MISMATCH:
            .newerFormat(explained("the file, or a process that has it open, uses another version of LMDB"))
        case MDB_PANIC:
            .inputOutput(explained("an earlier write to the file failed; close the store and open it again"))
        case MDB_READERS_FULL:
            .outOfResources(explained("more read transactions run at once than `maxReaders` allows"))
        case MDB_DBS_FULL:
            .tooManyKeyspaces(explained("open the store with a larger `maxKeyspaces`"))
        case MDB_MAP_FULL:
            .engineFailure(explained("the map grows and the write runs again"))
        case MDB_TXN_FULL:
            .engineFailure(explained("the transaction changes too much at once; divide it"))
        case MDB_BAD_VALSIZE:
            .engineFailure(explained("a key or value has a size that LMDB does not accept"))
        case ENOMEM:
            .outOfResources(explained("free memory or address space, or set a smaller `mapSize`"))
        case EIO where isDiskFull:
            .diskFull(explained("the disk, the quota or the limit on file sizes is reached; free space and try again"))
        case ENOSPC, EDQUOT, EFBIG:
            .diskFull(explained("free space and try again"))
        case EIO:
            .inputOutput(explained("the disk may be failing"))
        case EINVAL:
            .engineFailure(explained("this is a fault of Trove or of LMDB"))
        case _ where code > 0:
            StoreFile.error(code, engine: Self.engine, path: path)
        default:
            .engineFailure(explained("this is a fault of Trove or of LMDB"))
        }
    }

    /// Whether the system has no memory or addresses left, so that a smaller map may do; not where the table of readers is full, or too many files are open.
    static func isOfMemory(_ error: StorageError) -> Bool {
        if case .outOfResources(let details) = error { details.code == String(ENOMEM) } else { false }
    }

    /// Whether there is no room to write. LMDB reports a write that was cut short by a full disk as EIO.
    private var isDiskFull: Bool {
        let room = 1 << 20
        if let free = StoreFile.freeSpace(at: path), free < room { return true }
        var limit = rlimit()
        var information = stat()
        #if os(Linux) && canImport(Glibc)
        let code = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
        let code = getrlimit(RLIMIT_FSIZE, &limit)
        #endif
        guard code == 0, stat(path, &information) == 0 else { return false }
        return UInt64(limit.rlim_cur) < UInt64(information.st_size) + UInt64(room)
    }

    // MARK: Errors that are not LMDB's

    func corrupt(_ what: String) -> StorageError {
        .corrupt(details("the file is damaged: \(what); restore a backup"))
    }

    var closed: StorageError { .closed(details("the store was closed; open it again")) }

    func timedOut(_ timeout: Duration, waitingFor what: String) -> StorageError {
        .timedOut(details("waited \(timeout) for \(what); try again, or open the store with a longer `writerTimeout`"))
    }
}
