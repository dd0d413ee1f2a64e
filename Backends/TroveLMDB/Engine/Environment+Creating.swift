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

extension Environment {
    /// What ends the name of a new store before it is in its place.
    static var newEnding: String { "-new" }

    /// Puts a store without contents in the place of the empty file that `empty` has locked alone; nil when another process is at that.
    ///
    /// LMDB writes the first two pages of a file without syncing them, and nobody syncs its name. A power loss would leave one page
    /// of the two, which is no store and no empty file, or no file at all in spite of durable commits. So the store is made under another
    /// name, synced and moved.
    static func createFile(at path: String, replacing empty: StoreGuard, errors: LMDBErrors) throws -> StoreGuard? {
        let temporary = path + newEnding
        guard let new = try StoreGuard.forReplacement(at: temporary, needsLock: false) else { return nil }
        do {
            try writeFirstPages(at: temporary, errors)
            try empty.giveMode(to: new, at: temporary)
            try new.synchronize(at: temporary)
            guard rename(temporary, path) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try StoreFile.synchronizeDirectory(of: path, engine: LMDBErrors.engine)
        return new
    }

    /// LMDB makes a store of an empty file when it opens it. Nobody else knows the file, so there is no need of a lock file.
    private static func writeFirstPages(at path: String, _ errors: LMDBErrors) throws {
        var created: OpaquePointer?
        var code = mdb_env_create(&created)
        if code == MDB_SUCCESS {
            code = mdb_env_set_mapsize(created, mapGranularity)
            if code == MDB_SUCCESS { code = mdb_env_open(created, path, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o644) }
            mdb_env_close(created)
        }
        guard code == MDB_SUCCESS else { throw errors.error(code, doing: "make the store") }
    }
}
