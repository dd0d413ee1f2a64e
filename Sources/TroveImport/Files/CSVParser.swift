import Foundation

/// Takes CSV apart, a record at a time.
struct CSVParser {
    /// A field of the record that was read last.
    struct Field {
        fileprivate let place: Range<Int>
        let isQuoted: Bool
        /// Whether its bytes are those without the doubled quotation marks, and not those of the file.
        fileprivate let isUnescaped: Bool

        /// Whether nothing is written there, which is no value; two quotation marks are the empty text.
        var isNothing: Bool { place.isEmpty && !isQuoted }
    }

    private let path: String
    private let bytes: UnsafeRawBufferPointer
    private let separator: UInt8
    private var place = 0
    private var line = 1
    private(set) var fields: [Field] = []
    /// The number of the line that the record begins on.
    private(set) var recordLine = 1
    private var unescaped: [UInt8] = []

    /// - Parameter bytes: the file, which must stay as long as the parser.
    init(_ bytes: UnsafeRawBufferPointer, _ separator: UInt8, _ path: String) {
        self.bytes = bytes
        self.separator = separator
        self.path = path
    }

    /// Whether the record has only one field, and nothing in it.
    var isEmptyLine: Bool { fields.count == 1 && fields[0].isNothing }

    /// Reads the next record; returns false at the end.
    ///
    /// - Throws: ``ImportError/damaged(path:place:reason:)`` when a quotation has no end.
    mutating func next() throws -> Bool {
        guard place < bytes.count else { return false }
        recordLine = line
        fields.removeAll(keepingCapacity: true)
        unescaped.removeAll(keepingCapacity: true)
        while true {
            fields.append(try field())
            if place < bytes.count, bytes[place] == separator {
                place += 1
                // A separator at the end of the file has an empty value behind it.
                if place < bytes.count { continue }
                fields.append(Field(place: place..<place, isQuoted: false, isUnescaped: false))
            } else if place < bytes.count {
                if bytes[place] == 0x0D { place += 1 }
                if place < bytes.count, bytes[place] == 0x0A { place += 1 }
                line += 1
            }
            return true
        }
    }

    /// Calls `body` with the bytes of a field of the record.
    func withBytes<Result>(of field: Field, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        if !field.isUnescaped { return try body(UnsafeRawBufferPointer(rebasing: bytes[field.place])) }
        return try unescaped.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[field.place])) }
    }

    private mutating func field() throws -> Field {
        let start = place
        guard start < bytes.count, bytes[start] == 0x22 else {
            var end = start
            while end < bytes.count, bytes[end] != separator, bytes[end] != 0x0A, bytes[end] != 0x0D { end &+= 1 }
            place = end
            return Field(place: start..<end, isQuoted: false, isUnescaped: false)
        }
        let startLine = line
        place += 1
        var partStart = place
        let unescapedStart = unescaped.count
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == 0x0A { line += 1 }
            guard byte == 0x22 else { continue }
            if place < bytes.count, bytes[place] == 0x22 {
                // One of the two belongs to the value.
                unescaped.append(contentsOf: bytes[partStart..<place])
                place += 1
                partStart = place
                continue
            }
            guard place == bytes.count || bytes[place] == separator || bytes[place] == 0x0A || bytes[place] == 0x0D else {
                throw ImportError.damaged(
                    path: path, place: "line \(line)", reason: "something follows the end of a quotation; a quotation mark inside of one is written twice")
            }
            if unescaped.count == unescapedStart { return Field(place: partStart..<place - 1, isQuoted: true, isUnescaped: false) }
            unescaped.append(contentsOf: bytes[partStart..<place - 1])
            return Field(place: unescapedStart..<unescaped.count, isQuoted: true, isUnescaped: true)
        }
        throw ImportError.damaged(path: path, place: "line \(startLine)", reason: "the quotation that begins there has no end")
    }
}
