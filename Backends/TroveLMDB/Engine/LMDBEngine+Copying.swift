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
    /// Writes a compacted copy of the last committed state, synced. When that fails, nothing is left.
    func backUp(to destination: String, timeout: Duration, for user: LMDBBackend) throws {
        try sharingGateOfGrowingFile(timeout: timeout, for: user) { environment in
            var information = stat()
            guard fstat(environment.fileGuard.descriptor, &information) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
            try StoreFile.makeCopy(of: information, at: destination, engine: LMDBErrors.engine) { try copy(environment, into: $0, at: destination) }
        }
    }

    /// What ends the name of the copy that is to take the store's place.
    static var compactingEnding: String { "-compacting" }

    /// Puts a compacted copy in place of the file.
    func compact(timeout: Duration, for user: LMDBBackend) throws {
        try alone(until: Deadline(timeout), for: "compacting the store") {
            try user.checkIsNotClosed()
            let environment = try openEnvironment()
            let temporary = path + Self.compactingEnding
            guard let copyGuard = try StoreGuard.forReplacement(at: temporary, needsLock: true) else { throw notAlone }
            // Only who has the replacement asks for the store alone, so two who compact cannot both lose their shared locks to each other.
            guard environment.fileGuard.takeAlone() else {
                unlink(temporary)
                throw notAlone
            }
            defer { environment.fileGuard.share() }
            let mapSize: Int
            let file: StoreFile
            do {
                // Another process may have outgrown the map before it closed the store.
                try environment.followGrowth()
                // Nobody may read the copy who may not read the store.
                try environment.fileGuard.giveMode(to: copyGuard, at: temporary)
                try copy(environment, into: copyGuard.descriptor, at: temporary)
                try copyGuard.synchronize(at: temporary)
                var information = MDB_envinfo()
                try environment.check(mdb_env_info(environment.pointer, &information), "look at the map")
                mapSize = information.me_mapsize
                file = try StoreFile(engine: LMDBErrors.engine, path: path)
                // Another store may be there by now.
                guard environment.fileGuard.isOf(path) else { throw file.movedError }
            } catch {
                unlink(temporary)
                throw error
            }
            try swap(environment, of: file, for: copyGuard, at: temporary, mapSize: mapSize)
        }
    }

    private var notAlone: StorageError {
        .locked(
            errors.details("another process has the store open, or the file system has no locks; compaction needs the store to itself"))
    }

    /// Closes the environment, moves the copy to its place and opens it. When moving fails the old file is opened again.
    private func swap(_ environment: Environment, of file: StoreFile, for copyGuard: StoreGuard, at temporary: String, mapSize: Int) throws {
        environment.close()
        replaceEnvironment(by: nil)
        var code: Int32 = 0
        try Self.registry.replaceFile(of: self, at: file) { if rename(temporary, path) != 0 { code = errno } }
        let isMoved = code == 0
        if !isMoved { unlink(temporary) }
        try openAgain(environment, fileGuard: isMoved ? copyGuard : environment.fileGuard, mapSize: mapSize)
        guard isMoved else { throw StoreFile.error(code, engine: LMDBErrors.engine, path: path) }
        try StoreFile.synchronizeDirectory(of: path, engine: LMDBErrors.engine)
    }

    /// Copies the last committed state without its free pages into an empty file that only the caller knows, and checks the copy.
    ///
    /// LMDB writes what it finds; so a copy that would not open is made again, and in the end an error.
    ///
    /// The compacting copy needs no lock of the writer's, so it does not wait for writers and works inside a write.
    private func copy(_ environment: Environment, into descriptor: Int32, at destination: String) throws {
        func check(_ isRight: Bool) throws {
            if !isRight { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: destination) }
        }
        let errors = LMDBErrors(path: destination)
        for attempt in 1...Self.copyAttempts {
            try check(ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0)
            var code = mdb_env_copyfd2(environment.pointer, descriptor, UInt32(MDB_CP_COMPACT))
            if code == MDB_READERS_FULL {
                try environment.makeRoomForReaders()
                code = mdb_env_copyfd2(environment.pointer, descriptor, UInt32(MDB_CP_COMPACT))
            }
            // LMDB copies from a transaction of its own, which the file may have outgrown.
            if code == MDB_MAP_RESIZED { throw MapIsOutgrown() }
            do {
                // Codes of LMDB's own are of what is copied; those of the system are of the place it is copied to.
                if code != MDB_SUCCESS { throw (code < 0 ? environment.errors : errors).error(code, doing: "copy the store") }
                do {
                    try Self.checkCopy(descriptor, errors)
                } catch StorageError.corrupt(var details) {
                    // The copy has what was found in the store, on pages with other numbers.
                    details.path = environment.errors.path
                    details.message = "a copy shows that " + details.message
                    throw StorageError.corrupt(details)
                }
                break
            } catch {
                // The state of a transaction that began between two commits of other processes may be half of one and half of another, see
                // `hasWholeState`, and LMDB's own transaction cannot be asked. What is damaged stays so.
                let mayPass = code == MDB_INCOMPATIBLE || (error as? StorageError)?.suspectsCorruption == true
                guard mayPass, attempt < Self.copyAttempts else { throw error }
            }
        }
    }
}

extension LMDBEngine {
    private static let copyAttempts = 4

    /// Looks at every page of a finished copy: one that is taken for whole opens. Takes a fraction of the time of writing it.
    private static func checkCopy(_ descriptor: Int32, _ errors: LMDBErrors) throws {
        let header = try FileHeader(descriptor: descriptor, errors: errors)
        guard let map = mmap(nil, header.fileSize, PROT_READ, MAP_SHARED, descriptor, 0), map != MAP_FAILED else {
            throw errors.error(errno, doing: "map the copy to check it")
        }
        defer { munmap(map, header.fileSize) }
        var check = StoreCheck(
            file: UnsafeRawBufferPointer(start: map, count: header.fileSize), meta: header.newest, checksLeaves: true, errors: errors)
        try check.run()
    }
}
