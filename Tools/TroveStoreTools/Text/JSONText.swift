import Trove

/// Values as JSON, appended to bytes: what `StoredValue.json()` gives, without a text for each of the commonest values.
package struct JSONText {
    /// Whether people see the bytes, so that what a terminal would obey is written as an escape, which JSON has for every character.
    package let isForTerminal: Bool

    package init(isForTerminal: Bool) { self.isForTerminal = isForTerminal }

    private static let plainIntegers = -(1 << 53) + 1...(1 << 53) - 1

    package func append(_ value: StoredValue, to bytes: inout [UInt8]) throws {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
        case .int(let number) where Self.plainIntegers.contains(Int(number)): bytes.append(contentsOf: String(number).utf8)
        case .string(let text): append(text, to: &bytes)
        case .double(let number) where number.isFinite: bytes.append(contentsOf: "\(number)".utf8)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (position, element) in elements.array.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                try append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .objectID(let id):
            bytes.append(contentsOf: "{\"$objectID\":\"".utf8)
            bytes.append(contentsOf: id.description.utf8)
            bytes.append(contentsOf: "\"}".utf8)
        default: append(json: try value.json(), to: &bytes)
        }
    }

    /// Appends a text in quotes.
    package func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let isPlain = text.withUTF8 { $0.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 < 0x7F } }
        bytes.append(0x22)
        if isPlain { bytes.append(contentsOf: text.utf8) } else { appendEscaped(text, to: &bytes) }
        bytes.append(0x22)
    }

    /// Appends a name of an object; one of the data that begins with `$` gets a second one, so that it is no tag.
    package func appendName(_ name: String, isData: Bool, to bytes: inout [UInt8]) {
        append(isData && name.utf8.first == UInt8(ascii: "$") ? "$" + name : name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    private func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                bytes.append(0x5C)
                bytes.append(UInt8(scalar.value))
            case "\u{8}": bytes.append(contentsOf: "\\b".utf8)
            case "\t": bytes.append(contentsOf: "\\t".utf8)
            case "\n": bytes.append(contentsOf: "\\n".utf8)
            case "\u{C}": bytes.append(contentsOf: "\\f".utf8)
            case "\r": bytes.append(contentsOf: "\\r".utf8)
            default: append(scalar, to: &bytes)
            }
        }
    }

    private func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        guard scalar.value < 0x20 || isForTerminal && TerminalText.isUnsafe(scalar) else { return bytes.append(contentsOf: UTF8.encode(scalar)!) }
        for unit in UTF16.encode(scalar)! {
            let digits = String(unit, radix: 16)
            bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
    }

    /// Appends JSON that the library wrote. Outside of texts it is ASCII, so whatever is escaped stands in one.
    package func append(json: String, to bytes: inout [UInt8]) {
        guard isForTerminal else { return bytes.append(contentsOf: json.utf8) }
        for scalar in json.unicodeScalars { append(scalar, to: &bytes) }
    }
}
