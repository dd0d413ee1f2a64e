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
    // MARK: Copying

    /// Writes a copy of the file to `destination`. For a thread inside the gate: committed pages are in the file.
    ///
    /// The library's own copy would close a descriptor of the file and so lose its lock.
    func copy(to destination: String) throws {
        let pages = try library.pointee.hdb!
        guard let locked else { return }
        var information = stat()
        guard fstat(locked.descriptor, &information) == 0 else { throw systemError() }
        try StoreFile.requireNoLog(beside: destination, of: .tokyoCabinet, engine: Self.name)
        try StoreFile.makeCopy(of: information, at: destination, engine: Self.name) {
            try copyBytes(of: locked, upTo: Int(pages.pointee.fsiz), to: $0, at: destination)
        }
    }

    private func copyBytes(of locked: LockedFile, upTo size: Int, to copy: Int32, at destination: String) throws {
        var offset = 0
        while offset < size {
            var part = try locked.bytes(at: offset, count: min(1 << 20, size - offset))
            guard !part.isEmpty else { throw error(StorageError.corrupt, "the file is shorter than it says; restore a copy") }
            // The copy is a closed file: its list of free blocks is empty while the store is open.
            if offset == 0 { part[PageStoreHeader.flagsOffset] = 0 }
            try part.withUnsafeBytes { try StoreFile.write($0, to: copy, at: offset, engine: Self.name, path: destination) }
            offset += part.count
        }
    }

    // MARK: Compacting

    /// Writes the entries into a new file and puts it in this one's place. Nothing else runs.
    ///
    /// The library's own way removes the file before the new one has its name.
    ///
    /// - Parameter replacing: Called while the old file is still held open, so that nobody else's file can have
    ///   its inode before the registry has forgotten it. It runs its argument, which moves the new file, while nobody opens a store.
    func compact(replacing: (() throws -> Void) throws -> Void) throws {
        let handle = try library
        if handle.pointee.hdb.pointee.fatal { throw failure(of: handle, "compacting") }
        // Another store may be there, and be compacted too.
        try requirePlace()
        let path = compactionPath
        let newLocked: LockedFile
        do {
            try makeEmptyFile(at: path) { copy in
                // Nobody may read in the new file who may not read the old one.
                guard try giveMode(to: copy.pointee.hdb.pointee.fd) else { throw systemError() }
                return try copyEntries(from: handle, to: copy)
            }
            newLocked = try LockedFile(file, under: path)
            try requirePlace()
        } catch {
            unlink(path)
            throw error
        }
        var closeFailure: (any Error)?
        do { try prepareToClose(handle) } catch { closeFailure = error }
        errno = 0
        if !tcbdbclose(handle) { closeFailure = closeFailure ?? failure(of: handle, "closing the old file") }
        tcbdbdel(handle)
        self.handle = nil
        do {
            if let closeFailure { throw closeFailure }
            try replacing { guard rename(path, file.path) == 0 else { throw systemError() } }
            locked = newLocked
            try openFile(locked: newLocked)
            try StoreFile.synchronizeDirectory(of: file.path, engine: Self.name)
        } catch {
            unlink(path)
            if self.handle == nil { do { try openFile(withOneOf: [locked, newLocked]) } catch let reason { failure = reason as? StorageError } }
            throw error
        }
    }

    /// Throws when the file is not at its path any more.
    private func requirePlace() throws {
        guard locked?.isAtPath == true else { throw file.movedError }
    }

    /// Gives another open file the mode of the store's; returns whether the system lets it.
    func giveMode(to descriptor: Int32) throws -> Bool {
        var information = stat()
        return try fstat(library.pointee.hdb.pointee.fd, &information) == 0 && fchmod(descriptor, information.st_mode & 0o777) == 0
    }

    /// Copies every entry, or throws `corrupt`: in a file whose pages nobody has checked, the chain of leaves may end too early or lead back,
    /// and the library takes that for the end of the entries, or for more of them.
    private func copyEntries(from handle: UnsafeMutablePointer<TCBDB>, to copy: UnsafeMutablePointer<TCBDB>) throws -> Mark {
        guard let cursor = tcbdbcurnew(handle) else { throw error(StorageError.outOfResources, "there is no memory for a cursor") }
        defer { tcbdbcurdel(cursor) }
        for (name, number) in directory.numbers {
            let key = KeyPrefix.bytes(KeyPrefix.directory) + name
            let value = Directory.value(number: number, count: directory.count(of: number) ?? Directory.unknownCount)
            guard tcbdbput(copy, key, Int32(key.count), value, Int32(value.count)) else {
                throw writeFailure(of: copy, "writing the new file")
            }
        }
        let first = KeyPrefix.bytes(KeyPrefix.directory + 1)
        let expected = handle.pointee.rnum
        var found = UInt64(directory.count)
        var isThere = tcbdbcurjump(cursor, first, Int32(first.count))
        while isThere, found < expected {
            var keySize: Int32 = 0
            var valueSize: Int32 = 0
            guard let key = tcbdbcurkey3(cursor, &keySize), let value = tcbdbcurval3(cursor, &valueSize) else { break }
            guard tcbdbput(copy, key, keySize, value, valueSize) else { throw writeFailure(of: copy, "writing the new file") }
            found += 1
            isThere = tcbdbcurnext(cursor)
        }
        if handle.pointee.hdb.pointee.fatal { throw failure(of: handle, "reading the file") }
        // Those of a walk in a circle were counted twice, and are one in the copy.
        guard !isThere, found == expected, copy.pointee.rnum == expected else {
            let count = isThere ? "more" : "\(copy.pointee.rnum)"
            throw error(StorageError.corrupt, "the file is damaged: it has \(expected) entries, and \(count) were found; restore a copy")
        }
        var mark = Mark()
        mark.nextNumber = directory.nextNumber
        return mark
    }

    // MARK: Statistics

    func statistics(activeReaders: Int, oldestReader: Duration?) throws -> StorageStatistics {
        let handle = try library
        var log = stat()
        let logSize = stat(UndoLog.path(of: file), &log) == 0 ? Int(log.st_size) : 0
        return lock {
            let tree = handle.pointee
            return StorageStatistics(
                fileSize: file.size + logSize, freeSize: 0, keyspaceCount: directory.count,
                activeReaders: activeReaders, oldestReaderAge: oldestReader,
                engineFigures: [
                    "entries": Int(tree.rnum) - directory.count, "pages": Int(tree.hdb.pointee.rnum),
                    "non-leaf pages created": Int(tree.nnum), "leaf pages created": Int(tree.lnum),
                    "cached leaf pages": Int(tcmaprnum(tree.leafc)), "cached non-leaf pages": Int(tcmaprnum(tree.nodec)),
                    "leaf members": Int(tree.lmemb), "buckets": Int(tree.hdb.pointee.bnum),
                    "free blocks": Int(tree.hdb.pointee.fbpnum), "log size": logSize,
                ])
        }
    }
}
