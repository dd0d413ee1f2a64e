import Synchronization

/// The paths that the documents of a collection have, by number: each is its parent's with one step more, to the value
/// of a name or to the elements of an array.
///
/// The whole document is the path 0. Numbers are never given to another path.
struct PathTable: Sendable {
    /// How many paths there may be, the whole document among them: a bound on what names that are data do to the index.
    static let limit = 10_000
    /// The number of the whole document.
    static let root: UInt32 = 0
    /// A number that no path has.
    static let none = UInt32.max

    let indexing: DocumentIndexing
    private var parents: [UInt32] = [0]
    /// Where each path's name ends in `bytes`; it begins where the one before it ends.
    private var ends: [Int] = [0]
    private var bytes: [UInt8] = []
    /// Whether the last step leads to elements.
    private var areElements: [Bool] = [false]
    private var coverages: [DocumentIndexing.Coverage] = [.covered]
    /// An open hash table of the numbers, by parent and name; 0 for none. Its size is a power of two.
    private var slots = [UInt32](repeating: 0, count: 64)

    init(_ indexing: DocumentIndexing) {
        self.indexing = indexing
    }

    /// How many paths there are, the whole document among them; the number of the next.
    var count: Int { parents.count }

    func parent(of path: UInt32) -> UInt32 { parents[Int(path)] }

    /// How many steps the path has.
    func depth(of path: UInt32) -> Int {
        var (depth, place) = (0, path)
        while place != Self.root {
            depth += 1
            place = parent(of: place)
        }
        return depth
    }

    /// Whether the path leads to the elements of its parent.
    func isElement(_ path: UInt32) -> Bool { areElements[Int(path)] }

    /// Whether the index has the values at a path.
    func isCovered(_ path: UInt32) -> Bool {
        if case .covered = coverages[Int(path)] { true } else { false }
    }

    /// The last name of a path, as UTF-8; empty where elements are.
    func name(of path: UInt32) -> ArraySlice<UInt8> { bytes[(path == 0 ? 0 : ends[Int(path) - 1])..<ends[Int(path)]] }

    /// The names of a path, as UTF-8, without its steps to elements.
    func names(of path: UInt32) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var path = path
        while path != Self.root {
            if !isElement(path) { names.append(Array(name(of: path))) }
            path = parent(of: path)
        }
        return names.reversed()
    }

    /// The path as it is written, `lines[].price`.
    func text(of path: UInt32) -> String {
        var places: [UInt32] = []
        var place = path
        while place != Self.root {
            places.append(place)
            place = parent(of: place)
        }
        var text = ""
        for place in places.reversed() { Self.append(isElement(place) ? nil : String(decoding: name(of: place), as: UTF8.self), to: &text) }
        return text
    }

    /// The path one step further on, as it is written.
    ///
    /// - Parameter name: the name of the step; nil for that to elements.
    func text(of path: UInt32, then name: String?) -> String {
        var text = text(of: path)
        Self.append(name, to: &text)
        return text
    }

    private static func append(_ name: String?, to text: inout String) {
        guard let name else {
            text += "[]"
            return
        }
        let step = name.isEmpty ? "[\"\"]" : DocumentPath([.name(name)]).description
        // A name in brackets needs no dot before it.
        text += (text.isEmpty || step.hasPrefix("[") ? "" : ".") + step
    }

    /// The path to the value of a name, or to elements where there is none; nil when there is no such path.
    func child(of parent: UInt32, _ name: UnsafeRawBufferPointer, isElement: Bool) -> UInt32? {
        var slot = firstSlot(parent, name, isElement)
        while slots[slot] != 0 {
            if isPath(slots[slot], parent, name, isElement) { return slots[slot] }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// Whether the index is to have something of a path or of those below it.
    func mayHave(_ parent: UInt32, _ name: UnsafeRawBufferPointer, isElement: Bool) -> Bool {
        if case .none = coverage(parent, name, isElement) { false } else { true }
    }

    private func coverage(_ parent: UInt32, _ name: UnsafeRawBufferPointer, _ isElement: Bool) -> DocumentIndexing.Coverage {
        if isElement { return coverages[Int(parent)] }
        return indexing.hasAllPaths ? .covered : indexing.coverage(of: names(of: parent) + [Array(name)])
    }

    /// Adds a path, which must not be there, and returns its number.
    mutating func add(_ parent: UInt32, _ name: UnsafeRawBufferPointer, isElement: Bool) -> UInt32 {
        let coverage = coverage(parent, name, isElement)
        let number = UInt32(count)
        parents.append(parent)
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        areElements.append(isElement)
        coverages.append(coverage)
        if count * 2 > slots.count { fillSlots() } else { place(number) }
        return number
    }

    /// Forgets the paths from a number on.
    mutating func truncate(to count: Int) {
        guard count < self.count else { return }
        parents.removeSubrange(count...)
        ends.removeSubrange(count...)
        bytes.removeSubrange((ends.last ?? 0)...)
        areElements.removeSubrange(count...)
        coverages.removeSubrange(count...)
        fillSlots()
    }

    /// Builds the hash table anew, with room to grow.
    private mutating func fillSlots() {
        var size = 64
        while size < count * 4 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        for path in 1..<UInt32(max(1, count)) { place(path) }
    }

    private mutating func place(_ path: UInt32) {
        let name = Array(name(of: path))
        var slot = name.withUnsafeBytes { firstSlot(parents[Int(path)], $0, areElements[Int(path)]) }
        while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
        slots[slot] = path
    }

    private func firstSlot(_ parent: UInt32, _ name: UnsafeRawBufferPointer, _ isElement: Bool) -> Int {
        let seed = UInt64(parent) << 1 | (isElement ? 1 : 0)
        return Int(truncatingIfNeeded: Checksum.hash(name, seed: seed)) & (slots.count &- 1)
    }

    private func isPath(_ path: UInt32, _ parent: UInt32, _ name: UnsafeRawBufferPointer, _ isElement: Bool) -> Bool {
        let number = Int(path)
        guard parents[number] == parent, areElements[number] == isElement else { return false }
        let start = number == 0 ? 0 : ends[number - 1]
        guard ends[number] - start == name.count else { return false }
        return bytes.withUnsafeBytes { ByteOrder.areEqual(UnsafeRawBufferPointer(rebasing: $0[start..<ends[number]]), name) }
    }
}

/// What a store has read of the paths of an index of all paths, as far as they are committed.
///
/// Paths are only ever added, so what was read stays right.
final class PathCache: Sendable {
    private let table: Mutex<PathTable>

    init(_ table: PathTable) {
        self.table = Mutex(table)
    }

    var known: PathTable { table.withLock { $0 } }

    /// Takes over a table of committed paths.
    func adopt(_ other: PathTable) {
        table.withLock { table in
            if other.count > table.count { table = other }
        }
    }
}
