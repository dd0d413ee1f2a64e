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

/// Transactions of the library. Only the thread that has the gate alone calls these.
extension Engine {
    /// Begins a transaction.
    ///
    /// The library's own call also walks through all cached pages to write changed ones, which is half the
    /// price of a small transaction. There are none: pages change in transactions only, and those end clean.
    func begin(_ durability: Durability) throws {
        let handle = try library
        let pages = handle.pointee.hdb!
        if pages.pointee.fatal { throw failure(of: handle, "beginning a transaction") }
        let syncs = UInt32(HDBOTSYNC)
        pages.pointee.omode &= ~syncs
        if durability == .durable { try synchronize() }
        // Taken before the transaction begins, since without it nothing would end that, and the library waits for it for ever at the next one.
        guard let opaque = malloc(64) else { throw error(StorageError.outOfResources, "there is no memory for a transaction") }
        errno = 0
        guard tchdbtranbegin(pages) else {
            let error = failure(of: handle, "beginning a transaction")
            free(opaque)
            abandonHandle(restoringHead: false)
            throw error
        }
        memcpy(opaque, handle.pointee.opaque, 64)
        handle.pointee.rbopaque = opaque.assumingMemoryBound(to: CChar.self)
        handle.pointee.tran = true
        if !hasLogMode {
            // It will have pages of the store. One that another user has left keeps its mode.
            _ = try giveMode(to: pages.pointee.walfd)
            StoreFile.withholdFromPrograms(pages.pointee.walfd)
            hasLogMode = true
        }
        guard durability == .durable else { return }
        // What the library does when it syncs by itself, without syncing the file twice.
        do {
            try LockedFile.synchronize(pages.pointee.walfd, of: file)
            if !isLogNamed {
                try StoreFile.synchronizeDirectory(of: file.path, engine: Self.name)
                isLogNamed = true
            }
        } catch {
            rollBack()
            throw error
        }
        pages.pointee.omode |= syncs
    }

    /// Undoes the transaction. Nothing has reached the file yet: the library writes pages at commit only.
    func rollBack() {
        guard let handle else { return }
        let pages = handle.pointee.hdb!
        // The library forgets its free blocks because it cannot know that they did not change.
        let freeBlocks = pages.pointee.fbpnum
        guard tcbdbtranabort(handle) else {
            failure = failure(of: handle, "rolling back")
            abandonHandle(restoringHead: false)
            return
        }
        pages.pointee.fbpnum = freeBlocks
        // The logged header says closed. Without the flag on the disk, a later transaction's log would not count.
        pages.pointee.flags |= PageStoreHeader.openFlag
        pages.pointee.map[PageStoreHeader.flagsOffset] = CChar(bitPattern: pages.pointee.flags)
        isSynchronized = false
    }

    /// Commits the transaction; when that fails, the file is as it was before it.
    func commit(_ newDirectory: Directory, _ durability: Durability, countsAreStale newStale: Bool = true) throws {
        let handle = try library
        let pages = handle.pointee.hdb!
        saveHead(of: pages)
        if countsAreStale != newStale || newDirectory.nextNumber != directory.nextNumber {
            write(Mark(nextNumber: newDirectory.nextNumber, countsAreStale: newStale), to: pages)
        }
        do {
            try writePages(of: handle)
            errno = 0
            guard tchdbtrancommit(pages) else {
                let error = failure(of: handle, "committing")
                // The log has not been emptied.
                pages.pointee.tran = true
                throw error
            }
        } catch {
            abandonHandle(restoringHead: true)
            throw error
        }
        endTransaction(of: handle)
        trimCaches(of: handle)
        isSynchronized = false
        directory = newDirectory
        commitCount += 1
        countsAreStale = newStale
        guard durability == .durable else { return }
        do {
            // The library does not sync the emptied log, and a log that comes back after a power loss undoes the commit.
            try LockedFile.synchronize(pages.pointee.walfd, of: file)
        } catch {
            failure = (error as? StorageError).map(Self.afterCommit)
            discardHandle()
            throw failure ?? error
        }
        isSynchronized = true
    }

