/// One version of a memory store: every keyspace's name and tree. Copying it takes a snapshot.
struct MemoryState: Sendable {
    /// A keyspace, or an empty slot for the next one.
    private struct Slot {
        var name: [UInt8]
        var tree = Tree()
    }

    /// Slots are kept in groups, so that a version that changes some of thousands copies few.
    private static let groupSize = 64

    /// Which of the engine's versions it is; nil of what a write has not committed.
    var number: UInt64? = 0
    /// From the names' UTF-8 bytes to slot numbers.
    private(set) var names = Tree()
    private var groups: [[Slot]] = []
    private var freeSlots: [Int] = []

    /// The slot of the keyspace with this name.
    func slot(named name: String) -> Int? {
        var slot: Int?
        _ = names.get(Array(name.utf8).span.bytes) { bytes in
            slot = Int(bytes.unsafeLoadUnaligned(as: UInt32.self))
        }
        return slot
    }

    func tree(in slot: Int) -> Tree {
        groups[slot / Self.groupSize][slot % Self.groupSize].tree
    }

    /// Changes a tree where it stands.
    mutating func change<Result>(in slot: Int, _ body: (inout Tree) -> Result) -> Result {
        body(&groups[slot / Self.groupSize][slot % Self.groupSize].tree)
    }

    /// Adds an empty keyspace with a name that is free.
    mutating func create(named name: String) -> Int {
        let name = Array(name.utf8)
        let slot = freeSlots.popLast() ?? addSlot()
        groups[slot / Self.groupSize][slot % Self.groupSize].name = name
        withUnsafeBytes(of: UInt32(slot)) { names.put(name.span.bytes, $0.bytes) }
        return slot
    }

    /// Removes the keyspace in `slot`.
    mutating func drop(_ slot: Int) {
        let name = groups[slot / Self.groupSize][slot % Self.groupSize].name
        names.delete(name.span.bytes)
        groups[slot / Self.groupSize][slot % Self.groupSize] = Slot(name: [])
        freeSlots.append(slot)
    }

    /// Builds every tree anew with full nodes.
    mutating func repack() {
        for group in groups.indices {
            for position in groups[group].indices { groups[group][position].tree = groups[group][position].tree.repacked() }
        }
    }

    /// The number of entries in all keyspaces, and the greatest depth of a tree.
    var figures: (entries: Int, depth: Int) {
        var figures = (entries: 0, depth: 0)
        for slot in groups.joined() {
            figures.entries += slot.tree.count
            figures.depth = max(figures.depth, slot.tree.depth)
        }
        return figures
    }

    private mutating func addSlot() -> Int {
        if groups.last.map({ $0.count == Self.groupSize }) ?? true { groups.append([]) }
        groups[groups.count - 1].append(Slot(name: []))
        return (groups.count - 1) * Self.groupSize + groups[groups.count - 1].count - 1
    }
}
