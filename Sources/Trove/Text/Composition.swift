import Foundation

/// Normalization form C, in time in proportion to the text.
extension String {
    /// The most bytes of a text whose marks Swift may sort.
    private static let maxSortedSize = 1_024

    /// Vowel signs of Tibetan that have no place in the canonical order, and are two marks that have one.
    fileprivate static let vowelSigns: [UInt32] = [0xF73, 0xF75, 0xF81]

    /// The text in normalization form C.
    ///
    /// Swift sorts the marks behind a letter in time that grows with the square of their number: half a million, which a text that is made to do harm may
    /// have, take minutes, while a transaction waits. So those of a long text are sorted here first, which makes no difference to its form.
    var composed: String { (utf8.count > Self.maxSortedSize ? withMarksInOrder : self).precomposedStringWithCanonicalMapping }

    /// The text with the marks behind each letter in their canonical order.
    private var withMarksInOrder: String {
        var ordered = String.UnicodeScalarView()
        var marks: [(place: UInt8, scalar: Unicode.Scalar)] = []
        func finish() {
            // Sorting keeps the order of equal ones only when their place is a part of it.
            let sorted = marks.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            ordered.append(contentsOf: sorted.lazy.map(\.element.scalar))
            marks.removeAll(keepingCapacity: true)
        }
        func add(_ scalar: Unicode.Scalar) {
            let place = scalar.properties.canonicalCombiningClass.rawValue
            if place > 0 { return marks.append((place, scalar)) }
            if !marks.isEmpty { finish() }
            ordered.append(scalar)
        }
        for scalar in unicodeScalars {
            guard Self.vowelSigns.contains(scalar.value) else {
                add(scalar)
                continue
            }
            add("\u{F71}")
            add(scalar == "\u{F73}" ? "\u{F72}" : scalar == "\u{F75}" ? "\u{F74}" : "\u{F80}")
        }
        finish()
        return String(ordered)
    }
}

extension UnsafeRawBufferPointer {
    /// The most marks behind a letter of a name, which Swift sorts whenever it compares or hashes the name.
    static let maxMarks = 1_000

    /// Whether a letter of UTF-8 has more marks than ``maxMarks`` behind it.
    var hasTooManyMarks: Bool {
        // Each takes two bytes at least.
        guard count > 2 * Self.maxMarks else { return false }
        let bytes = assumingMemoryBound(to: UInt8.self)
        var (position, marks) = (0, 0)
        while position < bytes.count {
            let scalar = UTF8Scalar(bytes, at: position)
            position += scalar.length
            let isMark = scalar.value >= 0x300 && Unicode.Scalar(scalar.value).map { $0.properties.canonicalCombiningClass != .notReordered } ?? false
            marks = isMark || String.vowelSigns.contains(scalar.value) ? marks + 1 : 0
            if marks > Self.maxMarks { return true }
        }
        return false
    }
}
