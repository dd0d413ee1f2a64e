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
    // MARK: Creating

    /// Makes an empty store, whole or not at all: under another name, then linked into place.
    func createFile() throws {
        let path = file.path + ".trove-new-\(getpid())"
        defer { unlink(path) }
        try makeEmptyFile(at: path) { _ in Mark() }
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

    /// Makes a store file at `path`, lets `fill` write into it and give its mark, and syncs it.
    func makeEmptyFile(at path: String, fill: (UnsafeMutablePointer<TCBDB>) throws -> Mark) throws {
        try makePlace(at: path)
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
    private func makePlace(at path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw systemError() }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw systemError() }
        close(descriptor)
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

    // MARK: Opening

    /// Locks, repairs, checks and opens the file, and reads its directory. One that is only read is not repaired.
    func openFile(locked newlyLocked: LockedFile? = nil) throws {
        let isReadOnly = writeRefusal != nil
        let locked = try newlyLocked ?? LockedFile(file, isReadOnly: isReadOnly)
        let start = try locked.bytes(at: 0, count: FileHeader.size)
        let found = try PageStoreHeader(start, of: file)
        let header: FileHeader
        var isVouchedFor = false
        if try found.wasClosed && !UndoLog.begins(with: start, beside: file, isBigEndian: found.isBigEndian, isReadOnly: isReadOnly) {
            header = try FileHeader(start, of: file)
            // A log beside a closed file is of an older one; opening sets the flag that would make it count.
            if !isReadOnly, unlink(UndoLog.path(of: file)) != 0 && errno != ENOENT { throw systemError() }
            // Before anything is written, the flag of an open file too. What a log puts back is checked.
            isVouchedFor =
                !found.isMarkedDamaged && !found.mark.countsAreStale
                && CheckedMark.extent(of: locked.descriptor, at: file.path, state: 0) == .everyPage
        } else if isReadOnly {
            try UndoLog.requireNone(beside: file)
            header = try FileHeader(start, of: file)
        } else {
            try UndoLog.replay(
                onto: locked, header: start, isBigEndian: found.isBigEndian
            ) { bytes, isUncertain in
                let header = try FileHeader(Array(bytes.prefix(FileHeader.size)), of: file)
                guard bytes.count >= header.pages.fileSize else { throw error(StorageError.corrupt, "the file's log is damaged; restore a copy") }
                if needsCheck(header) { _ = try checkedCounts(in: bytes, header) } else if isUncertain { return PageWalk.isRight(bytes, header) }
                return true
            }
            header = try readHeader(locked)
        }
        guard UInt64(try locked.size()) >= header.pages.fileSize else {
            throw error(StorageError.corrupt, "the file is cut off: it should have \(header.pages.fileSize) bytes; restore a copy")
        }
        let counts = isVouchedFor ? nil : try checkPages(of: locked, header)
        if !isReadOnly { unlink(compactionPath) }
        let handle = makeHandle(leafCache: options.leafCacheSize, nodeCache: options.nodeCacheSize)
        do {
            errno = 0
            guard tcbdbopen(handle, file.path, Int32((isReadOnly ? BDBOREADER : BDBOWRITER) | BDBOLCKNB)) else { throw openFailure(of: handle) }
            try readDirectory(through: handle, header.pages.mark, counts)
        } catch {
            // The error is what is reported, whatever becomes of the handle.
            do { try prepareToClose(handle) } catch {}
            tcbdbdel(handle)
            throw error
        }
        self.locked = locked
        self.handle = handle
        countsAreStale = header.pages.mark.countsAreStale
        isChecked = isVouchedFor || needsCheck(header)
        isSynchronized = isReadOnly
        isLogNamed = false
        hasLogMode = false
        failure = nil
        head?.deallocate()
        head = nil
    }

    /// Opens the file again with the one of these locks that is on it.
    ///
    /// When that fails it stays locked: else its inode could become that of another store's file, when somebody removes it, and the registry would take this
    /// engine for that store's.
    func openFile(withOneOf locks: [LockedFile?]) throws {
        locked = locks.compactMap(\.self).first(where: \.isAtPath) ?? locked
        guard let locked, locked.isAtPath else { throw file.isGone }
        try openFile(locked: locked)
    }

    var compactionPath: String { file.path + ".trove-compact" }

    func readHeader(_ locked: LockedFile) throws -> FileHeader {
        try FileHeader(locked.bytes(at: 0, count: FileHeader.size), of: file)
    }

    private func openFailure(of handle: UnsafeMutablePointer<TCBDB>) -> StorageError {
        let failure = failure(of: handle, "opening the file")
        guard tcbdbecode(handle) == Int32(TCEMETA) else { return failure }
        // The header was found right in one byte order, so the library has the other one.
        return error(
            StorageError.notAStore,
            "the file was written by a Tokyo Cabinet built with the other byte order; copy the store with Trove on the machine it comes from",
            code: failure.details.code)
    }

    private func readDirectory(through handle: UnsafeMutablePointer<TCBDB>, _ mark: Mark, _ counts: [UInt32: Int]?) throws {
        var directory = Directory()
        directory.nextNumber = mark.nextNumber
        guard let cursor = tcbdbcurnew(handle) else { throw error(StorageError.outOfResources, "there is no memory for a cursor") }
        defer { tcbdbcurdel(cursor) }
        let prefix = KeyPrefix.bytes(KeyPrefix.directory)
        var isThere = tcbdbcurjump(cursor, prefix, Int32(prefix.count))
        while isThere {
            var keySize: Int32 = 0
            var valueSize: Int32 = 0
            guard let key = tcbdbcurkey3(cursor, &keySize), let value = tcbdbcurval3(cursor, &valueSize) else { break }
            let storedKey = UnsafeRawBufferPointer(start: key, count: Int(keySize))
            guard storedKey.starts(with: prefix) else { break }
            let storedValue = UnsafeRawBufferPointer(start: value, count: Int(valueSize))
            guard directory.add(key: storedKey, value: storedValue, countsAreStale: mark.countsAreStale) else {
                throw error(StorageError.corrupt, "the directory of keyspaces is damaged; restore a copy")
            }
            isThere = tcbdbcurnext(cursor)
        }
        if handle.pointee.hdb.pointee.fatal { throw failure(of: handle, "reading the directory of keyspaces") }
        if let counts {
            try check(counts, against: directory)
            for number in directory.numbers.values { directory.setCount(counts[number] ?? 0, of: number) }
        }
        self.directory = directory
    }
}
