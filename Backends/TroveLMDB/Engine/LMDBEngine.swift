import CLMDB
import Synchronization
import TroveBackendKit
import TroveStorage

/// What all backends on one file in this process share: the environment and the gates before it.
///
/// `environment` and `lost` are read by threads that share `gate` or are inside `writerGate`, and changed only by one that
/// has both alone. Everything else is immutable or has its own lock.
final class LMDBEngine: OwnCommitTelling, TransactionTelling, HeldReadsRefusing, @unchecked Sendable {
    /// LMDB loses its locks when a process opens a file twice and closes it once. Two files with one file of locks would share the number of the last state:
    /// a commit to the one would take commits of the other away.
    static let registry = EngineRegistry<StoreFile.Identity, LMDBEngine> { $0.hasLockFileAtPath }

    let path: String
    let errors: LMDBErrors
    let options: LMDBBackend.Options
    let maxKeyspaces: Int
    /// All processes share the places of readers. Without locks there are none, and a read finds at its end alone whether the file was written.
    let maxSnapshots: Int
    /// Why nothing is written; nil when it is.
    let writeRefusal: StorageError?
    /// The file as it was opened, when it is read without locks.
    let unlockedStamp: FileStamp?
    let process = ForkMark()
    let writerGate = WriterGate()
    let gate = SharedExclusiveGate()
    let ownCommits = OwnCommits()
    let heldReads = HeldReads()
    /// Nil when the store is closed or lost. It is replaced while no transaction runs, as the gates see to.
    @exclusivity(unchecked) private(set) var environment: Environment?
    /// What there is instead when the file could not be opened again.
    private(set) var lost: LostEnvironment?
    /// Whether there is that, for a look without the gates.
    let isLost = Atomic<Bool>(false)
    /// The file of locks that the environment uses; nil where it uses none.
    private let lockFile: Mutex<FileStamp?>

    /// - Parameter writeRefusal: why the file is only read; nil when it is written too.
    init(path: String, options: LMDBBackend.Options, writeRefusal: StorageError? = nil) throws {
        self.path = path
        self.options = options
        self.writeRefusal = writeRefusal
        errors = LMDBErrors(path: path)
        let stamp = FileStamp(path)
        let environment =
            try writeRefusal == nil
            ? Environment.open(path: path, options: options, errors: errors) : Environment.openForReading(path: path, options: options, errors: errors)
        unlockedStamp = environment.access == .readingUnlocked ? stamp : nil
        self.environment = environment
        lockFile = Mutex(environment.lockFile)
        maxKeyspaces = environment.handles.capacity
        maxSnapshots = environment.access == .readingUnlocked ? 0 : min(256, environment.maxReaders / 4)
    }

    /// Throws in a child that was forked while the store was open.
    @inline(__always)
    func checkProcess() throws { try process.check(engine: LMDBErrors.engine, path: path) }

    /// The environment, for a thread that shares the gate or is inside the writer gate.
    func openEnvironment() throws -> Environment {
        guard let environment else { throw lost?.failure ?? errors.closed }
        return environment
    }

    /// Puts another environment, or none, in place of the one there is. Only for a thread that has both gates alone.
    func replaceEnvironment(by environment: Environment?, lost: LostEnvironment? = nil) {
        self.environment = environment
        self.lost = lost
        lockFile.withLock { $0 = environment?.lockFile }
        isLost.store(lost != nil, ordering: .releasing)
    }

    /// Whether the file of locks beside the path is the one that the environment uses.
    var hasLockFileAtPath: Bool {
        guard let own = lockFile.withLock({ $0 }), let there = FileStamp(path + "-lock", followsLinks: false) else { return false }
        return own.isSameFile(as: there)
    }

    // MARK: Gates

    /// Runs `body` while the environment stays as it is.
    func sharingGate<Result>(timeout: Duration, for user: LMDBBackend, _ body: (Environment) throws -> Result) throws -> Result {
        try enterShared(timeout: timeout)
        defer { gate.leaveShared() }
        try user.checkIsNotClosed()
        return try body(openEnvironment())
    }

    func enterShared(timeout: Duration) throws {
        switch gate.enterShared(timeout: timeout) {
        case .entered: return
        case .alreadyInside: throw insideTransaction
        case .timedOut: throw errors.timedOut(timeout, waitingFor: "the store to be compacted, enlarged or closed")
        }
    }

    func enterWriterGate(timeout: Duration) throws {
        switch writerGate.enter(timeout: timeout) {
        case .entered: return
        case .alreadyInside: throw insideWrite
        case .timedOut: throw timedOutBehindWrites(timeout)
        }
    }

    private var insideWrite: StorageError {
        .writeInsideWrite(errors.details("the thread is inside a write of this store already; use `savepoint` there"))
    }

    private func timedOutBehindWrites(_ timeout: Duration) -> StorageError { errors.timedOut(timeout, waitingFor: "another write to end") }

    /// Runs `body` when no other thread uses the environment.
    func alone(until deadline: Deadline, for purpose: String, _ body: () throws -> Void) throws {
        switch writerGate.enterAlone(with: gate, until: deadline) {
        case .entered: break
        case .insideWrite: throw insideWrite
        case .insideRead:
            throw StorageError.writeInsideRead(
                errors.details("\(purpose) waits for reads to end, and this thread is inside one; end it first"))
        case .writersTookTooLong: throw timedOutBehindWrites(deadline.timeout)
        case .readersTookTooLong: throw errors.timedOut(deadline.timeout, waitingFor: "running reads to end, because of \(purpose)")
        }
        defer { writerGate.leaveAlone(with: gate) }
        try body()
    }

    // MARK: Closing

    /// Whether the calling thread is inside a transaction of this store.
    var isInsideTransaction: Bool { writerGate.isHeldByCurrentThread || gate.isSharedByCurrentThread }

    var insideTransaction: StorageError {
        .closeInsideTransaction(errors.details("the thread is inside a transaction of this store; end it first"))
    }

    /// Closes the environment, after syncing what was committed without. Only for a thread that has both gates alone.
    ///
    /// - Returns: why syncing failed; the environment is closed all the same.
    func closeAlone() -> (any Error)? {
        var failure: (any Error)?
        defer { replaceEnvironment(by: nil) }
        guard let environment else {
            do { try lost?.synchronize(at: path) } catch { failure = error }
            return failure
        }
        do {
            if environment.hasUnsyncedCommits.load(ordering: .acquiring) { try environment.synchronize() }
        } catch {
            failure = error
        }
        if failure == nil, writeRefusal == nil { environment.markAsChecked() }
        environment.close()
        return failure
    }

    /// Closes the environment of a file that was removed, and leaves nothing in its place.
    func closeRemoved() throws {
        try alone(until: .never, for: "closing the store") {
            environment?.close()
            replaceEnvironment(by: nil)
        }
    }
}
