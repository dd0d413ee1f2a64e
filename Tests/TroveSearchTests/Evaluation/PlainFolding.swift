import Foundation

@testable import Trove

extension TextFolding {
    static let every: [TextFolding] = [[], .case, .diacritics, [.case, .diacritics]]
}

/// What is left of texts without case and accents, read from Unicode's decompositions as Foundation has them.
enum PlainFolding {
    /// Letters with strokes have no decomposition, nor has the dotless i.
    private static let strokes: [Unicode.Scalar: Unicode.Scalar] = [
        "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "ı": "i", "ł": "l", "Ł": "L", "ŧ": "t", "Ŧ": "T", "ƀ": "b", "Ƀ": "B", "ƚ": "l", "Ƚ": "L",
        "ƶ": "z", "Ƶ": "Z", "ǥ": "g", "Ǥ": "G", "ȼ": "c", "Ȼ": "C", "ɇ": "e", "Ɇ": "E", "ɉ": "j", "Ɉ": "J", "ɍ": "r", "Ɍ": "R", "ɏ": "y", "Ɏ": "Y", "ɨ": "i",
        "Ɨ": "I", "ᵽ": "p", "Ᵽ": "P", "ⱥ": "a", "Ⱥ": "A", "ⱦ": "t", "Ⱦ": "T",
    ]

    static func folded(_ text: String, _ folding: TextFolding) -> String {
        let text = folding.contains(.case) ? CaseFolding.folded(text) : text
        guard folding.contains(.diacritics) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { plain.append(contentsOf: base(of: scalar)) }
        return String(plain)
    }

    /// Itself, unless there are marks in what it is composed of.
    private static func base(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII { return [scalar] }
        let parts = Array(String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars)
        guard parts.contains(where: isMark) else { return [strokes[scalar] ?? scalar] }
        // The small iota below a vowel is a letter.
        return parts.compactMap { part -> Unicode.Scalar? in
            if part.value == 0x345 { return "ι" }
            return isMark(part) ? nil : strokes[part] ?? part
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0xFE20...0xFE2F: true
        case 0x591...0x5C7, 0x610...0x61A, 0x64B...0x670, 0x6D6...0x6E4: scalar.properties.generalCategory == .nonspacingMark
        default: false
        }
    }
}
