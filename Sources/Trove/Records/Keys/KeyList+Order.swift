import TroveStorage

/// The order of record keys, and what is done with sorted lists of them.
extension KeyList {
    mutating func reverse() {
        guard count > 1 else { return }
        var reversed = KeyList()
        buffer.withUnsafeBytes { buffer in
            for position in (0..<count).reversed() { reversed.append(UnsafeRawBufferPointer(rebasing: buffer[range(position)])) }
        }
        self = reversed
    }

    /// Compares two keys of this list: negative, zero or positive.
    private func compare(_ left: Int, _ right: Int, _ buffer: UnsafeRawBufferPointer) -> Int {
        Self.compare(UnsafeRawBufferPointer(rebasing: buffer[range(left)]), UnsafeRawBufferPointer(rebasing: buffer[range(right)]))
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        left.bytes.compare(to: right.bytes)
    }

    /// The numbers of the keys, ascending by these; those of equal ones in their order.
    func ascending() -> [Int] {
        var numbers = Array(0..<count)
        buffer.withUnsafeBytes { buffer in
            if let base = buffer.baseAddress, let width = commonWidth, width <= 16 {
                numbers.sortByWord(of: KeyNumbers(base, width: width))
            } else {
                numbers.sort { compare($0, $1, buffer) < 0 }
            }
        }
        return numbers
    }

    /// The numbers of some keys, ascending by these.
    ///
    /// Keys of one width up to 16 bytes, such as object ids, are compared as numbers.
    static func ascending(_ count: Int, _ key: (Int) -> UnsafeRawBufferPointer) -> [Int] {
        guard count > 1 else { return Array(0..<count) }
        let width = key(0).count
        guard width <= 16, (1..<count).allSatisfy({ key($0).count == width }) else { return (0..<count).sorted { compare(key($0), key($1)) < 0 } }
        var words = (0..<count).map { KeyWord(key($0), number: $0) }
        words.sortByWord()
        return words.map(\.number)
    }

    /// Sorts the keys and leaves out repeated ones.
    mutating func sortUniquely() {
        guard count > 1, !isSortedUniquely else { return }
        if let width = commonWidth, width <= 16 { return sortWords(width) }
        if let width = commonWidth, width == 17, haveSameFirstByte(width) { return sortWords(width, from: 1) }
        var sorted = KeyList()
        buffer.withUnsafeBytes { buffer in
            var last: Int?
            for position in ascending() {
                if let last, compare(last, position, buffer) == 0 { continue }
                sorted.append(UnsafeRawBufferPointer(rebasing: buffer[range(position)]))
                last = position
            }
        }
        self = sorted
    }

    private var isSortedUniquely: Bool {
        buffer.withUnsafeBytes { buffer in
            for position in 1..<count where compare(position - 1, position, buffer) >= 0 { return false }
            return true
        }
    }

    private func haveSameFirstByte(_ width: Int) -> Bool {
        !stride(from: 0, to: count * width, by: width).contains { buffer[$0] != buffer[0] }
    }

    /// Keys of up to 16 bytes, such as object ids, are sorted as numbers; so are longer ones that agree in what is before `start`.
    private mutating func sortWords(_ width: Int, from start: Int = 0) {
        let shift = UInt128((16 - width + start) * 8)
        var words: [UInt128] = []
        words.reserveCapacity(count)
        buffer.withUnsafeBytes { buffer in
            for position in 0..<count {
                words.append(UInt128(firstBytes: UnsafeRawBufferPointer(rebasing: buffer[range(position).dropFirst(start)])) >> shift)
            }
        }
        words.sortByWord()
        var kept = 0
        buffer.withUnsafeMutableBytes { buffer in
            for (position, word) in words.enumerated() where position == 0 || words[position - 1] != word {
                let place = UnsafeMutableRawBufferPointer(rebasing: buffer[kept * width + start..<(kept + 1) * width])
                withUnsafeBytes(of: (word << shift).bigEndian) { place.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<(width - start)])) }
                kept += 1
            }
        }
        truncate(to: kept)
    }

    /// The keys that are in both lists, which are sorted: galloping through the longer one.
    func intersection(_ other: KeyList) -> KeyList {
        let (short, long) = count <= other.count ? (self, other) : (other, self)
        var common = KeyList()
        guard !short.isEmpty else { return common }
        short.buffer.withUnsafeBytes { shortBytes in
            long.buffer.withUnsafeBytes { longBytes in
                var place = 0
                for position in 0..<short.count where place < long.count {
                    let key = UnsafeRawBufferPointer(rebasing: shortBytes[short.range(position)])
                    place = long.firstPosition(atOrAbove: key, from: place, longBytes)
                    guard place < long.count else { break }
                    if Self.compare(UnsafeRawBufferPointer(rebasing: longBytes[long.range(place)]), key) == 0 { common.append(key) }
                }
            }
        }
        return common
    }

    /// The keys that are not in the other list; both are sorted.
    func subtracting(_ other: KeyList) -> KeyList {
        var rest = KeyList()
        other.buffer.withUnsafeBytes { bytes in
            var place = 0
            forEach { key in
                key.withUnsafeBytes { key in
                    place = other.firstPosition(atOrAbove: key, from: place, bytes)
                    let isThere = place < other.count && Self.compare(UnsafeRawBufferPointer(rebasing: bytes[other.range(place)]), key) == 0
                    if !isThere { rest.append(key) }
                }
                return .next
            }
        }
        return rest
    }

    /// Whether a key is in the list, which is sorted.
    func contains(_ key: RawSpan) -> Bool {
        key.withUnsafeBytes { key in
            buffer.withUnsafeBytes { bytes in
                let place = firstPosition(atOrAbove: key, from: 0, bytes)
                return place < count && Self.compare(UnsafeRawBufferPointer(rebasing: bytes[range(place)]), key) == 0
            }
        }
    }

    /// The first position from `start` on whose key is not below `key`: steps of doubling width, then halving.
    private func firstPosition(atOrAbove key: UnsafeRawBufferPointer, from start: Int, _ buffer: UnsafeRawBufferPointer) -> Int {
        func isBelow(_ position: Int) -> Bool {
            Self.compare(UnsafeRawBufferPointer(rebasing: buffer[range(position)]), key) < 0
        }
        guard start < count, isBelow(start) else { return start }
        var low = start
        var step = 1
        while low + step < count, isBelow(low + step) {
            low += step
            step *= 2
        }
        var high = min(low + step, count)
        while low + 1 < high {
            let middle = low + (high - low) / 2
            if isBelow(middle) { low = middle } else { high = middle }
        }
        return high
    }

    /// The keys that are in one of the lists, sorted.
    static func union(_ lists: [KeyList]) -> KeyList {
        var all = KeyList()
        for list in lists { list.forEach { all.append($0); return .next } }
        all.sortUniquely()
        return all
    }
}

extension RawSpan {
    /// Compares with bytes that are in an array: negative, zero or positive.
    func compare(to other: ArraySlice<UInt8>) -> Int {
        withUnsafeBytes { left in other.withUnsafeBytes { left.bytes.compare(to: $0.bytes) } }
    }
}

extension [UInt8] {
    /// Compares as unsigned bytes: negative, zero or positive.
    func compare(to other: [UInt8]) -> Int { withUnsafeBytes { left in other.withUnsafeBytes { KeyList.compare(left, $0) } } }
}
