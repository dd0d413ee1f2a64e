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
    /// Returns when everything committed is on the disk. For a thread inside the gate.
    func synchronize() throws {
        let handle = try library
        let pages = handle.pointee.hdb!
        guard let locked else { return }
        if lock({ isSynchronized }) { return }
        // Committed pages are in the file; what is left is to get the file, and its mapped head, to the disk.
        guard msync(pages.pointee.map, Int(pages.pointee.msiz), MS_SYNC) == 0 else { throw systemError() }
        try locked.synchronize()
        if pages.pointee.walfd >= 0 { try LockedFile.synchronize(pages.pointee.walfd, of: file) }
        lock { isSynchronized = true }
    }

    /// Closes the file, with the counts in its directory up to date. Nothing else runs.
    func shutDown() throws {
        guard let handle else {
            locked = nil
            return
        }
        var problem: (any Error)?
        // The library makes and removes the log by its name, which is that of the store's that is there now, and the mark beside it would be this one's.
        func isReplaced() -> Bool { locked.map { !$0.isAtPath } ?? false && file.exists }
        let wasReplaced = isReplaced()
        if writeRefusal == nil && countsAreStale && !wasReplaced && !handle.pointee.hdb.pointee.fatal {
            // Nothing is lost without them, on a full disk for one: the next opening counts.
            do { try storeCounts() } catch {}
        }
        // Storing the counts may have replaced the handle.
        if let handle = self.handle {
            // Another store may have come there while they were stored.
            if wasReplaced || isReplaced() {
                stopWriting(through: handle)
                isChecked = false
            }
            do { try prepareToClose(handle) } catch { problem = problem ?? error }
            errno = 0
            if !tcbdbclose(handle) { problem = problem ?? failure(of: handle, "closing the file") }
            tcbdbdel(handle)
            self.handle = nil
            if writeRefusal == nil { do { try locked?.synchronize() } catch { problem = problem ?? error } }
            if problem == nil, isChecked, writeRefusal == nil, let locked {
                CheckedMark.leave(for: locked.descriptor, at: file.path, state: 0, extent: .everyPage)
            }
        }
        locked = nil
        if let problem { throw problem }
    }

    /// Closes a file that was removed, without writing anything: at its path there may be the store of another process by now, and beside it that one's log.
    func shutDownRemoved() throws {
        if let handle { stopWriting(through: handle) }
        // Neither the mark of what was removed.
        isChecked = false
        try shutDown()
    }

    /// Does what the library cannot do safely when it closes a file whose changes have all been committed.
    ///
    /// The tree's numbers stay as the last commit wrote them. The library would write them again, zeros first, and a process that is killed in between
    /// would leave a file without them, and no log.
    ///
    /// The file is cut to its size. When that fails in the library, it notes the error in the file's header, which it has unmapped by then, and the
    /// process ends. When it fails here, the library closes the file as one that it has only read; the next opening finds it not closed, and checks it.
    func prepareToClose(_ handle: UnsafeMutablePointer<TCBDB>) throws {
        handle.pointee.wmode = false
        let pages = handle.pointee.hdb!
        guard pages.pointee.fd >= 0, pages.pointee.omode & UInt32(HDBOWRITER) != 0 else { return }
        if ftruncate(pages.pointee.fd, off_t(pages.pointee.fsiz)) == 0 { return }
        let error = systemError()
        stopWriting(through: handle)
        throw error
    }

    /// Makes of a handle one that has only read its file, which the library closes without writing anything, and without removing the log.
    func stopWriting(through handle: UnsafeMutablePointer<TCBDB>) {
        let pages = handle.pointee.hdb!
        guard pages.pointee.fd >= 0, pages.pointee.omode & UInt32(HDBOWRITER) != 0 else { return }
        handle.pointee.wmode = false
        pages.pointee.omode &= ~UInt32(HDBOWRITER)
        pages.pointee.tran = false
        pages.pointee.fatal = true
        // Of a file that is read the library unmaps no more than there is of it.
        let mapped = Int(max(pages.pointee.xmsiz, pages.pointee.msiz))
        let pageSize = Int(getpagesize())
        let kept = (min(mapped, Int(pages.pointee.fsiz)) + pageSize - 1) / pageSize * pageSize
        if mapped > kept { munmap(pages.pointee.map + kept, mapped - kept) }
    }

    /// Writes the counts into the directory's entries and marks them as good.
    ///
    /// As a durable transaction, so that a power loss in the middle harms no durable commit before it.
    private func storeCounts() throws {
        let handle = try library
        try begin(.durable)
        for (name, number) in directory.numbers {
            let key = KeyPrefix.bytes(KeyPrefix.directory) + name
            let value = Directory.value(number: number, count: directory.count(of: number) ?? Directory.unknownCount)
            guard tcbdbput(handle, key, Int32(key.count), value, Int32(value.count)) else {
                let error = failure(of: handle, "storing the counts")
                rollBack()
                throw error
            }
        }
        try commit(directory, .durable, countsAreStale: false)
    }
}
