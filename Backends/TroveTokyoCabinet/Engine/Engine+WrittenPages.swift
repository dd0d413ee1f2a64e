#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import CTokyoCabinet
import TroveStorage

#if canImport(Darwin)
private let seekHole = SEEK_HOLE
#else
/// `SEEK_HOLE` of Linux, whose headers give it under a feature macro only.
private let seekHole: Int32 = 4
#endif

/// Whether pages that the library says it has written are in the file.
///
/// It does not notice that a write was refused; the system's error number shows it. But the GNU allocator leaves ENOMEM behind though it
/// succeeds, when a thread's own arena is full and it finds the memory elsewhere (`sysmalloc`, then `arena_get_retry`), which pages of some
/// megabytes bring about; and that may hide the number of a write that was refused before. Then the file is looked at.
extension Engine {
    /// Whether `system`, the error number after calls of the library that tell of no failure, may be none at all.
    func mayMeanNothing(_ system: Int32) -> Bool { system == ENOMEM }

    /// Whether something was written to all these bytes, which the file did not have before: where a write is refused, there is a hole.
    func areWritten(_ bytes: Range<Int>, in descriptor: Int32) throws -> Bool {
        if bytes.isEmpty { return true }
        let hole = lseek(descriptor, off_t(bytes.lowerBound), seekHole)
        if hole < 0 {
            switch errno {
            case ENXIO: return false
            // The file system knows no holes; the other checks remain.
            case EINVAL, ENOTSUP, ENOTTY: return true
            default: throw systemError()
            }
        }
        // There is a hole at the end of every file.
        return Int(hole) >= bytes.upperBound
    }

    /// Whether all pages of the transaction are in the file, which its log can still undo.
    ///
    /// What was added must have no holes, all pages must be found, and each page that was to be overwritten must have changed, or be a leaf with
    /// the entries that it should have. Reads the pages' headers, and the leaves that did not change.
    func areWritten(_ handle: UnsafeMutablePointer<TCBDB>, into locked: LockedFile) throws -> Bool {
        let pages = handle.pointee.hdb!
        let before = Int(pages.pointee.walend)
        guard try areWritten(before..<max(before, Int(pages.pointee.fsiz)), in: pages.pointee.fd) else { return false }
        do {
            try LockedFile.withMapping(of: locked.descriptor, for: file) { bytes in
                let header = try FileHeader(Array(bytes.prefix(FileHeader.size)), of: file)
                guard bytes.count >= Int(header.pages.fileSize) else { throw PageWalk.Damage(what: "it is cut off") }
                try PageWalk.checkPages(in: bytes, header: header)
            }
            let places = try UndoLog.untouchedPlaces(behind: Int(pages.pointee.msiz), in: pages.pointee.walfd, of: locked)
            return try places.allSatisfy { try mayBeRight($0, handle) }
        } catch is PageWalk.Damage {
            return false
        }
    }

    /// Whether a place may have been written to though it has not changed.
    private func mayBeRight(_ place: UndoLog.UntouchedPlace, _ handle: UnsafeMutablePointer<TCBDB>) throws -> Bool {
        // The link of a page to the next of its bucket: all pages were found. And the header of a block that was free already.
        if place.size == 8 || (place.size == 5 && place.start[0] == 0xB0) { return true }
        guard place.start[0] == 0xC8, let identity = PageWalk.identity(ofPage: place.start), identity < FileHeader.nodeBase else { return false }
        return try isLeafInFile(identity, handle)
    }

    /// Whether a leaf in the file has the entries that the library gives for it, and is linked with its neighbours.
    private func isLeafInFile(_ identity: UInt64, _ handle: UnsafeMutablePointer<TCBDB>) throws -> Bool {
        guard let leaf = try leaf(identity, handle), let cursor = tcbdbcurnew(handle) else { return false }
        defer { tcbdbcurdel(cursor) }
        if leaf.previous == 0 {
            guard handle.pointee.first == identity else { return false }
        } else {
            guard try self.leaf(leaf.previous, handle)?.next == identity else { return false }
        }
        guard let first = leaf.entries.first, tcbdbcurjump(cursor, first.key, Int32(first.key.count)) else { return false }
        var isThere = true
        for entry in leaf.entries {
            guard isThere, isCurrent(entry.key, tcbdbcurkey3, cursor), isCurrent(entry.value, tcbdbcurval3, cursor) else { return false }
            isThere = tcbdbcurnext(cursor)
        }
        if leaf.next == 0 { return !isThere && handle.pointee.last == identity }
        guard isThere, let next = try self.leaf(leaf.next, handle), let entry = next.entries.first else { return false }
        return next.previous == identity && isCurrent(entry.key, tcbdbcurkey3, cursor)
    }

    private func isCurrent(
        _ bytes: [UInt8], _ read: (UnsafeMutablePointer<BDBCUR>?, UnsafeMutablePointer<Int32>?) -> UnsafeRawPointer?,
        _ cursor: UnsafeMutablePointer<BDBCUR>
    ) -> Bool {
        var size: Int32 = 0
        guard let start = read(cursor, &size) else { return false }
        return UnsafeRawBufferPointer(start: start, count: Int(size)).elementsEqual(bytes)
    }

    /// The leaf as it is in the file; nil when there is none.
    private func leaf(_ identity: UInt64, _ handle: UnsafeMutablePointer<TCBDB>) throws -> StoredLeaf? {
        let name = String(identity, radix: 16)
        var size: Int32 = 0
        guard let start = tchdbget(handle.pointee.hdb, name, Int32(name.utf8.count), &size) else { return nil }
        defer { free(start) }
        return try StoredLeaf(UnsafeRawBufferPointer(start: start, count: Int(size)))
    }
}
