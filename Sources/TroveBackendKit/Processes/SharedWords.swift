import Synchronization
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A few numbers in a file that several processes have mapped.
///
/// `@unchecked Sendable`: the numbers are atomic, and the mapping is there as long as the object.
public final class SharedWords: @unchecked Sendable {
    /// The number of bytes that they take.
    public static let size = count * MemoryLayout<Int>.stride
    private static let count = 4

    private let mapping: UnsafeMutableRawPointer
    private let mappedSize: Int
    private let words: UnsafeMutablePointer<Atomic<Int>>

    /// Maps the numbers at `offset`, a multiple of ``size``; nil when the system refuses. The bytes must have their room on the disk: a write through
    /// the map to one that has none ends the process. The descriptor may be closed afterwards.
    public init?(descriptor: Int32, offset: Int) {
        let pageSize = Int(getpagesize())
        let start = offset / pageSize * pageSize
        mappedSize = offset - start + Self.size
        guard let mapping = mmap(nil, mappedSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(start)), mapping != MAP_FAILED else { return nil }
        self.mapping = mapping
        words = (mapping + (offset - start)).bindMemory(to: Atomic<Int>.self, capacity: Self.count)
    }

    deinit { munmap(mapping, mappedSize) }

    func load(_ index: Int) -> Int { words[index].load(ordering: .sequentiallyConsistent) }

    func store(_ value: Int, _ index: Int) { words[index].store(value, ordering: .sequentiallyConsistent) }

    func add(_ value: Int, _ index: Int) { words[index].add(value, ordering: .sequentiallyConsistent) }

    /// Puts `new` where `old` is; false when it is not.
    func exchange(_ old: Int, for new: Int, _ index: Int) -> Bool {
        words[index].compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
    }
}
