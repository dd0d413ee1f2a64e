import Synchronization
import TroveBackendKit

/// The snapshots that are open on one engine in this process, of all its stores: some of an engine's work waits for all reads, and would wait for
/// these for ever.
final class OpenSnapshots: Sendable {
    private struct State {
        var reads: [HeldRead] = []
        /// Those that have begun: one that begins may wait for the others itself.
        var begun: [ObjectIdentifier] = []
        /// How many threads do what waits for all reads.
        var alone = 0
    }

    private static let groups = EngineTable<OpenSnapshots>()

    private let state = Mutex(State())
    /// Where the engine learns of them; nil where it need not.
    private let told: HeldReads?

    private init(_ engine: any AnyObject & Sendable) { told = (engine as? any HeldReadsRefusing)?.heldReads }

    /// Those of an engine.
    static func of(_ engine: any AnyObject & Sendable) -> OpenSnapshots { groups.value(of: engine) { OpenSnapshots(engine) } }

    /// Begins a read that goes on until it is told to end.
    ///
    /// - Throws: `unsupported` where the engine keeps none open; ``TroveError/tooManySnapshots(path:limit:)``; `conflict` while something waits for all reads;
    ///   what the engine throws.
    func open(for core: StoreCore) throws -> HeldRead {
        let limit = core.capabilities.maxSnapshots
        guard limit > 0 else { throw core.keepsNoSnapshots }
        let read = HeldRead(core, among: self)
        try state.withLock { state in
            if state.alone > 0 { throw StorageError.conflict(core.details("the store is being compacted or closed; take the snapshot again")) }
            guard state.reads.count(where: { !$0.isInherited }) < limit else { throw TroveError.tooManySnapshots(path: core.backend.path, limit: limit) }
            state.reads.append(read)
        }
        try read.begin()
        state.withLock { state in
            // It may have ended already.
            guard state.reads.contains(where: { $0 === read }) else { return }
            state.begun.append(ObjectIdentifier(read))
            told?.note(state.begun.count)
        }
        return read
    }

    func remove(_ read: HeldRead) {
        state.withLock { state in
            state.reads.removeAll { $0 === read }
            state.begun.removeAll { $0 == ObjectIdentifier(read) }
            told?.note(state.begun.count)
        }
    }

    /// Whether the calling thread is inside of a read of one of them.
    var areReadByCurrentThread: Bool { state.withLock { $0.reads.contains { !$0.isInherited && $0.isUsedByCurrentThread } } }

    /// Runs what waits for all reads of the engine, and lets no snapshot be opened meanwhile.
    ///
    /// - Parameter isClosing: whether it closes the store: then that one's snapshots end.
    /// - Throws: what `body` throws; ``TroveError/snapshotsOpen(path:count:)``; `closeInsideTransaction` when the thread is inside of a read of a snapshot that
    ///   is to end.
    func whileNoneIsOpen(for core: StoreCore, isClosing: Bool, _ body: () throws -> Void) throws {
        let ending = try state.withLock { state in
            let reads = state.reads.filter { !$0.isInherited && (!$0.isClosing || $0.isUsedByCurrentThread) }
            if isClosing, reads.contains(where: \.isUsedByCurrentThread) {
                throw StorageError.closeInsideTransaction(core.details("the thread is inside of a read of a snapshot; close the store after it"))
            }
            let ending = reads.filter { isClosing && $0.owner == ObjectIdentifier(core) }
            guard ending.count == reads.count else { throw TroveError.snapshotsOpen(path: core.backend.path, count: reads.count - ending.count) }
            state.alone += 1
            return ending
        }
        defer { state.withLock { $0.alone -= 1 } }
        for read in ending { read.endSoon() }
        try body()
    }
}

extension StoreCore {
    /// Returns unused space of the file to the file system.
    ///
    /// - Throws: what the engine throws; ``TroveError/snapshotsOpen(path:count:)``.
    func compact() throws {
        // It says why.
        if backend.isReadOnly { return try backend.compact() }
        try snapshots.whileNoneIsOpen(for: self, isClosing: false) { try backend.compact() }
    }

    fileprivate var keepsNoSnapshots: StorageError {
        .unsupported(
            details(
                """
                a snapshot that stays open would keep others from the store here, or show what they write meanwhile; read what is to be of one state in one \
                store.read { transaction in … }
                """))
    }

    fileprivate func details(_ message: String) -> StorageError.Details { .init(engine: capabilities.engine, path: backend.path, message: message) }
}
