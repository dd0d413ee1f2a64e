/// What is sorted by a word of 128 bits: the first 16 bytes of something, say, whose order they decide.
protocol WordSorted: BitwiseCopyable {
    var word: UInt128 { get }
}

/// What tells the words of elements that do not have them: of the numbers of keys in a list, say.
protocol WordSource<Element> {
    associatedtype Element: BitwiseCopyable

    func word(of element: Element) -> UInt128
}

private struct OwnWords<Element: WordSorted>: WordSource {
    @inline(__always)
    func word(of element: Element) -> UInt128 { element.word }
}

extension UInt128: WordSorted {
    var word: UInt128 { self }

    /// The first 16 bytes of some, with zeros where there are fewer: words are in the order of the bytes, as far as these tell.
    @inline(__always)
    init(firstBytes bytes: UnsafeRawBufferPointer) {
        var word: UInt128 = 0
        withUnsafeMutableBytes(of: &word) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(16))) }
        self.init(bigEndian: word)
    }
}

extension Array where Element: WordSorted {
    /// Sorts by the words; what has the same word stays in its order.
    ///
    /// Words that are spread, as random ids and consecutive numbers are, are not compared all with all: the first bits in which they differ choose a bucket for
    /// each, and what shares a bucket is sorted there.
    ///
    /// - Parameter look: called between the passes over the elements, and after each 1,024 buckets or comparisons; what it throws ends the sort, which leaves
    ///   all elements in some order.
    /// - Complexity: O(*n*) for words that are spread, never more than O(*n* log *n*).
    mutating func sortByWord(_ look: () throws -> Void) rethrows {
        try withUnsafeMutableBufferPointer { try $0.sort(by: OwnWords(), rounds: 2, look) }
    }

    /// Sorts by the words to the end.
    mutating func sortByWord() { sortByWord {} }
}

extension Array where Element: BitwiseCopyable {
    /// As ``sortByWord()``, by words that are told by `source`.
    mutating func sortByWord(of source: some WordSource<Element>) { withUnsafeMutableBufferPointer { $0.sort(by: source, rounds: 2) {} } }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
    /// - Parameter rounds: how often buckets may be divided into buckets, so that words that are chosen to be uneven cost what comparing costs.
    fileprivate func sort(by source: some WordSource<Element>, rounds: Int, _ look: () throws -> Void) rethrows {
        // Fewer are sorted faster by comparing.
        guard count >= 24, rounds > 0 else { return try compareAll(by: source, look) }
        let first = source.word(of: self[0])
        var different: UInt128 = 0
        for element in self { different |= source.word(of: element) ^ first }
        guard different != 0 else { return }
        // As many buckets as elements, up to what a core's cache holds.
        let width = UInt128.bitWidth - different.leadingZeroBitCount
        let bits = Swift.min(width, Int.bitWidth - (count - 1).leadingZeroBitCount, 16)
        let (shift, mask) = (UInt128(truncatingIfNeeded: width - bits), 1 << bits - 1)
        func bucket(of element: Element) -> Int { Int(truncatingIfNeeded: source.word(of: element) &>> shift) & mask }
        // Allocated like this because Swift 6.3.1 gives a closure inside of two nested `withUnsafeTemporaryAllocation`s a wrong
        // base address, with several threads of LLVM.
        let ends = UnsafeMutablePointer<UInt32>.allocate(capacity: mask + 1)
        let sorted = UnsafeMutablePointer<Element>.allocate(capacity: count)
        defer {
            ends.deallocate()
            sorted.deallocate()
        }
        ends.initialize(repeating: 0, count: mask + 1)
        for element in self { ends[bucket(of: element)] += 1 }
        try look()
        var sum: UInt32 = 0
        for bucket in 0...mask { (ends[bucket], sum) = (sum, sum + ends[bucket]) }
        // The start of each bucket moves to its end.
        for element in self {
            let bucket = bucket(of: element)
            (sorted + Int(ends[bucket])).initialize(to: element)
            ends[bucket] += 1
        }
        baseAddress!.update(from: sorted, count: count)
        try look()
        var start = 0
        for bucket in 0...mask {
            let end = Int(ends[bucket])
            try Self(rebasing: self[start..<end]).sortBucket(by: source, rounds: rounds - 1, look)
            start = end
            if bucket & 1_023 == 1_023 { try look() }
        }
    }

    private func sortBucket(by source: some WordSource<Element>, rounds: Int, _ look: () throws -> Void) rethrows {
        guard count > 1 else { return }
        guard count <= 16 else { return try sort(by: source, rounds: rounds, look) }
        for end in 1..<count {
            let element = self[end]
            let word = source.word(of: element)
            var place = end
            while place > 0, word < source.word(of: self[place - 1]) {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = element
        }
    }

    private func compareAll(by source: some WordSource<Element>, _ look: () throws -> Void) rethrows {
        var (elements, comparisons) = (self, 0)
        try elements.sort { left, right in
            comparisons &+= 1
            if comparisons & 1_023 == 0 { try look() }
            return source.word(of: left) < source.word(of: right)
        }
    }
}
