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

extension LMDBEngine {
    func synchronize(timeout: Duration, for user: LMDBBackend) throws {
        if writeRefusal != nil { return }
        try sharingGate(timeout: timeout, for: user) { try $0.synchronize() }
    }

    /// Counts by a read of its own, which is not among the active readers.
    func statistics(timeout: Duration, for user: LMDBBackend) throws -> StorageStatistics {
        let (readers, oldest) = gate.sharers
        var result = StorageStatistics(fileSize: 0, freeSize: 0, keyspaceCount: 0, activeReaders: readers, oldestReaderAge: oldest)
        try read(timeout: timeout, for: user) { reader in
            guard let reader = reader as? LMDBReader else { return }
            result.keyspaceCount = try reader.keyspaceNames().count
            try addFigures(of: reader, to: &result)
        }
        return result
    }

    private func addFigures(of reader: LMDBReader, to result: inout StorageStatistics) throws {
        let environment = reader.environment
        let transaction = reader.core.pointee.transaction
        var information = MDB_envinfo()
        try environment.check(mdb_env_info(environment.pointer, &information), "look at the map")
        var tables = MDB_stat()
        try environment.check(mdb_stat(transaction, environment.catalogueDBI, &tables), "count pages")
        let pageSize = Int(tables.ms_psize)
        var (branches, leaves, overflows, depth) = (0, 0, 0, 0)
        for index in 0..<reader.core.pointee.dbiCount {
            var keyspace = MDB_stat()
            try environment.check(mdb_stat(transaction, reader.core.pointee.dbis![index], &keyspace), "count pages")
            branches += keyspace.ms_branch_pages
            leaves += keyspace.ms_leaf_pages
            overflows += keyspace.ms_overflow_pages
            depth = max(depth, Int(keyspace.ms_depth))
        }
        let freePages = try freePages(in: transaction, of: environment)
        var file = stat()
        guard stat(path, &file) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        let dataSize = Int(file.st_size)
        // The lock file has nothing of the store, and is another one wherever the store is copied to.
        result.fileSize = dataSize
        let lockSize = stat(path + "-lock", &file) == 0 ? Int(file.st_size) : 0
        let pagesInUse = (information.me_last_pgno + 1 - freePages) * pageSize
        result.freeSize = max(0, dataSize - pagesInUse)
        result.engineFigures = [
            "pageSize": pageSize, "mapSize": information.me_mapsize, "lastPage": information.me_last_pgno,
            "lastTransaction": information.me_last_txnid, "freePages": freePages, "branchPages": branches, "leafPages": leaves,
            "overflowPages": overflows, "depth": depth, "maxReaders": Int(information.me_maxreaders),
            "lockFileSize": lockSize, "readerSlots": Int(information.me_numreaders), "slots": environment.handles.count,
        ]
    }

    /// The free pages, those included that a running read still keeps from being used again.
    private func freePages(in transaction: OpaquePointer, of environment: Environment) throws -> Int {
        var cursor: OpaquePointer?
        try environment.check(mdb_cursor_open(transaction, Environment.freeDBI, &cursor), "count free pages")
        defer { mdb_cursor_close(cursor) }
        var (key, value) = (MDB_val(), MDB_val())
        var count = 0
        var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        while code == MDB_SUCCESS {
            count += value.bytes.loadUnaligned(as: Int.self)
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        guard code == MDB_NOTFOUND else { throw errors.error(code, doing: "count free pages") }
        return count
    }
}
