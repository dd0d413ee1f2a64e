@testable import Trove

/// JSON of values: what is read, is written and read again as the same, in either style and by one text.
enum JSONCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let value = try valueOrTypedError("JSON", { try StoredValue(json: bytes) }) else { return }
        let text = try mustSucceed("writing what was read") { try value.json() }
        for style in [JSONStyle.compact, .pretty] {
            let written = try mustSucceed("writing what was read") { try value.json(style) }
            let again = try mustSucceed("reading what was written, \(written)") { try StoredValue(json: written) }
            // Two that are not a number are the same here, so bytes are compared.
            try require(again.isIdentical(to: value), "another value is read again: \(value)")
            try require(try again.json() == text, "another text is written again: \(text)")
        }
        try NestedCheck.checkAgain(value)
    }
}
