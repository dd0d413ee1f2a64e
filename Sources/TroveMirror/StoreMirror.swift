import Foundation
import Synchronization
import Trove
import TroveBackendKit

/// A directory of readable files that is kept in step with a store, in both directions.
///
/// ```swift
/// let mirror = try StoreMirror(store, at: directory)
/// print(try mirror.synchronize())                 // 120 files written
/// // … somebody edits Song/7.json, and the program saves other songs …
/// print(try mirror.synchronize())                 // 3 files written, 1 object saved
///
/// for try await report in mirror.reports() { print(report) }      // goes on, whatever side changes
/// ```
///
/// Each object has a file, `Song/7.json`, with a property on each line; an object that one other owns, by a relationship with the delete rule cascade, stands
/// in that one's file. Documents of collections are there too, and named blobs as they are, in `$blobs`.
///
/// What one side changed since the last synchronization goes to the other. What both changed is merged, property by property. Where both changed one property
/// to different values the store's stays, and the file's version is put beside the file. A file that cannot be read stays as it is, and so does its object. The
/// rules of the models hold as in any other save: where they refuse one, the file stays, and the report says why.
///
/// Encrypted properties are not written into readable files: models that have some are left out.
public final class StoreMirror: Sendable {
    /// The store.
    public let store: ObjectStore
    /// The directory.
    public let directory: URL
    private let lock: Mutex<FileLock>
    private let side: StoreSide
    /// What one run at a time has.
    private let gate = WriterGate()
    /// Whether the run was asked for another one by what it called itself.
    private let isAskedAgain = Atomic(false)
    /// What was written down last, while no run has it; nil when it is to be read.
    private let ledger = Mutex<Ledger?>(nil)
    let queue = DispatchQueue(label: "trove.mirror")
    private let waitForEditors: @Sendable () -> Void

    /// How long a file may be away, in seconds, before it is gone: many editors put the old one aside before they write the new one.
    private static let graceForEditors = 0.1

    /// Takes a directory, and makes it where there is none. Nothing is compared before the first synchronization.
    ///
    /// - Throws: ``MirrorError/inUse(_:)`` when another mirror has the directory, ``MirrorError/noDirectory(_:reason:)``.
    public convenience init(_ store: ObjectStore, at directory: URL) throws {
        try self.init(store, at: directory) { Thread.sleep(forTimeInterval: Self.graceForEditors) }
    }

    /// - Parameter waitForEditors: called by each run that misses files, before it looks again.
    init(_ store: ObjectStore, at directory: URL, waitForEditors: @escaping @Sendable () -> Void) throws {
        self.store = store
        self.waitForEditors = waitForEditors
        self.directory = directory
        side = StoreSide(store)
        let folder = Ledger.folder(in: directory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw MirrorError.noDirectory(directory, reason: DirectoryFiles.obstacle(to: folder) ?? FileFailure.reason(of: error))
        }
        lock = Mutex(try Self.lock(directory))
    }

    private static func lockFile(in directory: URL) -> URL { Ledger.folder(in: directory).appending(path: "lock") }

    private static func lock(_ directory: URL) throws -> FileLock {
        let file = lockFile(in: directory)
        do throws(FileLock.Failure) {
            return try FileLock(at: file.path)
        } catch {
            switch error {
            case .heldByAnother: throw MirrorError.inUse(directory)
            case .system(_, let reason): throw MirrorError.fileSystem(file, reason: reason)
            }
        }
    }

    /// Locks the directory again where somebody has removed the lock's file, which another mirror may have made anew.
    private func keepLock() throws {
        try lock.withLock { lock in
            if lock.isHeld(at: Self.lockFile(in: directory).path) { return }
            do { try DirectoryFiles.make(Ledger.folder(in: directory)) } catch let failure as DirectoryFiles.Failure { throw failure.error }
            lock = try Self.lock(directory)
            // Another mirror may have had the directory meanwhile.
            ledger.withLock { $0 = nil }
        }
    }

