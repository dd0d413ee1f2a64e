import CLMDB
import Synchronization

/// LMDB's handles of the slots. They are opened once and never closed while the environment is open.
///
/// The places below `count` never change, and `count` is raised after they were filled; so reading needs no lock.
/// `opening` is held by whoever opens handles, until the transaction that opened them has ended: LMDB allows one such transaction at a time.
final class HandleTable: @unchecked Sendable {
    let capacity: Int
    let opening = Mutex<Void>(())

    private let dbis: UnsafeMutablePointer<MDB_dbi>
    private let filled = Atomic<Int>(0)

    init(capacity: Int) {
        self.capacity = capacity
        dbis = .allocate(capacity: capacity)
        dbis.initialize(repeating: 0, count: capacity)
    }

    deinit { dbis.deallocate() }

    /// How many slots have a handle: all below this number.
    var count: Int { filled.load(ordering: .acquiring) }

    /// The handle of a slot below ``count``.
    subscript(slot: Int) -> MDB_dbi {
        precondition(slot >= 0 && slot < count)
        return dbis[slot]
    }

    /// Adds the handle of the next slot. Only inside `opening`, when the transaction that opened it has committed.
    func append(_ dbi: MDB_dbi) {
        let slot = filled.load(ordering: .relaxed)
        precondition(slot < capacity)
        dbis[slot] = dbi
        filled.store(slot + 1, ordering: .releasing)
    }
}
