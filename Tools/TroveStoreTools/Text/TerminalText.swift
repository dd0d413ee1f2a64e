/// Text as a terminal may be given it: nothing in it moves the cursor, changes colours, or turns the order of what is beside it.
package enum TerminalText {
    /// The text with every scalar that is not plainly shown written as an escape: `\n`, `\t`, `\r`, `\u{1b}`, `\u{202e}`.
    package static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isUnsafe(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a scalar is a control character, an invisible one that changes how others are shown, or none at all.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value >= 0x20, scalar.value < 0x7F { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        // The two joiners are letters' business in many scripts, and turn nothing.
        case .format: return scalar.value != 0x200C && scalar.value != 0x200D
        default: return false
        }
    }

    /// How many columns a terminal shows a text in that has no unsafe scalars.
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width($1) }
    }

    /// The columns of one character: 2 for what East Asian type and emoji are wide in, 0 for what only joins others.
    package static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII, character.unicodeScalars.count == 1 { return 1 }
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) || first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(first) ? 2 : 1
        }
    }

    /// Blocks that are wide in the Unicode table of East Asian widths.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// The text in exactly `columns` columns: filled with spaces, or cut with `…` at its end or in its middle.
    package static func fitted(_ text: String, to columns: Int, alignsRight: Bool = false, cutsMiddle: Bool = false) -> String {
        let width = width(text)
        if width <= columns {
            let space = String(repeating: " ", count: columns - width)
            return alignsRight ? space + text : text + space
        }
        if cutsMiddle {
            // What comes last tells more.
            let end = beginning(of: text.reversed(), within: columns / 2)
            let start = beginning(of: text, within: columns - 1 - end.width)
            return start.text + "…" + String(end.text.reversed()) + String(repeating: " ", count: max(0, columns - start.width - end.width - 1))
        }
        let start = beginning(of: text, within: columns - 1)
        return start.text + "…" + String(repeating: " ", count: max(0, columns - start.width - 1))
    }

    /// As many of some characters as columns have room for.
    private static func beginning(of text: some Sequence<Character>, within columns: Int) -> (text: String, width: Int) {
        var (result, used) = ("", 0)
        for character in text {
            let next = Self.width(character)
            if used + next > columns { break }
            result.append(character)
            used += next
        }
        return (result, used)
    }
}
