#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import CTokyoCabinet
import TroveBackendKit
import TroveStorage

extension Engine {
    /// The error for the library call that has just failed, by its code and the system's.
    ///
    /// Call it before anything else that may change the system's error number.
    func failure(of handle: UnsafeMutablePointer<TCBDB>, _ what: String) -> StorageError {
        let system = errno
        let code = tcbdbecode(handle)
        let words = String(cString: tcbdberrmsg(code))
        func make(_ kind: (StorageError.Details) -> StorageError, _ advice: String) -> StorageError {
            error(kind, "\(what) failed: \(words); \(advice)", code: String(code))
        }
        switch Int(code) {
        case TCEWRITE, TCETRUNC, TCESYNC, TCEMMAP,
            TCEOPEN, TCECLOSE, TCESTAT, TCESEEK,
            TCEUNLINK, TCERENAME, TCEMKDIR, TCERMDIR:
            return failure(bySystemError: system, "\(what) failed: \(words)", code: Int(code))
        case TCEREAD:
            return system == 0
                ? make(StorageError.corrupt, "the file is shorter than it says; restore a copy")
                : failure(bySystemError: system, "\(what) failed: \(words)", code: Int(code))
        case TCEMISC, TCERHEAD, TCEMETA:
            return make(StorageError.corrupt, "a page of the file is damaged; restore a copy")
        case TCELOCK:
            return make(StorageError.locked, "another process has the file open; only one at a time can")
        case TCETHREAD:
            return make(StorageError.locked, "other code of this process has the file open with Tokyo Cabinet; close it there")
        case TCENOPERM:
            return make(StorageError.permissionDenied, "check the owner and mode of file and directory")
        case TCENOFILE:
            return make(StorageError.noSuchDirectory, "create the directory first")
        default:
            if handle.pointee.hdb.pointee.fatal {
                return make(StorageError.corrupt, "an earlier call met a failure; close the store and open it again")
            }
            return make(StorageError.engineFailure, "close the store and open it again")
        }
    }

    /// The error for the library call that has just failed on a file that is being made, where a page that looks damaged was not written.
    func writeFailure(of handle: UnsafeMutablePointer<TCBDB>, _ what: String) -> StorageError {
        let failure = failure(of: handle, what)
        guard case .corrupt(let details) = failure else { return failure }
        return error(StorageError.inputOutput, "\(what) failed: a page of it is missing; nothing was changed", code: details.code)
    }

    /// What is thrown when the changes are in the file, and only a sync behind them has failed with an error: whatever the system's reason, as a full disk, the
    /// commit stands unless a power loss takes it back. So nobody may take it for undone and write again.
    static func afterCommit(_ error: StorageError) -> StorageError {
        if error.leavesOutcomeOpen { return error }
        return .inputOutput(error.details.adding("; the changes are in the file, but a power loss may take them back; close the store and open it again"))
    }

    /// The error for a system error number, whatever the library has made of it.
    func failure(bySystemError system: Int32, _ what: String, code: Int) -> StorageError {
        let error = StoreFile.error(system, engine: Self.name, path: file.path)
        var details = error.details
        details.message = "\(what) (\(details.message))"
        details.code = String(code)
        return switch error {
        case .diskFull:
            .diskFull(details.adding("; nothing was changed; free space and write again"))
        case .permissionDenied: .permissionDenied(details)
        case .readOnly: .readOnly(details)
        case .outOfResources: .outOfResources(details)
        default: .inputOutput(details)
        }
    }
}

extension StorageError.Details {
    fileprivate func adding(_ advice: String) -> StorageError.Details {
        var details = self
        details.message += advice
        return details
    }
}
