/// Keys one after the other in one buffer: a list of a million takes no million arrays.
///
/// ```swift
/// var keys = KeyList()
/// for id in ids { keys.append(id.bytes.span.bytes) }
/// try reader.getMany(keys, in: keyspace) { position, value in … }
/// ```
public struct KeyList: Sendable {
    /// All keys, one after the other, and room for more.
    @usableFromInline package var buffer: [UInt8] = []
    /// How many bytes of the buffer are keys.
    private var size = 0
    /// Where each key ends; empty while all keys have one width.
    @usableFromInline package private(set) var ends: [Int] = []
    /// The number of bytes of each key so far; nil when they differ.
    @usableFromInline package private(set) var commonWidth: Int? = 0
    /// The number of keys.
    public private(set) var count = 0

    /// How many keys there is room for at first.
    private var firstCapacity = 16
    /// How many bytes are taken for more keys than a few, of which the first may be far longer than the others.
    private static let mostRoom = 1 << 22

    /// No keys.
    public init() {}

    /// Some keys, in their order.
    public init(_ keys: some Sequence<[UInt8]>) {
        for key in keys { append(key.span.bytes) }
    }

    /// Whether there are no keys.
    public var isEmpty: Bool { count == 0 }

    /// Adds a key at the end.
    ///
    /// - Complexity: O(the key's length); O(``count``) once, where a key is not as long as those before it.
    public mutating func append(_ key: RawSpan) {
        key.withUnsafeBytes { append($0) }
    }

    package mutating func append(_ key: UnsafeRawBufferPointer) {
        if count == 0 {
            commonWidth = key.count
        } else if let common = commonWidth, common != key.count {
            // In the memory that it had before.
            for place in 1...count { ends.append(place * common) }
            commonWidth = nil
        }
        let end = size + key.count
        if end > buffer.count { grow(to: end, room: min(firstCapacity, max(16, Self.mostRoom / max(1, key.count))) * key.count) }
        if let start = key.baseAddress { buffer.withUnsafeMutableBytes { $0.baseAddress!.advanced(by: size).copyMemory(from: start, byteCount: key.count) } }
        size = end
        count += 1
        if commonWidth == nil { ends.append(size) }
    }

    /// Takes memory for as many keys in one piece, when there are none so far.
    package mutating func expect(_ count: Int) { firstCapacity = max(firstCapacity, count) }

    /// Room that no key needs yet is not filled, since the system gives memory page by page as it is touched.
    @inline(never)
    private mutating func grow(to end: Int, room: Int) {
        if end > buffer.capacity { buffer.reserveCapacity(max(end, 2 * buffer.capacity, room)) }
        let filled = min(buffer.capacity, max(end, buffer.count + 4_096))
        buffer.append(contentsOf: repeatElement(0, count: filled - buffer.count))
    }

    /// Removes all keys, and keeps their memory for others.
    public mutating func removeAll() {
        ends.removeAll(keepingCapacity: true)
        size = 0
        count = 0
    }

    /// Removes the keys behind the first `kept`, all being of one width.
    package mutating func truncate(to kept: Int) {
        count = min(count, kept)
        size = count * (commonWidth ?? 0)
    }

    /// Where the key at a position is in ``buffer``.
    @inlinable
    package func range(_ position: Int) -> Range<Int> {
        if let commonWidth { return position * commonWidth..<(position + 1) * commonWidth }
        return (position == 0 ? 0 : ends[position - 1])..<ends[position]
    }

    /// A copy of the key at a position.
    public subscript(position: Int) -> [UInt8] { Array(buffer[range(position)]) }

    /// Calls `body` with the key at a position.
    @inlinable
    public func withKey<Result>(at position: Int, _ body: (RawSpan) throws -> Result) rethrows -> Result {
        try body(buffer.span.bytes.extracting(range(position)))
    }

    /// Calls `body` with the keys in their order until it returns ``ScanStep/stop``; returns its last answer.
    @discardableResult
    @inlinable
    public func forEach(_ body: (RawSpan) throws -> ScanStep) rethrows -> ScanStep {
        let all = buffer.span.bytes
        for position in 0..<count where try body(all.extracting(range(position))) == .stop { return .stop }
        return .next
    }
}
