import CLMDB

/// The keyspaces as one write transaction changes them.
///
/// Those of the catalogue have its positions as numbers, and those created get the numbers after. A number is never used
/// again, so a handle on a keyspace that is gone stays invalid. Its writer calls ``free()`` once.
struct WriterKeyspaces {
    /// What a rollback goes back to.
    struct Mark {
        fileprivate let count: Int
        fileprivate let drops: Int
        fileprivate let changed: [[UInt8]: Int?]
        fileprivate let freeSlots: [Int]?
        fileprivate let newHandles: Int
    }

    private let base: Catalogue
    /// By number: LMDB's handle, or 0 when the keyspace is gone. The catalogue's own memory until something changes.
    private(set) var dbis: UnsafePointer<MDB_dbi>
    private(set) var count: Int
    private var copy: UnsafeMutableBufferPointer<MDB_dbi>?

    /// Of the numbers after the catalogue's.
    private var createdNames: [[UInt8]] = []
    private var createdSlots: [Int] = []
    /// The names that were changed: their numbers, or nil where they were dropped.
    private var changed: [[UInt8]: Int?] = [:]
    /// What was dropped, in order, to undo it.
    private var drops: [(number: Int, dbi: MDB_dbi)] = []

    /// Slots without a keyspace, the next to use last; nil until they are needed.
    var freeSlots: [Int]?
    /// Handles LMDB has opened in this transaction, of slots in order.
    var newHandles: [MDB_dbi] = []

    init(_ catalogue: Catalogue) {
        base = catalogue
        dbis = UnsafePointer(catalogue.dbis)
        count = catalogue.count
    }

    func free() { copy?.deallocate() }

    var isChanged: Bool { !changed.isEmpty }

    func number(of name: [UInt8]) -> Int? {
        if let change = changed[name] { return change }
        return name.withUnsafeBytes { base.position(of: $0) }
    }

    func name(_ number: Int) -> [UInt8] { number < base.count ? base.names[number] : createdNames[number - base.count] }

    func slot(_ number: Int) -> Int { number < base.count ? base.slots[number] : createdSlots[number - base.count] }

    /// The numbers of the keyspaces there are, ascending by name.
    var present: [Int] {
        let numbers = (0..<count).filter { dbis[$0] != 0 }
        return isChanged ? numbers.sorted { name($0).lexicographicallyPrecedes(name($1)) } : numbers
    }

    /// Adds a keyspace and returns its number.
    mutating func create(_ name: [UInt8], slot: Int, dbi: MDB_dbi) -> Int {
        let number = count
        set(dbi, at: number)
        count += 1
        createdNames.append(name)
        createdSlots.append(slot)
        changed[name] = .some(number)
        return number
    }

    mutating func drop(_ number: Int) {
        drops.append((number, dbis[number]))
        set(0, at: number)
        changed[name(number)] = .some(nil)
        let slot = slot(number)
        freeSlots?.append(slot)
    }

    private mutating func set(_ dbi: MDB_dbi, at number: Int) {
        if copy == nil || number >= copy!.count {
            let larger = UnsafeMutableBufferPointer<MDB_dbi>.allocate(capacity: max(16, 2 * (count + 1)))
            larger.initialize(repeating: 0)
            for index in 0..<count { larger[index] = dbis[index] }
            copy?.deallocate()
            copy = larger
            dbis = UnsafePointer(larger.baseAddress!)
        }
        copy![number] = dbi
    }

    // MARK: Savepoints

    var mark: Mark {
        Mark(count: count, drops: drops.count, changed: changed, freeSlots: freeSlots, newHandles: newHandles.count)
    }

    /// Undoes what happened since `mark`.
    mutating func undo(to mark: Mark) {
        for number in mark.count..<count { set(0, at: number) }
        for drop in drops[mark.drops...].reversed() where drop.number < mark.count { set(drop.dbi, at: drop.number) }
        drops.removeSubrange(mark.drops...)
        changed = mark.changed
        freeSlots = mark.freeSlots
        newHandles.removeSubrange(mark.newHandles...)
    }

    /// The keyspaces as a commit leaves them.
    func catalogue() -> Catalogue {
        let numbers = present
        return Catalogue(names: numbers.map(name), slots: numbers.map(slot), dbis: numbers.map { dbis[$0] })
    }
}
