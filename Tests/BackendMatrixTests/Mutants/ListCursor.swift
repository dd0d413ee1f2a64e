import TroveStorage

/// A cursor over a copy: it never hears of a change.
final class ListCursor: StorageCursor {
    private let entries: [(key: [UInt8], value: [UInt8])]
    private var position = -1

    init(_ entries: [(key: [UInt8], value: [UInt8])]) { self.entries = entries }

    func seek(to key: RawSpan) throws -> Bool {
        let sought = [UInt8](copying: key)
        return go(to: entries.firstIndex { !$0.key.lexicographicallyPrecedes(sought) } ?? entries.count)
    }

    func seekToLast() throws -> Bool { go(to: entries.count - 1) }
    func next() throws -> Bool { go(to: min(position + 1, entries.count)) }
    func previous() throws -> Bool { go(to: max(position - 1, -1)) }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        guard entries.indices.contains(position) else { return false }
        let entry = entries[position]
        try body(entry.key.span.bytes, entry.value.span.bytes)
        return true
    }

    private func go(to position: Int) -> Bool {
        self.position = position
        return entries.indices.contains(position)
    }
}
