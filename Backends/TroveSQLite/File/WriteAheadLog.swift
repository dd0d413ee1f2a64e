import CSQLite
import Synchronization
import TroveBackendKit

/// Keeps the write-ahead log small: copies it into the file ("checkpoint") when it has grown.
///
/// A reader keeps what it may still need in the log, and the log starts again from its beginning only when
/// no reader uses it. So there are three chances: after a commit; when the last reader leaves after
/// one was in the way; and, when readers follow each other so closely that neither helps, a commit that waits
/// a moment for those that run, unless one of them has run for long.
///
/// On a disk with little room it does so sooner: a log that has taken all of it could not be copied any more, as the file may have to grow for it.
///
/// And it writes the log's file ahead of small durable commits. To sync what makes a file longer, the file system has to commit
/// its length too, which takes up to twice as long as to sync what was written over something.
final class WriteAheadLog: Sendable {
    /// A log this many times the threshold is worth making a writer wait.
    static let patience = 4
    /// How long it waits for the readers that hold the log. New readers do not prolong it.
    private static let wait = Duration.milliseconds(50)

    /// A shorter log is not written ahead: most programs that commit that little end soon.
    private static let leastPages = 8
    /// How many bytes are written ahead at most, and how many pages the commit before may have had: larger ones wait for
    /// their bytes, and not for the file's length.
    private static let mostBytesAhead = 1 << 20
    private static let mostPagesOfCommit = 16

    /// After how many further pages it is asked whether the disk has little room.
    private static let pagesBetweenLooks = 64

    private let threshold: Int
    private let path: String
    private let pages = Atomic(0)
    private let pagesOfLastCommit = Atomic(0)
    /// The size of the log's file, as far as it is known; 0 where it may be smaller now.
    private let fileSize = Atomic(0)
    private let nextAttempt: Atomic<Int>
    private let isOwed = Atomic(false)
    /// How many times ``pagesBetweenLooks`` the log had when the disk was asked last.
    private let lastLook = Atomic(0)

    /// Counts the log's pages at each commit of `writer`. The object must outlive the connection.
    init(threshold: Int, path: String, watching writer: Connection) {
        self.threshold = threshold
        self.path = path
        nextAttempt = Atomic(threshold)
        // The engine owns both and closes the connection first, so the unretained reference stays valid.
        sqlite3_wal_hook(
            writer.handle,
            { log, _, _, pages in
                Unmanaged<WriteAheadLog>.fromOpaque(log!).takeUnretainedValue().note(Int(pages))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ count: Int) {
        let before = pages.exchange(count, ordering: .relaxed)
        pagesOfLastCommit.store(count - (count < before ? 0 : before), ordering: .relaxed)
        // It has begun anew, and may have been cut.
        if count < before { fileSize.store(0, ordering: .relaxed) }
    }

    /// Called before a durable commit, inside its transaction.
    ///
    /// Other processes may have committed since the pages were counted. Then it comes later than it could, or writes more than is needed; it writes behind
    /// the file's end only, and so over nothing.
    func writeAhead(_ writer: Connection) {
        let count = pageCount
        let lastCommit = pagesOfLastCommit.load(ordering: .relaxed)
        guard count >= Self.leastPages, lastCommit <= Self.mostPagesOfCommit else { return }
        let frameSize = 24 + writer.pageSize
        let used = 32 + count * frameSize
        let ahead = min(count, Self.mostBytesAhead / frameSize, threshold - count)
        guard ahead > 0, used + (lastCommit + 1) * frameSize > fileSize.load(ordering: .relaxed) else { return }
        let size = csqlite_write_log_ahead(writer.handle, Int64(used + ahead * frameSize))
        // Where there is no room, the next attempt is as far away as if there had been.
        fileSize.store(size < 0 ? used + ahead * frameSize : Int(size), ordering: .relaxed)
    }

    /// The pages in the log after the last commit of this process.
    var pageCount: Int { pages.load(ordering: .relaxed) }

    /// Whether a reader was in the way of the last attempt.
    var isCheckpointOwed: Bool { isOwed.load(ordering: .relaxed) }

    /// Called inside the writer gate. A failure is not reported: the commit stands in the log, and the next one tries again.
    ///
    /// - Parameter canWaitForReaders: asked only where it would wait.
    func checkpointAfterCommit(_ writer: Connection, canWaitForReaders: @autoclosure () -> Bool) {
        let count = pageCount
        var due = nextAttempt.load(ordering: .relaxed)
        // A log far below the last attempt has started again.
        if count + threshold < due { due = threshold }
        guard count >= due || isShortOfRoom(count, writer.pageSize) else {
            nextAttempt.store(due, ordering: .relaxed)
            return
        }
        nextAttempt.store(count + threshold, ordering: .relaxed)
        var isDone = checkpoint(writer, SQLITE_CHECKPOINT_PASSIVE)
        if count >= threshold * Self.patience && canWaitForReaders() {
            isDone = writer.waiting(atMost: Self.wait) { checkpoint(writer, SQLITE_CHECKPOINT_RESTART) }
        }
        isOwed.store(!isDone, ordering: .relaxed)
    }

    /// Whether the log takes more than is left of the disk.
    private func isShortOfRoom(_ count: Int, _ pageSize: Int) -> Bool {
        let step = count / Self.pagesBetweenLooks
        guard lastLook.exchange(step, ordering: .relaxed) != step, step > 0 else { return false }
        return StoreFile.freeSpace(at: path).map { $0 < count * pageSize } ?? false
    }

    /// Copies the log into the file and cuts it, after a transaction that has found no room; whether that was possible.
    ///
    /// Called inside the writer gate, outside of a transaction.
    func makeRoom(_ writer: Connection) -> Bool {
        guard writer.waiting(atMost: Self.wait, { checkpoint(writer, SQLITE_CHECKPOINT_TRUNCATE) }) else { return false }
        noteCut()
        return true
    }

    /// Notes that all of the log was copied into the file, and the log cut. Called inside the writer gate.
    func noteCut() {
        pages.store(0, ordering: .relaxed)
        fileSize.store(0, ordering: .relaxed)
        isOwed.store(false, ordering: .relaxed)
    }

    /// Called by the last reader to leave, outside a transaction.
    func checkpointAfterReaders(_ reader: Connection) {
        guard isOwed.exchange(false, ordering: .relaxed) else { return }
        _ = checkpoint(reader, SQLITE_CHECKPOINT_PASSIVE)
    }

    /// Whether all of the log was copied.
    private func checkpoint(_ connection: Connection, _ mode: Int32) -> Bool {
        var total: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, &total, &copied)
        return code == SQLITE_OK && copied == total
    }
}