    /// Brings files and store into step.
    ///
    /// Changes of the store are one transaction. Each file is written as a whole or not at all; a process that ends in between leaves
    /// what the next synchronization completes. Runs wait for each other. A call from inside of a run, as in ``StoreDelegate/didCommit(_:)`` of what
    /// the run has committed, returns an empty report at once; the run is done once more before it ends, and its report tells of both. Where
    /// that one fails, the error is a problem of the directory, and the next synchronization throws it if it stays.
    ///
    /// - Parameter allowingDeletions: whether the store may delete more than half of the mirrored objects, or of the blobs, because their files are gone.
    ///   Otherwise that is ``MirrorError/manyFilesGone(_:objects:)``, and nothing is changed.
    /// - Returns: what was done, and what could not be.
    /// - Throws: ``MirrorError``, also ``MirrorError/inUse(_:)`` when `.trove-mirror` was removed and another mirror has the directory now; what reading and
    ///   writing the store throws.
    /// - Complexity: all objects are read when the store was changed, and of the files those that changed.
    @discardableResult
    public func synchronize(allowingDeletions: Bool = false) throws -> MirrorReport {
        // So long a timeout means none.
        if gate.enter(timeout: .seconds(Int64.max)) == .alreadyInside {
            isAskedAgain.store(true, ordering: .relaxed)
            return MirrorReport()
        }
        defer { gate.leave() }
        try keepLock()
        isAskedAgain.store(false, ordering: .relaxed)
        var report = try run(allowingDeletions)
        // Once: who asks in each commit would have no end.
        if isAskedAgain.load(ordering: .relaxed) { runAgain(allowingDeletions, &report) }
        return report
    }

    /// Does what was asked for while a run was done. What that one did is told even where this one fails.
    private func runAgain(_ allowsDeletions: Bool, _ report: inout MirrorReport) {
        do {
            report.add(try run(allowsDeletions))
        } catch is CancellationError {
            // Who cancels knows that something may be left.
        } catch {
            report.problems.append(.init(file: ".", reason: "the run that a commit asked for has failed: \(error)"))
        }
    }

    private func run(_ allowsDeletions: Bool) throws -> MirrorReport {
        let kept = ledger.withLock { $0.take() }
        var ledger = try kept.flatMap { Ledger.isThere(in: directory) ? $0 : nil } ?? Ledger.read(in: directory, of: store.identity)
        do {
            let report = try Synchronization(store, side, directory, allowsDeletions: allowsDeletions, waitForEditors: waitForEditors).run(&ledger)
            self.ledger.withLock { $0 = ledger }
            return report
        } catch let failure as DirectoryFiles.Failure {
            throw failure.error
        }
    }

    /// Brings files and store into step, on a thread of the mirror.
    @discardableResult
    public func synchronize(allowingDeletions: Bool = false) async throws -> MirrorReport {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.synchronize(allowingDeletions: allowingDeletions) }) }
        }
    }

    /// Synchronizes now and whenever a side changes, until the task is cancelled; gives the report of each run that did something or found other problems
    /// or conflicts, and the first. The first error of a run ends it.
    ///
    /// Changes of this process and, where the system tells of changed files, of the directory are noticed at once. Other processes that write
    /// the store are noticed within `interval`.
    ///
    /// - Parameter interval: how often is looked for changes of which nobody tells; at the least a hundredth of a second.
    public func reports(every interval: Duration = .milliseconds(200)) -> AsyncThrowingStream<MirrorReport, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let signal = await MirrorSignal.begin(self, interval)
                    defer { signal.stop() }
                    var last: MirrorReport?
                    while true {
                        let report: MirrorReport = try await self.synchronize()
                        // A problem or a conflict that waits is told once.
                        if report.isNews(after: last) { continuation.yield(report) }
                        last = report
                        try await signal.next()
                    }
                } catch is CancellationError {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
