import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The entries of a node, in the order of their keys, one behind the other as they are sealed:
///
///     2 bytes   the length of the key
///     4         the length of the payload; the highest bit says that it is a ``LargeValue``
///     n         the key
///     n         the payload
struct EntryList: Sendable {
    static let headerSize = 6
    private static let largeBit: UInt32 = 1 << 31

    private(set) var bytes: [UInt8] = []
    /// Where each entry begins.
    private var starts: [UInt32] = []

    init() {}

    /// Takes over bytes that were opened.
    init(parsing bytes: [UInt8]) throws {
        self.bytes = bytes
        starts.reserveCapacity(bytes.count / 64)
        let isWhole = bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                guard bytes.count - offset >= Self.headerSize else { return false }
                let size = Self.size(of: bytes, at: offset)
                guard bytes.count - offset >= size else { return false }
                starts.append(UInt32(offset))
                offset += size
            }
            return true
        }
        guard isWhole else { throw MalformedBytes() }
    }

    var count: Int { starts.count }
    var isEmpty: Bool { starts.isEmpty }

    // MARK: Reading

    func keyRange(_ position: Int) -> Range<Int> {
        let start = Int(starts[position])
        let size = bytes.withUnsafeBytes { Int($0.number(at: start, as: UInt16.self)) }
        return start + Self.headerSize..<start + Self.headerSize + size
    }

    func payloadRange(_ position: Int) -> Range<Int> { keyRange(position).upperBound..<end(of: position) }

    /// Whether the payload tells where the value is.
    func isLarge(_ position: Int) -> Bool {
        let start = Int(starts[position])
        return bytes.withUnsafeBytes { $0.number(at: start + 2, as: UInt32.self) & Self.largeBit != 0 }
    }

    func key(_ position: Int) -> [UInt8] { Array(bytes[keyRange(position)]) }

    func payload(_ position: Int) -> [UInt8] { Array(bytes[payloadRange(position)]) }

    /// How many bytes an entry takes.
    func size(of position: Int) -> Int { end(of: position) - Int(starts[position]) }

    private func end(of position: Int) -> Int { position + 1 < starts.count ? Int(starts[position + 1]) : bytes.count }

    private static func size(of bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        headerSize + Int(bytes.number(at: offset, as: UInt16.self)) + Int(bytes.number(at: offset + 2, as: UInt32.self) & ~largeBit)
    }

    // MARK: Searching

    /// The first position from `first` on whose key is `key` or above, and whether it is `key`.
    func lowerBound(of key: UnsafeRawBufferPointer, from first: Int = 0) -> (position: Int, isEqual: Bool) {
        bytes.withUnsafeBytes { bytes in
            starts.withUnsafeBufferPointer { starts in
                var (low, high) = (first, starts.count)
                while low < high {
                    let middle = (low + high) / 2
                    let start = Int(starts[middle])
                    let size = Int(bytes.number(at: start, as: UInt16.self))
                    let order = Self.compare(UnsafeRawBufferPointer(rebasing: bytes[start + Self.headerSize..<start + Self.headerSize + size]), key)
                    if order == 0 { return (middle, true) }
                    if order < 0 { low = middle + 1 } else { high = middle }
                }
                return (low, false)
            }
        }
    }

    /// Negative, zero or positive as the key at a position is below, equal to or above another.
    func compareKey(_ position: Int, to key: UnsafeRawBufferPointer) -> Int {
        let range = keyRange(position)
        return bytes.withUnsafeBytes { Self.compare(UnsafeRawBufferPointer(rebasing: $0[range]), key) }
    }

    /// Whether each key from a position on is above the one before.
    func isOrdered(from first: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            for position in starts.indices.dropFirst(first + 1) {
                let order = Self.compare(
                    UnsafeRawBufferPointer(rebasing: bytes[keyRange(position - 1)]), UnsafeRawBufferPointer(rebasing: bytes[keyRange(position)]))
                if order >= 0 { return false }
            }
            return true
        }
    }

    /// Whether the key at a position is below that at a position of another list.
    func isKey(_ position: Int, below other: EntryList, at otherPosition: Int) -> Bool {
        let range = other.keyRange(otherPosition)
        return other.bytes.withUnsafeBytes { compareKey(position, to: UnsafeRawBufferPointer(rebasing: $0[range])) } < 0
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        if common > 0, let left = left.baseAddress, let right = right.baseAddress {
            let order = memcmp(left, right, common)
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }

    // MARK: Changing

    mutating func insert(_ key: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, isLarge: Bool = false, at position: Int) {
        let size = Self.headerSize + key.count + payload.count
        let start = position < starts.count ? Int(starts[position]) : bytes.count
        makeRoom(size, at: start)
        write(key, payload, isLarge, at: start)
        starts.insert(UInt32(start), at: position)
        moveStarts(from: position + 1, by: size)
    }

    mutating func replacePayload(_ position: Int, with payload: UnsafeRawBufferPointer, isLarge: Bool = false) {
        let old = payloadRange(position)
        if old.count < payload.count {
            makeRoom(payload.count - old.count, at: old.upperBound)
        } else {
            bytes.removeSubrange(old.lowerBound..<old.upperBound - payload.count)
        }
        let start = Int(starts[position])
        let length = UInt32(payload.count) | (isLarge ? Self.largeBit : 0)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: length.littleEndian, toByteOffset: start + 2, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[old.lowerBound...]).copyMemory(from: payload)
        }
        moveStarts(from: position + 1, by: payload.count - old.count)
    }

    mutating func replaceKey(_ position: Int, with key: [UInt8]) {
        let (payload, isLarge) = (payload(position), isLarge(position))
        remove(position..<position + 1)
        key.withUnsafeBytes { key in payload.withUnsafeBytes { insert(key, $0, isLarge: isLarge, at: position) } }
    }

    mutating func remove(_ positions: Range<Int>) {
        guard let last = positions.last else { return }
        let range = Int(starts[positions.lowerBound])..<end(of: last)
        bytes.removeSubrange(range)
        starts.removeSubrange(positions)
        moveStarts(from: positions.lowerBound, by: -range.count)
    }

    /// Takes off the entries from a position on and returns them.
    mutating func splitOff(from position: Int) -> EntryList {
        var tail = EntryList()
        let start = Int(starts[position])
        tail.bytes = Array(bytes[start...])
        tail.starts = starts[position...].map { $0 - UInt32(start) }
        bytes.removeSubrange(start...)
        starts.removeSubrange(position...)
        return tail
    }

    /// Adds entries whose keys are above all others.
    mutating func append(_ others: EntryList) {
        let start = UInt32(bytes.count)
        bytes += others.bytes
        starts += others.starts.map { $0 + start }
    }

    private mutating func makeRoom(_ size: Int, at offset: Int) {
        let tail = bytes.count - offset
        bytes.append(contentsOf: repeatElement(0, count: size))
        guard tail > 0, size > 0 else { return }
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            memmove(base + offset + size, base + offset, tail)
        }
    }

    private mutating func write(_ key: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ isLarge: Bool, at start: Int) {
        let length = UInt32(payload.count) | (isLarge ? Self.largeBit : 0)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt16(key.count).littleEndian, toByteOffset: start, as: UInt16.self)
            bytes.storeBytes(of: length.littleEndian, toByteOffset: start + 2, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(start + Self.headerSize)...]).copyMemory(from: key)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(start + Self.headerSize + key.count)...]).copyMemory(from: payload)
        }
    }

    private mutating func moveStarts(from position: Int, by distance: Int) {
        if distance == 0 || position >= starts.count { return }
        let distance = UInt32(truncatingIfNeeded: distance)
        starts.withUnsafeMutableBufferPointer { starts in
            for index in position..<starts.count { starts[index] &+= distance }
        }
    }
}
