import CSQLite
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What SQLite said about a call that failed, and the error it becomes.
struct SQLiteFailure {
    /// The extended code.
    let code: Int32
    /// The system's error number below it, 0 when there is none.
    let systemError: Int32
    /// SQLite's own words.
    let message: String

    init(code: Int32, handle: OpaquePointer?) {
        // The call may have returned the plain code; the connection knows more when it is about the same failure.
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        let isSame = extended & 0xFF == code & 0xFF
        self.code = isSame ? extended : code
        // SQLite sets it for these failures alone, and never takes it back: beside others it is of an earlier one.
        let isOfSystem = code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN
        systemError = isOfSystem ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0
        message = isSame && handle != nil ? String(cString: sqlite3_errmsg(handle)) : String(cString: sqlite3_errstr(code))
    }

    func error(path: String) -> StorageError {
        switch code & 0xFF {
        case SQLITE_CORRUPT:
            return .corrupt(details(path, "the file is damaged; restore a backup"))
        case SQLITE_NOTADB:
            return .corrupt(details(path, "the file's header is damaged; restore a backup"))
        case SQLITE_FULL:
            return .diskFull(details(path, "the disk is full; free some space"))
        case SQLITE_NOMEM:
            return .outOfResources(details(path, "there is not enough memory"))
        case SQLITE_BUSY, SQLITE_LOCKED:
            return .timedOut(details(path, "another connection held the file longer than the timeout; try again"))
        case SQLITE_PERM, SQLITE_AUTH:
            return .permissionDenied(details(path, "the system refuses access to the file"))
        case SQLITE_READONLY where Int(code) == csqlite_readonly_dbmoved:
            return .inputOutput(details(path, "the file was moved or deleted while it was open; put it back or open the store again"))
        case SQLITE_READONLY:
            return .readOnly(details(path, "the file or its directory cannot be written"))
        case SQLITE_TOOBIG:
            return .valueTooLarge(details(path, "the value is larger than this build of SQLite stores"))
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            return inputOutputError(path: path)
        default:
            return .engineFailure(details(path, "the call failed"))
        }
    }

    private func inputOutputError(path: String) -> StorageError {
        switch Int(code) {
        case csqlite_ioerr_nomem:
            return .outOfResources(details(path, "there is not enough memory"))
        case csqlite_ioerr_short_read, csqlite_ioerr_corruptfs:
            return .corrupt(details(path, "the file ends too early; restore a backup"))
        default:
            break
        }
        switch systemError {
        case ENOSPC, EDQUOT, EFBIG: return .diskFull(details(path, "the disk is full; free some space"))
        case EMFILE, ENFILE, ENOMEM: return .outOfResources(details(path, "the system gives no more files or memory"))
        case EACCES, EPERM: return .permissionDenied(details(path, "the system refuses access to the file or to its log"))
        case EROFS: return .readOnly(details(path, "the file system cannot be written"))
        default: return .inputOutput(details(path, "reading or writing the file failed"))
        }
    }

    private func details(_ path: String, _ advice: String) -> StorageError.Details {
        let system = systemError == 0 ? "" : ", \(String(cString: strerror(systemError)).lowercased())"
        return StorageError.Details(
            engine: SQLiteEngine.name, path: path, message: "\(advice) (SQLite: \(message)\(system))", code: Int(code))
    }
}
