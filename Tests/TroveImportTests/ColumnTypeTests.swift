import TestSupport
import Testing
import Trove

@testable import TroveImport

/// What the values of a column of CSV become: never less than what was written.
@Suite struct ColumnTypeTests {
    /// The type of a column with these texts.
    private func type(_ texts: String...) -> ColumnType { type(texts) }

    private func type(_ texts: [String]) -> ColumnType {
        let forms = texts.map { text in Array(text.utf8).withUnsafeBytes { WrittenForm($0) } }
        return forms.dropFirst().reduce(forms[0]) { $0.joined(with: $1) }.type
    }

    private func value(_ type: ColumnType, _ text: String) throws -> StoredValue? { try Array(text.utf8).withUnsafeBytes { try type.value($0) } }

    @Test func integers() throws {
        for text in ["0", "-1", "7", "123456789012345678", "9223372036854775807", "-9223372036854775808"] {
            #expect(type(text) == .int, "\(text)")
            #expect(try value(.int, text) == Int64(text).map { .int($0) })
        }
        #expect(type("1", "22", "-3") == .int && type("1", "2.0") == .text && type("1", "002") == .text)
    }

    @Test func doubles() throws {
        for text in [
            "0.0", "-0.0", "0.5", "-0.5", "1.0", "12.50", "-12.50", "0.10", "0.00001", "123456.789", "99999999999999.9", "1e+20", "0.0001", "1e-05", "0.1234567890123456",
            "3.141592653589793",
        ] {
            #expect(type(text) == .double, "\(text)")
            #expect(try value(.double, text) == Double(text).map { .double($0) }, "\(text)")
        }
        // As a Double is written again.
        #expect(type("1.5", "12.25", "-0.125", "1e+20") == .double)
        #expect(type("0.0001", "12.5", "1e-05") == .double)
        // With the same number of decimals.
        #expect(type("2.50", "10.00", "0.50", "-0.50") == .double && type("1.000", "1.100", "100.000") == .double)
        #expect(type("0.00001", "1.50000") == .double)
        // Sixteen digits, of which a Double keeps those of the first.
        #expect(type("0.1234567890123450") == .double && type("90071992547409.91", "1.50") == .double)
    }

    @Test func textsThatLookLikeNumbers() {
        for text in [
            "", "-", ".", "1.", ".5", "00", "007", "-0", "+1", "+1.50", "1e5", "1.5e3", "1E+20", "01.5", "01.50", "-00.50", "1.2.3", "9223372036854775808", "nan", "inf", "0x10",
            "0x1p3", "1 ", " 1.5", "1,5", "é", "9007199254740993.0", "0.12345678901234567", "0.123456789012345678", "1.10000000000000000000", "True",
        ] {
            #expect(type(text) == .text, "\(text)")
        }
        // Versions: the values would not tell 1.10 and 1.1 apart.
        #expect(type("1.10", "1.9", "1.1") == .text && type("1.9", "1.1", "1.10") == .text && type("1.10", "1.100") == .text)
        #expect(type("2.50", "3.00", "0.5") == .text && type("0.50", "2.5") == .text && type("1.10", "1e+20") == .text)
        // What one value has in common with the next is not forgotten.
        #expect(type("1.5", "1.25", "1.50") == .text && type("1.50", "1.25", "1.5") == .text)
    }

    @Test func bools() {
        #expect(type("true") == .bool && type("true", "false") == .bool && type("true", "1") == .text && type("true", "True") == .text)
    }

    @Test(arguments: [
        ["2026-01-01", "1600-02-29"], ["2026-01-01T10:00:00Z", "2026-01-01T10:00:00.5Z", "1990-12-31T23:59:59.123456Z"],
        ["2026-01-01T10:00:00.500Z", "2026-01-01T10:00:00.250Z", "2026-01-01T10:00:00.000Z"],
        ["2026-01-01 10:00:00", "2026-01-02 00:00:00"], ["2026-01-01 10:00", "2026-01-01 10:01"], ["2026-01-01T10:00:00"], ["2026-01-01 10:00:00.120"],
    ])
    func dates(texts: [String]) throws {
        #expect(type(texts) == .date)
        for text in texts { #expect(try value(.date, text) != nil) }
    }

    @Test(arguments: [
        ["2024-01-01T00:00:00+01:00"], ["2024-01-01T00:00:00+00:00"], ["2024-01-01T00:00:00-0100"], ["2024-01-01T10:00+01:00"], ["2024-01-01T10:00:00.123456789123Z"],
        ["2024-01-01T10:00:00.1234567890Z"], ["2400-01-01T10:00:00.1234567Z"], ["0000-01-01"], ["2026-02-29"], ["2026-1-1"], ["2026-01-01T10:00:60Z"],
        ["2026-01-01", "2026-01-01T00:00:00Z"], ["2026-01-01T00:00:00Z", "2026-01-01 00:00:00"], ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00"],
        ["2026-01-01 10:00", "2026-01-01 10:00:00"],
        ["2026-01-01T10:00:00.50Z", "2026-01-01T10:00:00.5Z"], ["2026-01-01T10:00:00.000Z", "2026-01-01T10:00:00Z"], ["2026-01-01T10:00:00Z", "2026-01-01T10:00:00+01:00"],
        ["2026-01-01", "20260101"],
    ])
    func textsThatLookLikeDates(texts: [String]) {
        #expect(type(texts) == .text)
        #expect(type(texts.reversed()) == .text)
    }

    /// Different texts of a column that is no text are different values, and each is read as Swift reads it.
    @Test func noTwoTextsBecomeOneValue() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<5_000 {
            let texts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                let digits = String(Int.random(in: 0..<Int.random(in: 1...1_000_000, using: &random), using: &random))
                let decimals = Int.random(in: 0...3, using: &random)
                let padded = String(repeating: "0", count: max(0, decimals + Int.random(in: 0...1, using: &random) - digits.count)) + digits
                return (Bool.random(using: &random) ? "-" : "") + padded.dropLast(decimals) + (decimals > 0 ? "." : "") + padded.suffix(decimals)
            }
            let type = type(texts)
            guard type == .double else { continue }
            let values = try texts.map { try value(.double, $0) }
            #expect(values == texts.map { Double($0).map { .double($0) } })
            for (text, value) in zip(texts, values) {
                for (other, otherValue) in zip(texts, values) where text != other && Double(text) != 0 { #expect(value != otherValue, "\(texts)") }
            }
        }
    }

    /// All rows count, whatever was found in the first ones; what is written in quotation marks is a text.
    @Test func columnsOfAFile() throws {
        let files = try SourceFiles()
        let store = try emptyStore()
        let rows = (1...3_000).map { "\($0),\($0 % 10).\($0 % 7),\($0).50,1.5\n" }.joined()
        let path = try files.write("rows.csv", "id,version,price,quoted\n" + rows + "3001,1.10,10.00,\"1.5\"\n")
        let report = try store.store.importDocuments(from: ImportSource(path: path))
        #expect(report.isComplete && report.stored == 3_001)
        let found = try store.store.imported("rows")
        #expect(found[3_001]?["version"] == "1.10" && found[1]?["version"] == "1.1" && found[3_001]?["price"] == 10.0 && found[2]?["price"] == 2.5)
        #expect(found[1]?["quoted"] == "1.5")
    }
}
