import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveCLI
@testable import TroveStoreTools

/// Text on terminals, widths, and JSON on bytes.
@Suite struct TextTests {
    @Test func whatATerminalWouldObeyIsEscaped() {
        #expect(TerminalText.escaped("plain") == "plain")
        #expect(TerminalText.escaped("é日🎷 👩‍👩‍👧 ﷺ") == "é日🎷 👩‍👩‍👧 ﷺ")
        #expect(TerminalText.escaped("\0\u{7}\u{8}\u{1B}\u{7F}\u{9B}\n\r\t") == "\\u{0}\\u{7}\\u{8}\\u{1b}\\u{7f}\\u{9b}\\n\\r\\t")
        for scalar in "\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{2029}\u{FEFF}\u{61C}\u{E0041}\u{AD}".unicodeScalars {
            #expect(TerminalText.escaped("a\(scalar)b") == "a\\u{\(String(scalar.value, radix: 16))}b")
        }
        // Whatever comes, what is left is safe, and safe text stays.
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = TerminalText.escaped(String(scalar))
            guard text.unicodeScalars.contains(where: TerminalText.isUnsafe) || TerminalText.escaped(text) != text else { continue }
            Issue.record("U+\(String(value, radix: 16))")
        }
    }

    @Test func widths() {
        for (text, width) in [("", 0), ("abc", 3), ("日本", 4), ("🎷", 2), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 2), ("ﬀ", 1), ("한", 2), ("\u{301}", 0)] {
            #expect(TerminalText.width(text) == width, "\(text)")
        }
        #expect(TerminalText.fitted("日本語", to: 6) == "日本語")
        #expect(TerminalText.fitted("日本語", to: 5) == "日本…")
        #expect(TerminalText.fitted("日本語", to: 4) == "日… ")
        #expect(TerminalText.fitted("abc", to: 5) == "abc  ")
        #expect(TerminalText.fitted("abc", to: 5, alignsRight: true) == "  abc")
        // Ids are alike at their beginning.
        #expect(TerminalText.fitted("ddd51deb-a40f-8000-9000-000000000001", to: 18, cutsMiddle: true) == "ddd51deb…000000001")
        #expect(TerminalText.fitted("日本語日本語", to: 8, cutsMiddle: true) == "日…本語 " && TerminalText.fitted("abc", to: 5, cutsMiddle: true) == "abc  ")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func tablesFitTheirWidth(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<(TestShare.isWhole ? 200 : 50) {
            let natural = (0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: 1...100, using: &random) }
            let width = Int.random(in: 1...200, using: &random)
            let widths = TableSheet.fitted(natural, to: width)
            #expect(!widths.isEmpty)
            #expect(widths.reduce(0, +) + 2 * (widths.count - 1) <= width)
            #expect(zip(widths, natural).allSatisfy { $0 <= $1 })
            // What has room has its natural width.
            if natural.reduce(0, +) + 2 * (natural.count - 1) <= width { #expect(widths == natural) }
            #expect(TableSheet.fitted(natural, to: nil) == natural)
            // What may not be cut has its whole width, or is left out; one column alone is as wide as the terminal.
            let least = natural.map { $0.isMultiple(of: 3) ? $0 : 10 }
            let kept = TableSheet.fitted(natural, to: width, least: least)
            #expect(kept.count == 1 || zip(kept, zip(natural, least)).allSatisfy { $0 >= min($1.0, $1.1) })
            #expect(kept.reduce(0, +) + 2 * (kept.count - 1) <= width)
        }
    }

    /// Documents may have as many attributes as they like.
    @Test func manyColumnsFit() {
        #expect(TableSheet.fitted(Array(repeating: 20, count: 200_000), to: 80) == [14, 14, 14, 15, 15])
        #expect(TableSheet.fitted(Array(repeating: 20, count: 200_000), to: 9) == [9])
        let wide = TableSheet.fitted((0..<2_000).map { 20 + $0 % 500 }, to: 40_000)
        #expect(wide.count == 2_000 && wide.reduce(0, +) + 2 * 1_999 <= 40_000)
    }

    private static let values: [StoredValue] = [
        .null, .bool(true), .bool(false), .int(0), .int(-(1 << 53) + 1), .int((1 << 53) - 1), .int(1 << 53), .int(.min), .uint(.max), .int128(.min), .double(-0.0), .double(.nan),
        .double(0.1), .float(0.1), .decimal(Decimal(string: "1.50")!), .string(""), .string("a\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}\u{9B}\u{202E}é🎷\u{2028}"), .data(Data([0, 255])),
        .url(URL(string: "https://example.org/a?b=c")!), .date(Date(timeIntervalSinceReferenceDate: 0.5)), .duration(.seconds(90)), .uuid(UUID()), .objectID(ObjectID()),
        .array(["a", 1]), .object(["$a": .int(1), "b": "\u{202E}"]), .dictionary([.int(1): "a"]),
    ]

    @Test func jsonIsTheLibrarys() throws {
        for value in Self.values {
            var bytes: [UInt8] = []
            try JSONText(isForTerminal: false).append(value, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == (try value.json()))
            var shown: [UInt8] = []
            try JSONText(isForTerminal: true).append(value, to: &shown)
            let text = String(decoding: shown, as: UTF8.self)
            #expect(!text.unicodeScalars.contains(where: TerminalText.isUnsafe))
            #expect(try StoredValue(json: text).json() == value.json())
        }
    }

    @Test func tagsAreLeftOutForPeople() throws {
        #expect(try CellText.plain(.date(Date(timeIntervalSinceReferenceDate: 0))) == "2001-01-01T00:00:00Z")
        #expect(try CellText.plain(.decimal(Decimal(string: "1.50")!)) == "1.5")
        #expect(try CellText.plain(.data(Data([0, 255]))) == "AP8=")
        #expect(try CellText.plain(.float(0.5)) == "0.5")
        #expect(try CellText.plain(.double(.infinity)) == "inf")
        #expect(try CellText.plain(.duration(.seconds(90))) == "90")
        #expect(try CellText.plain(.int(.max)) == "9223372036854775807")
        #expect(try CellText.plain(.object(["$date": 1])) == #"{"$$date":1}"#)
        #expect(try CellText.plain(.object([:])) == "{}")
        #expect(try CellText.plain(.dictionary([1: "a"])) == #"{"$dictionary":[[1,"a"]]}"#)
        #expect(try [nil, .null, "", "∅", " a", "a ", "\"a", "a"].map { try CellText.shown($0) } == ["∅", "∅", "\"\"", "\"∅\"", "\" a\"", "\"a \"", "\"\"a\"", "a"])
    }

    @Test func progressTellsRates() {
        #expect(ProgressLine.text("Copying", 450_000, of: 1_000_000, after: .seconds(3)) == "Copying: 450,000 of 1,000,000 (45 %), 150,000/s")
        #expect(ProgressLine.text("Importing", 1_200, of: nil, after: .seconds(2)) == "Importing: 1,200, 600/s")
        #expect(ProgressLine.text("Reading", 0, of: 0, after: .zero) == "Reading: 0")
        #expect([0, 999, 1_000, -1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,234,567"])
        #expect([0, 999, 1_000, 2_450_000].map(\.asByteCount) == ["0 bytes", "999 bytes", "1.0 kB", "2.5 MB"])
    }
}
