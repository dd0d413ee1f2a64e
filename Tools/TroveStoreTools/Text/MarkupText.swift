/// Text as HTML, SVG and XML may have it.
package enum MarkupText {
    /// The text with what the terminal may not be given escaped as there, and no character that is markup.
    ///
    /// It goes by scalars: to Swift, a mark with an accent on it is another character than the mark, and to a reader of markup it is the mark.
    package static func escaped(_ text: String) -> String {
        let shown = TerminalText.escaped(text)
        if !shown.utf8.contains(where: isMarkup) { return shown }
        var result = ""
        result.reserveCapacity(shown.utf8.count + 32)
        for scalar in shown.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }
}
