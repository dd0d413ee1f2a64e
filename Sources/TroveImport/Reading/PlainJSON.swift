import Foundation
import Trove

extension StoredValue {
    /// The value of JSON that another program has written, in which a name that begins with `$` is a name as any other.
    ///
    /// Trove's own JSON has tags by such names, as in `{"$date": "2026-01-01T00:00:00Z"}`. Others write the same and mean something else: the number in
    /// mongoexport's `{"$date": 0}` counts from 1970.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)``, as `init(json:)`.
    init(plainJSON bytes: UnsafeRawBufferPointer) throws {
        // Without a dollar sign, and an escape that may be one, there is none of these names.
        guard bytes.firstPlace(of: UInt8(ascii: "$")) != nil || bytes.firstPlace(of: UInt8(ascii: "\\")) != nil else {
            self = try StoredValue(json: bytes)
            return
        }
        let marked = MarkedJSON(bytes)
        do {
            self = try marked.text.withUnsafeBytes { try StoredValue(json: $0) }
        } catch TroveError.invalidJSON(let line, let column, let offset, let reason) {
            let (before, inLine) = marked.marks(before: offset)
            throw TroveError.invalidJSON(line: line, column: column - inLine, offset: offset - before, reason: reason)
        }
    }
}

/// JSON in which names that begin with `$` have a second one, by which Trove tells them from its tags.
private struct MarkedJSON {
    private(set) var text: [UInt8] = []
    /// Where those are that were put in.
    private var marks: [Int] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        text.reserveCapacity(bytes.count + 64)
        var (taken, place) = (0, 0)
        while place < bytes.count, let quote = UnsafeRawBufferPointer(rebasing: bytes[place...]).firstPlace(of: UInt8(ascii: "\"")) {
            let start = place + quote + 1
            place = Self.end(ofTextAt: start, bytes)
            guard bytes[start...].starts(with: "$".utf8) || bytes[start...].starts(with: "\\u0024".utf8), Self.isName(start - 1, place, bytes) else { continue }
            text.append(contentsOf: bytes[taken..<start])
            marks.append(text.count)
            text.append(UInt8(ascii: "$"))
            taken = start
        }
        text.append(contentsOf: bytes[taken...])
    }

    /// The place behind the quotation mark that ends a text.
    private static func end(ofTextAt start: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        var place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(place + 1, bytes.count)
    }

    /// Whether a text is a name: nothing stands behind it that stands behind a value. So one without its colon is told as such.
    private static func isName(_ start: Int, _ end: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        func isWritten(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D }
        if bytes[..<start].last(where: isWritten) == UInt8(ascii: "{") { return true }
        guard let next = bytes[end...].first(where: isWritten) else { return false }
        return next != UInt8(ascii: ",") && next != UInt8(ascii: "]") && next != UInt8(ascii: "}")
    }

    /// How many were put in before a place, and how many of them in its line.
    func marks(before offset: Int) -> (all: Int, inLine: Int) {
        let lineStart = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (marks.count { $0 < offset }, marks.count { (lineStart..<offset).contains($0) })
    }
}
