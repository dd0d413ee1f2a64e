/// What texts are compared without: the case of their letters, their accents, or both.
///
/// ```swift
/// store.fetch(Place.self).where { $0.name.contains("sao paulo", ignoring: [.case, .diacritics]) }
/// ```
///
/// Both texts are folded, scalar by scalar and the same in every language, and the foldings are compared. Tests of equality and of parts find at least as
/// much where more is ignored.
public struct TextFolding: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    /// Creates a set from its bits; those that are no option are left out.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 3
    }

    /// The case of letters, by Unicode's full case folding: "STRASSE" is "straße".
    public static let `case` = TextFolding(rawValue: 1)
    /// Accents, and other marks that writers leave out: "cafe" is "café", whether the accent is a scalar of its own or not.
    ///
    /// They are those that a full-text index drops, so ł and ø are l and o too; `docs/full-text.md` lists them. Vowel signs of Indic scripts stay.
    public static let diacritics = TextFolding(rawValue: 2)

    /// ``case``, or nothing.
    init(ignoringCase: Bool) { self = ignoringCase ? .case : [] }

    /// What is said behind a condition, a criterion or a part of an index: ` ignoring case and accents`; empty where nothing is ignored.
    package var phrase: String { isEmpty ? "" : " ignoring " + names }

    /// What is ignored, in words: `case and accents`.
    var names: String {
        [contains(.case) ? "case" : nil, contains(.diacritics) ? "accents" : nil].compactMap(\.self).joined(separator: " and ")
    }
}

extension TextFolding {
    /// The folding of `text`.
    func folded(_ text: String) -> String {
        if isEmpty { return text }
        if self == .case { return CaseFolding.folded(text) }
        var text = text
        return text.withUTF8 { bytes in
            var folded: [UInt8] = []
            append(bytes, to: &folded)
            return String(decoding: folded, as: UTF8.self)
        }
    }

    /// Appends the folding of UTF-8 text to `folded`; bytes that are no UTF-8 are appended as they are.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, to folded: inout [UInt8]) {
        if self == .case { return CaseFolding.append(bytes, to: &folded) }
        guard contains(.diacritics) else { return folded.append(contentsOf: bytes) }
        let foldsCase = contains(.case)
        folded.reserveCapacity(folded.count + bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                folded.append(foldsCase && byte &- 0x41 < 26 ? byte | 0x20 : byte)
                position += 1
                continue
            }
            let scalar = UTF8Scalar(bytes, at: position)
            if !scalar.isValid {
                folded.append(byte)
            } else if foldsCase {
                DiacriticFolding.forEachScalar(ofFolding: scalar.value) { folded.append(utf8: $0) }
            } else {
                DiacriticFolding.forEachScalar(of: scalar.value) { folded.append(utf8: $0) }
            }
            position += scalar.length
        }
    }
}
