import Trove

/// Values as people read them: without the tags that JSON has for the types it lacks.
package enum CellText {
    /// What stands for nil where empty text is something else.
    package static let null = "∅"

    /// The plain text of a value; nil for nil.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)`` for a value nested deeper than values are stored.
    package static func plain(_ value: StoredValue?) throws -> String? {
        switch value {
        case nil, .null?: nil
        case .string(let text)?: text
        case .url(let url)?: url.absoluteString
        case .objectID(let id)?: id.description
        case .int(let number)?: String(number)
        case .bool(let flag)?: flag ? "true" : "false"
        case let value?: untagged(try value.json())
        }
    }

    /// What a tag has in it: `2026-01-01T00:00:00Z` of `{"$date":"2026-01-01T00:00:00Z"}`. Containers stay as they are.
    private static func untagged(_ json: String) -> String {
        guard json.hasPrefix("{\"$"), !json.hasPrefix("{\"$$"), !json.hasPrefix("{\"$dictionary"), json.hasSuffix("}"),
            let colon = json.firstIndex(of: ":")
        else { return json }
        let content = json[json.index(after: colon)...].dropLast()
        return content.hasPrefix("\"") ? String(content.dropFirst().dropLast()) : String(content)
    }

    /// The value as a terminal shows it, nil as `∅`. Text that could be taken for nothing or for nil, or has spaces at its ends, stands in quotes.
    package static func shown(_ value: StoredValue?) throws -> String {
        guard let text = try plain(value) else { return null }
        guard case .string? = value, text.isEmpty || text == null || text.first == " " || text.last == " " || text.first == "\"" else {
            return TerminalText.escaped(text)
        }
        return "\"" + TerminalText.escaped(text) + "\""
    }

    /// Whether a value is a number, which stands at the right of its column.
    package static func isNumber(_ value: StoredValue?) -> Bool {
        switch value {
        case .int?, .uint?, .int128?, .uint128?, .float?, .double?, .decimal?: true
        default: false
        }
    }
}
