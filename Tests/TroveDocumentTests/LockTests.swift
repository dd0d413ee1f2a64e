#if canImport(Glibc)
import Foundation
import Glibc
import TestSupport
import Testing
import Trove

@testable import TroveDocument

/// The system drops all locks that a process has of a file when the process closes one descriptor of it, and an engine's locks may be such.
@Suite struct LockTests {
    /// A lock of this process, which ends early when somebody opens and closes the file.
    private final class Lock {
        private let holder, looker: Int32

        init(_ path: String) throws {
            (holder, looker) = (open(path, O_RDWR | O_CLOEXEC), open(path, O_RDWR | O_CLOEXEC))
            var wanted = Self.firstByte
            try #require(holder >= 0 && looker >= 0 && fcntl(holder, F_SETLK, &wanted) == 0)
        }

        deinit {
            close(holder)
            close(looker)
        }

        private static var firstByte: flock {
            var lock = flock()
            (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), 0, 1)
            return lock
        }

        /// Asked for a lock of an open file, which the process's own locks are in the way of too.
        var isHeld: Bool {
            var found = Self.firstByte
            let ofOpenFile: Int32 = 36
            return fcntl(looker, ofOpenFile, &found) == 0 && found.l_type != Int16(F_UNLCK)
        }
    }

    @Test(arguments: DocumentKind.allCases) func aFileThatTheProgramHasOpen(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        let file = try Lock(folder.url().path)
        #expect(!document.isChangedOutside)
        try document.save()
        #expect(file.isHeld)
        try document.store.save(Song(id: 1, title: "b"))
        let copy = try Lock(document.store.path)
        #expect(StoreDocument.recoverableChanges(of: folder.url()) == nil && StoreDocument.recoverableChanges(in: folder.url("")) == [])
        #expect(copy.isHeld)
        // The lock is of the old file, which was replaced.
        try document.save()
        #expect(try file.isHeld && folder.songs(kind) == [0: "a", 1: "b"])
        try document.close()
    }
}
#endif
