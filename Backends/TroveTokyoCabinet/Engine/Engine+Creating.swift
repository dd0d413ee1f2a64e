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

/// The making of a store's file.
extension Engine {
    /// What follows the store's name in that of the file in which a store is made; behind it are the number of the process and a random one.
    private static let newMark = ".trove-new-"

    /// Makes an empty store, whole or not at all: under another name, then linked into place.
    func createFile() throws {
        let path = file.path + Self.newMark + "\(getpid())-" + String(UInt64.random(in: 0 ... .max), radix: 16)
        let place = try lockedPlace(at: path)
        defer {
            unlink(path)
            FileLock.release(place)
        }
        try makeFile(in: path) { _ in Mark() }
        if link(path, file.path) != 0 {
            let code = errno
            if code == EEXIST {
                try replaceEmptyFile(by: path)
            } else {
                // Not every file system has links.
                guard rename(path, file.path) == 0 else { throw systemError() }
            }
        }
        try StoreFile.synchronizeDirectory(of: file.path, engine: Self.name)
    }

    /// Puts the new store in the place of an empty file, made by a temporary-file call, say. Another process that makes the store
    /// too waits for nobody: one of the two has the lock, and the other finds a store.
    private func replaceEmptyFile(by path: String) throws {
        let locked = try LockedFile(file)
        guard try locked.size() == 0 else { return }
        // Who made the file has said who may read it.
        var information = stat()
        guard stat(file.path, &information) == 0, chmod(path, information.st_mode & 0o777) == 0, rename(path, file.path) == 0 else { throw systemError() }
    }

    /// Removes the files of processes that ended while they made the store. Who is at it still has the file locked.
    ///
    /// - Parameter store: the store's own file, of which such a name may have become a second one. Nothing has it open but this.
    func removeAbandonedFiles(beside store: LockedFile) {
        for path in file.numberedPaths(behind: Self.newMark) {
            var information = stat()
            guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { continue }
            if FileLock.isFile(store.descriptor, at: path) { unlink(path) } else { removeUnlocked(path) }
        }
    }

    /// Removes the file at a path, unless somebody has it locked.
    private func removeUnlocked(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { FileLock.release(descriptor) }
        // With the lock: who has just made the file would go on with it.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileLock.isFile(descriptor, at: path) { unlink(path) }
    }

    /// Makes an empty file at `path`, and locks it for as long as the store is made in it.
    private func lockedPlace(at path: String) throws -> Int32 {
        while true {
            let descriptor = try makePlace(at: path)
            if flock(descriptor, LOCK_EX) == 0 {
                // Who removes what others have left may have come before the lock.
                if FileLock.isFile(descriptor, at: path) { return descriptor }
            } else if errno != EINTR {
                let error = systemError()
                unlink(path)
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
    }

    /// Makes a store file at `path`, in the place of whatever is there, lets `fill` write into it and give its mark, and syncs it.
    func makeEmptyFile(at path: String, fill: (UnsafeMutablePointer<TCBDB>) throws -> Mark) throws {
        close(try makePlace(at: path))
        try makeFile(in: path, fill: fill)
    }

    /// The same in the empty file at `path`.
    private func makeFile(in path: String, fill: (UnsafeMutablePointer<TCBDB>) throws -> Mark) throws {
        let handle = makeHandle(leafCache: 64, nodeCache: 64)
        defer {
            // Open still only when something has failed, which is what is reported.
            do { try prepareToClose(handle) } catch {}
            tcbdbdel(handle)
        }
        errno = 0
        guard tcbdbopen(handle, path, Int32(BDBOWRITER | BDBOCREAT | BDBOTRUNC | BDBONOLCK)) else {
            throw writeFailure(of: handle, "creating the file")
        }
        StoreFile.withholdFromPrograms(handle.pointee.hdb.pointee.fd)
        errno = 0
        let mark = try fill(handle)
        handle.pointee.hdb.pointee.map.advanced(by: Mark.offset)
            .withMemoryRebound(to: UInt8.self, capacity: Mark.size) { $0.update(from: mark.bytes, count: Mark.size) }
        guard tcbdbsync(handle) else { throw writeFailure(of: handle, "syncing the new file") }
        try prepareToClose(handle)
        guard tcbdbclose(handle) else { throw writeFailure(of: handle, "closing the new file") }
        let system = errno
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError() }
        defer { close(descriptor) }
        // The library does not notice when pages are not written, see `writePages`.
        let header = try checkNewFile(descriptor)
        if system != 0, try !mayMeanNothing(system) || !areWritten(Int(header.pages.firstPage)..<Int(header.pages.fileSize), in: descriptor) {
            throw failure(bySystemError: system, "writing the new file failed", code: Int(TCEWRITE))
        }
        try LockedFile.synchronize(descriptor, of: file)
    }

    /// Makes an empty file at `path`, in the place of whatever is there: the library would follow a link to anybody's file and cut that.
    private func makePlace(at path: String) throws -> Int32 {
        guard unlink(path) == 0 || errno == ENOENT else { throw systemError() }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw systemError() }
        return descriptor
    }

    /// Walks through all pages of a file that was just written, because it may replace another one, and returns its header.
    private func checkNewFile(_ descriptor: Int32) throws -> FileHeader {
        do {
            return try LockedFile.withMapping(of: descriptor, for: file) { bytes in
                let header = try FileHeader(Array(bytes.prefix(FileHeader.size)), of: file)
                guard bytes.count >= Int(header.pages.fileSize) else { throw PageWalk.Damage(what: "it is cut off") }
                _ = try PageWalk.counts(in: bytes, header: header)
                return header
            }
        } catch let damage as PageWalk.Damage {
            throw error(StorageError.inputOutput, "writing the new file failed: \(damage.what); nothing was changed")
        }
    }

    func systemError() -> StorageError { StoreFile.error(errno, engine: Self.name, path: file.path) }
}
