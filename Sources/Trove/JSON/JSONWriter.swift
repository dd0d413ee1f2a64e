/// Writes JSON as UTF-8, in one stable form.
struct JSONWriter: ~Copyable {
    /// What has been written.
    var bytes: ByteWriter
    private let style: JSONStyle
    /// Whether a name that begins with `$` gets a second one, so that it is no tag.
    private let marksNames: Bool
    /// How many containers are open.
    private var level = 0
    /// Whether the open container has a member.
    private var hasMember = false

    init(_ style: JSONStyle = .compact, capacity: Int = 256, marksNames: Bool = true) {
        self.style = style
        self.marksNames = marksNames
        bytes = ByteWriter(capacity: capacity)
    }

    /// Ends a value that has a line of its own.
    mutating func endLine() {
        append("\n")
        hasMember = false
    }

    /// A place in what has been written.
    struct Place {
        fileprivate let count: Int
        fileprivate let level: Int
        fileprivate let hasMember: Bool
    }

    var place: Place { Place(count: bytes.count, level: level, hasMember: hasMember) }

    /// Takes back what was written behind a place.
    mutating func goBack(to place: Place) {
        bytes.count = place.count
        level = place.level
        hasMember = place.hasMember
    }

    // MARK: - Structure

    mutating func beginObject() { begin("{") }
    mutating func endObject() { end("}") }
    mutating func beginArray() { begin("[") }
    mutating func endArray() { end("]") }

    private mutating func begin(_ bracket: Unicode.Scalar) {
        append(bracket)
        level += 1
        hasMember = false
    }

    private mutating func end(_ bracket: Unicode.Scalar) {
        level -= 1
        if hasMember { newLine() }
        append(bracket)
        hasMember = true
    }

    /// Begins the next element of an array, or the next name of an object.
    @inline(__always)
    mutating func next() {
        if hasMember { append(",") }
        if style == .pretty { newLine() }
        hasMember = true
    }

    private mutating func newLine() {
        guard style == .pretty else { return }
        append("\n")
        for _ in 0..<level { append(raw: "  ") }
    }

    /// Appends a name of the object that is open, as it is: one without characters that are escaped.
    @inline(__always)
    mutating func name(raw name: StaticString) {
        next()
        append("\"")
        append(raw: name)
        append("\"")
        colon()
    }

    /// Appends a name of the object that is open; one that begins with `$` gets a second one.
    mutating func name(_ name: UnsafeRawBufferPointer) {
        next()
        append("\"")
        if marksNames, name.first == JSONTag.mark { append("$") }
        content(name)
        append("\"")
        colon()
    }

    mutating func name(_ name: String) { name.withRawUTF8 { self.name($0) } }

    private mutating func colon() {
        append(":")
        if style == .pretty { append(" ") }
    }

    // MARK: - Pieces

    @inline(__always)
    mutating func append(_ scalar: Unicode.Scalar) { bytes.append(UInt8(truncatingIfNeeded: scalar.value)) }

    mutating func append(raw text: StaticString) { bytes.append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

    /// Appends a text in quotes.
    mutating func text(_ text: UnsafeRawBufferPointer) {
        append("\"")
        content(text)
        append("\"")
    }

    mutating func text(_ text: String) { text.withRawUTF8 { self.text($0) } }

    /// Appends what stands between the quotes of a text.
    private mutating func content(_ text: UnsafeRawBufferPointer) {
        var start = 0
        var isASCII = true
        for position in 0..<text.count {
            let byte = text[position]
            if byte >= 0x80 { isASCII = false }
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            run(text[start..<position], isASCII)
            escape(byte)
            start = position + 1
        }
        run(text[start...], isASCII)
    }

    private mutating func run(_ text: Slice<UnsafeRawBufferPointer>, _ isASCII: Bool) {
        let text = UnsafeRawBufferPointer(rebasing: text)
        if isASCII || UTF8Check.firstFault(in: text) == nil { return bytes.append(text) }
        // Only a forged record has other bytes, which are read as the character that stands for them.
        bytes.append(utf8: String(storedUTF8: text))
    }

    private mutating func escape(_ byte: UInt8) {
        append("\\")
        switch byte {
        case 0x08: append("b")
        case 0x09: append("t")
        case 0x0A: append("n")
        case 0x0C: append("f")
        case 0x0D: append("r")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            append(raw: "u00")
            bytes.append(Hexadecimal.digit(byte >> 4))
            bytes.append(Hexadecimal.digit(byte & 15))
        }
    }

    /// Appends the digits of an integer.
    mutating func digits(_ value: Int64) {
        if value < 0 { append("-") }
        var rest = value.magnitude
        var width = 1
        var bound: UInt64 = 10
        while rest >= bound {
            width += 1
            if width == 20 { break }
            bound *= 10
        }
        bytes.reserve(width)
        for place in (0..<width).reversed() {
            bytes.base.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0"), toByteOffset: bytes.count + place, as: UInt8.self)
            rest /= 10
        }
        bytes.count += width
    }
}

/// The layout of JSON text. What it says is the same.
public enum JSONStyle: Sendable, Hashable {
    /// On one line, without spaces.
    case compact
    /// For people and for tools that compare lines: a property or element on a line of its own, two spaces for each level.
    case pretty
}
