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
    /// The first size tried for the map when none is set: growing is rare, and a process can have some 500 stores open, which share the 128 TiB
    /// of addresses with whatever else the process maps.
    static let defaultMapSize = Int.bitWidth == 64 ? 1 << 38 : 1 << 28
    static let mapGranularity = 1 << 16
    /// Half of what a process of a 64-bit system can address.
    static let mapSizeLimit = Int.bitWidth == 64 ? 1 << 46 : 1 << 30

    /// Checks and opens the file at `path`, or creates it.
    static func open(path: String, options: LMDBBackend.Options, errors: LMDBErrors) throws -> Environment {
        let deadline = Deadline(options.writerTimeout)
        while true {
            var fileGuard = try StoreGuard.open(path, until: deadline, errors: errors)
            if fileGuard.isNew {
                guard let created = try createFile(at: path, replacing: fileGuard, errors: errors) else {
                    try StoreGuard.wait(until: deadline, forAnotherProcessTo: "make the store", errors)
                    continue
                }
                fileGuard = created
            }
            let environment = try open(path: path, fileGuard: fileGuard, access: .writing, mapSize: options.mapSize, options: options, errors: errors)
            fileGuard.share()
            return environment
        }
    }

    /// Opens the file that `fileGuard` has locked.
    ///
    /// - Parameter checked: how much of the file's pages this process has checked already; nil when it has not.
    static func open(
        path: String, fileGuard: StoreGuard, access: Access, mapSize: Int?, options: LMDBBackend.Options, errors: LMDBErrors,
        checked: CheckedMark.Extent? = nil
    ) throws -> Environment {
        let header = try FileHeader(descriptor: fileGuard.descriptor, errors: errors)
        let maxKeyspaces = max(options.maxKeyspaces, header.newest.main.entries - 1)
        var size = rounded(mapSize ?? defaultMapSize)
        let deadline = Deadline(options.writerTimeout)
        while true {
            do {
                let environment = try fileGuard.openingAlone(until: deadline, errors: errors) {
                    let words =
                        try access == .readingUnlocked ? nil : LockFile.reserve(forStoreAt: path, maxReaders: options.maxReaders, errors: errors)
                    let pointer = try openPointer(path, access, mapSize: size, maxKeyspaces: maxKeyspaces, options: options, errors: errors)
                    let writersWords = access == .writing ? words : nil
                    let processGate = writersWords.flatMap { words in
                        fileGuard.locks.flatMap { ProcessGate(words: words, locks: $0, until: deadline) }
                    }
                    return Environment(
                        pointer: pointer, access: access, fileGuard: fileGuard, processGate: processGate, maxKeyspaces: maxKeyspaces,
                        timeout: options.writerTimeout, errors: errors)
                }
                guard environment.lockFileKnowsState else {
                    environment.close()
                    try StoreGuard.wait(until: deadline, forAnotherProcessTo: "leave the store, whose lock file has another state", errors)
                    continue
                }
                return try prepared(environment, checking: options.pageCheck, checked: checked)
            } catch let error as StorageError where LMDBErrors.isOfMemory(error) {
                // The address space may be limited: what was not asked for may be smaller.
                guard mapSize == nil, size > 1 << 24 else { throw error }
                size /= 2
            }
        }
    }

    static func rounded(_ size: Int) -> Int {
        let least = max(size, mapGranularity)
        return least > Int.max - mapGranularity ? Int.max & ~(mapGranularity - 1) : (least + mapGranularity - 1) & ~(mapGranularity - 1)
    }

    private static func openPointer(
        _ path: String, _ access: Access, mapSize: Int, maxKeyspaces: Int, options: LMDBBackend.Options, errors: LMDBErrors
    ) throws -> OpaquePointer {
        var created: OpaquePointer?
        var code = mdb_env_create(&created)
        guard code == MDB_SUCCESS, let pointer = created else { throw errors.error(code, doing: "open the store") }
        // One more for the catalogue.
        code = mdb_env_set_maxdbs(pointer, MDB_dbi(clamping: maxKeyspaces + 1))
        if code == MDB_SUCCESS { code = mdb_env_set_maxreaders(pointer, UInt32(clamping: options.maxReaders)) }
        if code == MDB_SUCCESS { code = mdb_env_set_mapsize(pointer, mapSize) }
        if code == MDB_SUCCESS { code = mdb_env_open(pointer, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS | access.flags), 0o644) }
        if code == MDB_SUCCESS, mdb_env_get_maxkeysize(pointer) < StorageLimits.maxKeySize {
            mdb_env_close(pointer)
            throw StorageError.unsupported(
                errors.details("this LMDB library was built for keys under \(StorageLimits.maxKeySize) bytes; use another build"))
        }
        guard code == MDB_SUCCESS else {
            mdb_env_close(pointer)
            // Some systems refuse a map that is too large with EINVAL; no other argument here can be wrong.
            if code == EINVAL { code = ENOMEM }
            throw errors.error(code, doing: "open the store")
        }
        // Of its files it leaves this one to programs that are started.
        var descriptor: Int32 = -1
        if mdb_env_get_fd(pointer, &descriptor) == MDB_SUCCESS { StoreFile.withholdFromPrograms(descriptor) }
        return pointer
    }

    private static func prepared(_ environment: Environment, checking: LMDBBackend.PageCheck, checked: CheckedMark.Extent?) throws -> Environment {
        do {
            try environment.check(environment.usingReaderTable { mdb_reader_check(environment.pointer, nil) }, "clear the table of readers")
            while true {
                do {
                    environment.checkedExtent = try checked ?? environment.checkPages(checking)
                    try environment.openDatabases()
                    // A place in the table of readers, kept from now on, shows other processes that this one has the store open.
                    environment.endRead(try environment.beginRead())
                    return environment
                } catch is MapIsOutgrown {
                    // Nobody else has the environment yet.
                    try environment.followGrowth()
                }
            }
        } catch {
            environment.close()
            throw error
        }
    }
}
