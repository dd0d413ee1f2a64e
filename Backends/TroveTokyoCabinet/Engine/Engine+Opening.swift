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
        if !isReadOnly {
            unlink(compactionPath)
            removeAbandonedFiles(beside: locked)
        }
        let handle = makeHandle(leafCache: options.leafCacheSize, nodeCache: options.nodeCacheSize)
        do {
            errno = 0
            guard tcbdbopen(handle, file.path, Int32((isReadOnly ? BDBOREADER : BDBOWRITER) | BDBOLCKNB)) else { throw openFailure(of: handle) }
            StoreFile.withholdFromPrograms(handle.pointee.hdb.pointee.fd)
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
        guard let locked, locked.isAtPath else { throw file.goneError }
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
