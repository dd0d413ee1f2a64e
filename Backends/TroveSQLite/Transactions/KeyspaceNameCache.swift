#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The numbers of keyspaces a connection has looked up, right as long as the store's generation is the same.
///
/// Names are compared by their bytes: `String` takes those that differ only in Unicode composition for equal. Mostly there are a few of them,
/// in which a search takes less time than hashing a name.
struct KeyspaceNameCache {
    /// More names than this are not worth their memory.
    private static let capacity = 10_000

    private var generation = -1
    /// Ascending by the length of their names, then by the bytes.
    private var entries: [(name: [UInt8], number: UInt32)] = []

    /// Forgets everything unless it is of `generation`.
    mutating func adopt(generation: Int) {
        guard generation != self.generation else { return }
        self.generation = generation
        entries.removeAll()
    }

    mutating func clear() {
        generation = -1
        entries.removeAll()
    }

    /// The number of a name, when it is known.
    func number(of name: UnsafeRawBufferPointer) -> UInt32? {
        let (position, isKnown) = search(name)
        return isKnown ? entries[position].number : nil
    }

    mutating func add(_ number: UInt32, of name: UnsafeRawBufferPointer) {
        if entries.count >= Self.capacity { entries.removeAll() }
        let (position, isKnown) = search(name)
        if isKnown { entries[position].number = number } else { entries.insert(([UInt8](name), number), at: position) }
    }

    /// Where a name is, or would be.
    private func search(_ name: UnsafeRawBufferPointer) -> (position: Int, isKnown: Bool) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            let order = entries[middle].name.withUnsafeBytes { known in
                // No known name is empty.
                known.count == name.count ? Int(memcmp(known.baseAddress!, name.baseAddress!, name.count)) : known.count - name.count
            }
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}
