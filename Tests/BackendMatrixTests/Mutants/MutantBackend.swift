import Foundation
import Synchronization
import TroveBackendKit
import TroveSortedArray
import TroveMemory
import TroveStorage
import TroveTesting

/// A backend that is right but for one thing, or without a mutant right altogether.
final class MutantBackend: ForwardingBackend {
    let mutant: Mutant?
    let base: any StorageBackend
    /// Where readers of ``Mutant/showsUncommittedChanges`` read: it is given every change at once.
    let mirror = MemoryBackend()
    private let gate = LastComeGate()
    private let busyGate = BusyFirstGate()
    private let running = Mutex<RunningWrite?>(nil)
    private let commits = Mutex(0)
    /// What ``Mutant/freezesTheAgeOfReaders`` says of every read after the first that it was asked about.
    private let frozenAge = Mutex<Duration?>(nil)
    /// Whether a keyspace was dropped.
    let hasDropped = Mutex(false)
    /// What ``Mutant/staysOpenWhenReleased`` never lets go.
    private static let keptOpen = Mutex<[any StorageBackend]>([])

    /// The writer of a thread; only that thread uses it.
    private struct RunningWrite: @unchecked Sendable {
        let thread: Thread
        let writer: any StorageWriter
    }

    /// Whether it was opened for reading only, which the engine below knows nothing of.
    private let isOpenedReadOnly: Bool

    init(_ mutant: Mutant?, over base: any StorageBackend, isReadOnly: Bool = false) {
        self.mutant = mutant
        self.base = base
        isOpenedReadOnly = isReadOnly
        if mutant == .staysOpenWhenReleased { Self.keptOpen.withLock { $0.append(base) } }
    }

    convenience init(_ mutant: Mutant?, hasFiles: Bool, path: String, timeout: Duration = .seconds(60)) throws {
        let base: any StorageBackend = if hasFiles {
            try SortedArrayBackend(path: path, writerTimeout: timeout)
        } else {
            MemoryBackend(name: mutant == .opensTwice ? nil : path, writerTimeout: timeout)
        }
        self.init(mutant, over: base)
    }

    /// Opens a store for reading only.
    convenience init(_ mutant: Mutant?, readOnly path: String) throws {
        let files = FileManager.default
        if mutant != .makesReadOnlyStores, !files.fileExists(atPath: path) {
            throw StorageError.noSuchStore(.init(engine: "mutant", path: path, message: "there is no store"))
        }
        if mutant == .touchesReadOnlyFiles { try files.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path) }
        guard mutant == .readsAnOlderCopy else {
            self.init(mutant, over: try SortedArrayBackend(path: path), isReadOnly: true)
            return
        }
        try files.copyItem(atPath: path, toPath: path + "-copy")
        self.init(mutant, over: try SortedArrayBackend(path: path + "-copy"), isReadOnly: true)
    }

    var wrappedBackend: any StorageBackend { base }

    var writeRefusal: StorageError? { isOpenedReadOnly && mutant != .hidesItsRefusal ? refusal : base.writeRefusal }

    private var refusal: StorageError { .readOnly(.init(engine: capabilities.engine, path: path, message: "the store was opened for reading only")) }

    /// Throws where a store that was opened for reading only is to be changed.
    private func checkCanWrite() throws {
        guard isOpenedReadOnly, mutant != .changesReadOnlyStores else { return }
        try base.read { _ in }
        throw refusal
    }

    func synchronize() throws {
        // The base writes its file anew for it; a store that is only read has nothing to sync.
        if isOpenedReadOnly { try base.read { _ in } } else { try base.synchronize() }
    }

    var capabilities: StorageCapabilities {
        var capabilities = base.capabilities
        if mutant?.opensReadOnly ?? true { capabilities.opensReadOnly = true }
        switch mutant {
        case .claimsReadersWait: capabilities.readersDuringWrite = .waitForCommit
        case .claimsNoReadsInsideWrites: capabilities.canReadInsideWrite = false
        case .promisesNothing: capabilities.promises = [:]
        default: break
        }
        return capabilities
    }

    var sharedEngine: any AnyObject & Sendable { mutant == .sharesNoEngine ? self : base.sharedEngine }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        let source = mutant == .showsUncommittedChanges ? mirror : base
        try source.read { (reader: any StorageReader) throws -> Void in
            let reader = MutantReader(reader, of: self)
            try body(reader)
            if mutant == .runsReadsTwice { try body(reader) }
        }
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try checkCanWrite()
        if mutant == .joinsTheOuterWrite, let outer = running.withLock({ $0 }), outer.thread === Thread.current { return try body(outer.writer) }
        if mutant == .servesBusyWriterFirst { busyGate.enter() }
        if mutant == .servesLastWriterFirst { gate.enter() }
        defer { if mutant == .servesLastWriterFirst { gate.leave() } }
        var swallowed: (any Error)?
        do {
            try base.write(durability) { (writer: any StorageWriter) throws -> Void in
                let mutated = MutantWriter(writer, of: self)
                running.withLock { $0 = RunningWrite(thread: .current, writer: mutated) }
                defer { running.withLock { $0 = nil } }
                do { try body(mutated) } catch {
                    guard mutant == .commitsWhenTheBodyThrows || mutant == .swallowsErrors else { throw error }
                    if mutant == .commitsWhenTheBodyThrows { swallowed = error } else { throw Forgotten() }
                }
                if mutant == .forgetsRelaxedCommits, durability == .relaxed { throw Forgotten() }
                let number = commits.withLock { commits in
                    commits += 1
                    return commits
                }
                if mutant == .forgetsAfter5000Commits, number > 5_000 { throw Forgotten() }
            }
        } catch is Forgotten {
        } catch StorageError.timedOut(let details) where mutant == .namesTheTimeoutWrongly {
            throw StorageError.engineFailure(details)
        }
        if let swallowed { throw swallowed }
    }

    func backUp(to destination: String) throws {
        if mutant == .overwritesBackups, FileManager.default.fileExists(atPath: destination) { try FileManager.default.removeItem(atPath: destination) }
        if mutant == .copiesNothing { return try SortedArrayBackend(path: destination).close() }
        try base.backUp(to: destination)
    }

    func compact() throws {
        try checkCanWrite()
        if mutant == .compactsBesideWriters { return }
        try base.compact()
    }

    func checkStructure() throws {
        try base.checkStructure()
        guard mutant == .findsDamageAfterDrops, hasDropped.withLock({ $0 }) else { return }
        throw StorageError.corrupt(.init(engine: "mutant", path: path, message: "pages that were a keyspace's are taken for lost"))
    }

    func statistics() throws -> StorageStatistics {
        var statistics = try base.statistics()
        if mutant == .freezesTheAgeOfReaders, let age = statistics.oldestReaderAge {
            statistics.oldestReaderAge = frozenAge.withLock { frozen in
                frozen = frozen ?? age
                return frozen
            }
        }
        if mutant == .miscountsKeyspaces { statistics.keyspaceCount += 1 }
        if mutant == .hidesReaders { (statistics.activeReaders, statistics.oldestReaderAge) = (0, nil) }
        return statistics
    }

    func close() throws {
        if mutant == .neverCloses { return }
        do { try base.close() } catch StorageError.closeInsideTransaction(_) where mutant == .closesInsideTransactions {}
    }

    private struct Forgotten: Error {}
}
