/// What becomes of whole pages: what a disk, a file system or a person with a tool does.
enum PageDamage: String, CaseIterable, CustomStringConvertible {
    /// Nothing but zeros, as a file system leaves where a write did not arrive.
    case zeroed = "zeroed pages"
    /// Bytes of something else.
    case overwritten = "overwritten pages"
    /// Two pages have changed places.
    case swapped = "swapped pages"
    /// A page is there twice, over another one.
    case doubled = "doubled pages"
    /// A page is as it was in an earlier state of the same file.
    case stale = "stale pages"
    /// Something follows after the end.
    case extended = "extended"
    /// The end is missing, and zeros stand for it.
    case replacedEnd = "end replaced by zeros"

    var description: String { rawValue }
}

extension Damage {
    /// Damages one page of some size, or one to four in a row.
    ///
    /// - Parameter older: the bytes of the file in an earlier state.
    init(_ original: [UInt8], _ kind: PageDamage, older: [UInt8], using generator: inout some RandomNumberGenerator) {
        var bytes = original
        let page = [512, 4_096, 4_096, 16_384].randomElement(using: &generator) ?? 4_096
        let pages = max(2, original.count / page)
        func place(from first: Int = 0) -> Int { Int.random(in: min(first, pages - 1)..<pages, using: &generator) }
        func range(_ number: Int, _ count: Int = 1) -> Range<Int> { min(number * page, bytes.count)..<min((number + count) * page, bytes.count) }
        let what: String
        switch kind {
        case .zeroed:
            let (number, count) = (place(), Int.random(in: 1...4, using: &generator))
            for index in range(number, count) { bytes[index] = 0 }
            what = "\(count) from page \(number)"
        case .overwritten:
            let number = place()
            for index in range(number) { bytes[index] = .random(in: 0...255, using: &generator) }
            what = "page \(number)"
        case .swapped:
            // The first page of every engine tells that it is one; the others are like each other.
            let (one, other) = (place(from: 1), place(from: 1))
            for (left, right) in zip(range(one), range(other)) { bytes.swapAt(left, right) }
            what = "pages \(one) and \(other)"
        case .doubled:
            let (one, other) = (place(), place(from: 1))
            for (left, right) in zip(range(one), range(other)) { bytes[right] = original[left] }
            what = "page \(one) over page \(other)"
        case .stale:
            let differing = (0..<pages).filter { number in
                let range = range(number)
                return range.upperBound <= older.count && older[range] != original[range]
            }
            let number = differing.randomElement(using: &generator) ?? 0
            for index in range(number) where index < older.count { bytes[index] = older[index] }
            what = "page \(number), of \(differing.count) that differ"
        case .extended:
            let count = Int.random(in: 1...3 * page, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes += [UInt8](repeating: 0, count: count)
            case 1: bytes += (0..<count).map { _ in .random(in: 0...255, using: &generator) }
            default: bytes += original.prefix(count)
            }
            what = "\(bytes.count - original.count) bytes"
        case .replacedEnd:
            let start = Int.random(in: 1..<original.count, using: &generator)
            for index in start..<original.count { bytes[index] = 0 }
            what = "from \(start)"
        }
        self.init(bytes: bytes, description: "\(kind) of \(page) bytes: \(what), of \(original.count) bytes")
    }
}
