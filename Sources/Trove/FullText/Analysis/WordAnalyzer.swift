/// Makes words of text: finds them, folds case and marks, takes endings off.
///
/// Words are found by the word boundaries of Unicode (UAX #29), with differences that docs/full-text.md lists. Its memory
/// serves one word after the other.
struct WordAnalyzer: ~Copyable {
    /// The longest word, in bytes; what is beyond is cut off, so words alike up to there are the same word.
    static let maxWordSize = 120
    /// Room for the longest folding of one scalar beyond a full word.
    private static let capacity = maxWordSize + 16

    private let options: FullTextOptions
    /// Lives as long as this value; ``capacity`` bytes, of which `count` are the word.
    private let word: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var scalarCount = 0

    init(_ options: FullTextOptions) {
        self.options = options
        word = .allocate(capacity: Self.capacity)
    }

    deinit { word.deallocate() }

    /// Calls `body` with each word of UTF-8 text: its folded bytes, its number from 0 on, and the bytes of the text it was made of.
    ///
    /// Words that are too short are counted and not passed on. Returns how many were passed on.
    @inline(__always)
    mutating func forEachWord(
        in text: UnsafeBufferPointer<UInt8>, stems: Bool = true,
        _ body: (_ word: UnsafeBufferPointer<UInt8>, _ position: Int, _ source: Range<Int>) throws -> Void
    ) rethrows -> Int {
        var (index, position, passed) = (0, 0, 0)
        while let source = nextWord(in: text, from: index) {
            index = source.upperBound
            if finishWord(stems: stems) {
                try body(UnsafeBufferPointer(start: word, count: count), position, source)
                passed += 1
            }
            position += 1
        }
        return passed
    }

    /// Whether text has a word, of whatever length.
    static func findsWord(in text: String) -> Bool {
        var analyzer = WordAnalyzer(FullTextOptions())
        var text = text
        return text.withUTF8 { analyzer.forEachWord(in: $0) { _, _, _ in } } > 0
    }

    // MARK: Finding

    /// The bytes of the next word, whose folding is left in `word`.
    private mutating func nextWord(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var index = start
        while index < text.count {
            let scalar = UTF8Scalar(text, at: index)
            let (kind, isNormalized) = WordClass.of(scalar.value)
            let first = index
            index += scalar.length
            switch kind {
            case .letter, .number, .katakana, .single:
                count = 0
                scalarCount = 0
                append(scalar.value, kind)
                return first..<wordEnd(in: text, first, after: index, kind, isNormalized)
            default:
                continue
            }
        }
        return nil
    }

    /// The end of the word that goes on at `index` after a character of a kind.
    private mutating func wordEnd(
        in text: UnsafeBufferPointer<UInt8>, _ start: Int, after index: Int, _ first: WordClass, _ normalized: Bool
    ) -> Int {
        var (index, last, isNormalized) = (index, first, normalized)
        scan: while index < text.count {
            let scalar = UTF8Scalar(text, at: index)
            let (kind, normalizes) = WordClass.of(scalar.value)
            switch kind {
            case .mark, .ignored:
                break
            case .letter, .number:
                guard last == .letter || last == .number else { break scan }
                last = kind
            case .katakana:
                guard last == .katakana else { break scan }
            case .apostrophe, .midLetter:
                guard last == .letter, self.kind(in: text, after: index + scalar.length) == .letter else { break scan }
            case .midNumber:
                guard last == .number, self.kind(in: text, after: index + scalar.length) == .number else { break scan }
            case .single, .other:
                break scan
            }
            append(scalar.value, kind)
            isNormalized = isNormalized || normalizes
            index += scalar.length
        }
        if isNormalized { refold(text, start..<index, isSingle: first == .single) }
        return index
    }

    /// The class of the next scalar that is no mark.
    private func kind(in text: UnsafeBufferPointer<UInt8>, after index: Int) -> WordClass {
        var index = index
        while index < text.count {
            let scalar = UTF8Scalar(text, at: index)
            let (kind, _) = WordClass.of(scalar.value)
            if kind != .mark && kind != .ignored { return kind }
            index += scalar.length
        }
        return .other
    }

    // MARK: Folding

    /// Puts the folding of a scalar at the end of the word.
    @inline(__always)
    private mutating func append(_ scalar: UInt32, _ kind: WordClass) {
        if scalar < 0x80 {
            guard count <= Self.maxWordSize else { return }
            let byte = UInt8(truncatingIfNeeded: scalar)
            word[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            count &+= 1
            scalarCount &+= 1
        } else {
            appendFolded(scalar, kind)
        }
        if kind == .single { scalarCount = Int.max >> 1 }
    }

    private mutating func appendFolded(_ scalar: UInt32, _ kind: WordClass) {
        switch kind {
        case .ignored: return
        case .apostrophe: appendUTF8(0x27)
        default:
            if options.ignoresDiacritics {
                DiacriticFolding.forEachScalar(ofFolding: scalar) { appendUTF8($0) }
            } else {
                CaseFolding.forEachScalar(ofFolding: scalar) { appendUTF8($0) }
            }
        }
    }

    private mutating func appendUTF8(_ scalar: UInt32) {
        guard count <= Self.maxWordSize else { return }
        scalarCount += 1
        if scalar < 0x80 {
            put(scalar)
        } else if scalar < 0x800 {
            put(0xC0 | scalar >> 6)
            put(0x80 | scalar & 0x3F)
        } else {
            if scalar < 0x1_0000 {
                put(0xE0 | scalar >> 12)
            } else {
                put(0xF0 | scalar >> 18)
                put(0x80 | scalar >> 12 & 0x3F)
            }
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
        }
    }

    @inline(__always)
    private mutating func put(_ byte: UInt32) {
        word[count] = UInt8(truncatingIfNeeded: byte)
        count &+= 1
    }

    /// Folds the word again from its normalization form C, so that letters and marks written one by one are the same word.
    private mutating func refold(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isSingle: Bool) {
        let source = String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
        count = 0
        scalarCount = 0
        for scalar in source.composed.unicodeScalars {
            append(scalar.value, WordClass.of(scalar.value).0)
        }
        if isSingle { scalarCount = Int.max >> 1 }
    }

    /// Cuts and stems the word; false when it is too short to be kept.
    @inline(__always)
    private mutating func finishWord(stems: Bool) -> Bool {
        if count == 0 || scalarCount < options.minimumWordLength { return false }
        if count > Self.maxWordSize {
            count = Self.maxWordSize
            while word[count] & 0xC0 == 0x80 { count -= 1 }
        }
        if stems, options.stemming != nil { stem() }
        return count > 0
    }

    private mutating func stem() {
        switch options.stemming {
        case .english:
            var stemmer = EnglishStemmer(word, count: count)
            count = stemmer.stem()
        case nil: break
        }
    }
}