    /// Writes the changed pages into the file while the log can still undo them.
    ///
    /// The library's own commit cannot be used: it compares what `pwrite` returns as an unsigned number, takes -1 for success,
    /// and empties the log behind pages that are not in the file. A refused write shows in the system's error number and in the file's size only.
    private func writePages(of handle: UnsafeMutablePointer<TCBDB>) throws {
        let pages = handle.pointee.hdb!
        errno = 0
        let isWritten = tcbdbmemsync(handle, false)
        let system = errno
        if !isWritten && system == 0 { throw failure(of: handle, "writing pages") }
        guard isWritten, system == 0 || mayMeanNothing(system) else {
            throw failure(bySystemError: system, "writing pages failed", code: Int(tcbdbecode(handle)))
        }
        guard let locked, try locked.size() >= Int(pages.pointee.fsiz) else {
            throw error(StorageError.inputOutput, "writing pages failed: the file is shorter than what was written to it; nothing was changed")
        }
        if try system != 0 && !areWritten(handle, into: locked) {
            throw failure(bySystemError: system, "writing pages failed", code: Int(tcbdbecode(handle)))
        }
    }

    /// What the library does to its handle at the end of a transaction.
    private func endTransaction(of handle: UnsafeMutablePointer<TCBDB>) {
        free(handle.pointee.rbopaque)
        handle.pointee.rbopaque = nil
        handle.pointee.tran = false
    }

    /// Lets the library drop cached pages above its limits, which it does at the end of most calls outside transactions.
    private func trimCaches(of handle: UnsafeMutablePointer<TCBDB>) {
        let tree = handle.pointee
        guard tcmaprnum(tree.leafc) > UInt64(tree.lcnum) || tcmaprnum(tree.nodec) > UInt64(tree.ncnum) else { return }
        let key = KeyPrefix.bytes(KeyPrefix.directory)
        _ = tcbdbvnum(handle, key, Int32(key.count))
    }

    private func write(_ mark: Mark, to pages: UnsafeMutablePointer<TCHDB>) {
        mark.bytes.withUnsafeBytes { _ = memcpy(pages.pointee.map + Mark.offset, $0.baseAddress!, Mark.size) }
    }

    /// Remembers header and buckets. When the disk is full the library changes buckets without having logged them.
    private func saveHead(of pages: UnsafeMutablePointer<TCHDB>) {
        let size = Int(pages.pointee.msiz)
        if head?.count != size {
            head?.deallocate()
            head = .allocate(byteCount: size, alignment: 8)
        }
        memcpy(head!.baseAddress!, pages.pointee.map, size)
    }

    /// Gets rid of a handle after a failure, with the file as it was before the transaction, and opens it anew.
    private func abandonHandle(restoringHead: Bool) {
        guard let handle else { return }
        let pages = handle.pointee.hdb!
        if restoringHead, let head { memcpy(pages.pointee.map, head.baseAddress!, head.count) }
        // The library would undo the transaction and forget the log, whether or not undoing it succeeded. Opening the file does it by the log,
        // which is emptied last; when that fails too, the log is there for the opening after that.
        if pages.pointee.tran { stopWriting(through: handle) }
        discardHandle()
        do { try openFile(withOneOf: [locked]) } catch { failure = failure ?? (error as? StorageError) }
    }

    /// Closes the handle without letting it write the tree's header, which may be that of the failed transaction. The file stays locked.
    private func discardHandle() {
        guard let handle else { return }
        endTransaction(of: handle)
        // Something has failed already, and that is what is reported.
        do { try prepareToClose(handle) } catch {}
        tcbdbdel(handle)
        self.handle = nil
    }
}

extension Mark {
    fileprivate init(nextNumber: UInt32, countsAreStale: Bool) {
        self.init()
        self.nextNumber = nextNumber
        self.countsAreStale = countsAreStale
    }
}
