import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Values become JSON and come back as they were, bit for bit.
@Suite struct JSONValueTests {
    /// Each value and its one text.
    private static let forms: [(value: StoredValue, text: String)] = [
        (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
        (.int(0), "0"), (.int(-7), "-7"), (.int(1 << 53 - 1), "9007199254740991"), (.int(1 << 53 + 1), #"{"$int":"9007199254740993"}"#),
        (.int(.min), #"{"$int":"-9223372036854775808"}"#), (.uint(.max), #"{"$int":"18446744073709551615"}"#),
        (.int128(.min), #"{"$int":"-170141183460469231731687303715884105728"}"#), (.uint128(.max), #"{"$int":"340282366920938463463374607431768211455"}"#),
        (.double(1), "1.0"), (.double(-0.0), "-0.0"), (.double(0.1), "0.1"), (.double(1e300), "1e+300"), (.double(.leastNonzeroMagnitude), "5e-324"),
        (.double(.infinity), #"{"$double":"inf"}"#), (.double(-.infinity), #"{"$double":"-inf"}"#), (.double(.nan), #"{"$double":"nan"}"#),
        (.double(Double(bitPattern: 0xFFF8_0000_0000_0001)), #"{"$double":"nan:fff8000000000001"}"#),
        (.float(0.1), #"{"$float":0.1}"#), (.float(-0.0), #"{"$float":-0.0}"#), (.float(.greatestFiniteMagnitude), #"{"$float":3.4028235e+38}"#),
        (.float(.nan), #"{"$float":"nan"}"#), (.float(Float(bitPattern: 0x7FC0_0001)), #"{"$float":"nan:7fc00001"}"#),
        (.string(""), #""""#), (.string("a\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}é😀"), "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7F}é😀\""),
        (.data(Data()), #"{"$data":""}"#), (.data(Data([0])), #"{"$data":"AA=="}"#), (.data(Data([0, 255])), #"{"$data":"AP8="}"#),
        (.data(Data([1, 2, 3])), #"{"$data":"AQID"}"#), (.url(URL(string: "https://example.org/a%20b?q='")!), #"{"$url":"https://example.org/a%20b?q='"}"#),
        (.date(Date(timeIntervalSinceReferenceDate: 0)), #"{"$date":"2001-01-01T00:00:00Z"}"#),
        (.date(Date(timeIntervalSinceReferenceDate: -0.0)), #"{"$date":-0.0}"#), (.date(Date(timeIntervalSinceReferenceDate: 1e300)), #"{"$date":1e+300}"#),
        (.date(Date(timeIntervalSinceReferenceDate: .nan)), #"{"$date":"nan"}"#), (.date(Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude)), #"{"$date":5e-324}"#),
        (.duration(.seconds(-90.5)), #"{"$duration":"-90.5"}"#), (.duration(Duration(attoseconds: 1)), #"{"$duration":"0.000000000000000001"}"#),
        (.duration(Duration(attoseconds: .min)), #"{"$duration":"-170141183460469231731.687303715884105728"}"#),
        (.uuid(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10")!), #"{"$uuid":"01020304-0506-0708-090a-0b0c0d0e0f10"}"#),
        (.objectID(ObjectID(high: 1, low: .max)), #"{"$objectID":"00000000-0000-0001-ffff-ffffffffffff"}"#),
        (.geoPoint(GeoPoint(latitude: 52.5, longitude: -0.1)!), #"{"$geoPoint":"52.5,-0.1"}"#), (.geoPoint(GeoPoint(latitude: -1e-9, longitude: 180)!), #"{"$geoPoint":"-1e-09,180.0"}"#),
        (.decimal(.nan), #"{"$decimal":"nan"}"#), (.decimal(0), #"{"$decimal":"0"}"#), (.decimal(Decimal(string: "-0.001")!), #"{"$decimal":"-0.001"}"#),
        (.decimal(.greatestFiniteMagnitude), #"{"$decimal":"340282366920938463463374607431768211455e127"}"#),
        (.array([]), "[]"), (.object([:]), "{}"), (.array([.int(1), .array([.null])]), "[1,[null]]"),
        (.object(["b": .int(1), "": .int(2), "$": .int(3), "$date": .int(4), "$$": .int(5), "a.b": .array([])]), #"{"":2,"$$":3,"$$$":5,"$$date":4,"a.b":[],"b":1}"#),
        (.dictionary([:]), #"{"$dictionary":[]}"#), (.dictionary([.int(2): .string("b"), .int(1): .array([])]), #"{"$dictionary":[[1,[]],[2,"b"]]}"#),
    ]

    @Test func eachHasOneText() throws {
        for (value, text) in Self.forms {
            #expect(try value.json() == text)
            let again = try StoredValue(json: text)
            #expect(again.isIdentical(to: value), "\(text) is read as \(again)")
            #expect(try StoredValue(json: Data(text.utf8)).isIdentical(to: value))
        }
    }

    @Test func prettyIsOnePropertyALine() throws {
        let value: StoredValue = .object([
            "title": .string("So What"), "tags": .array([.string("a"), .int(1)]), "none": .array([]), "empty": .object([:]),
            "when": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "byNumber": .dictionary([.int(1): .null]),
        ])
        let text = """
            {
              "byNumber": {
                "$dictionary": [
                  [
                    1,
                    null
                  ]
                ]
              },
              "empty": {},
              "none": [],
              "tags": [
                "a",
                1
              ],
              "title": "So What",
              "when": {"$date":"2001-01-01T00:00:00.25Z"}
            }
            """
        #expect(try value.json(.pretty) == text)
        #expect(try StoredValue(json: text) == value)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func randomValues(seed: UInt64) throws {
        var values = RandomFilters(random: SeededGenerator(seed: seed))
        for _ in 0..<150 {
            let value = values.value(4)
            for style in [JSONStyle.compact, .pretty] {
                let text = try value.json(style)
                let again = try StoredValue(json: text)
                #expect(again == value && again.isIdentical(to: value), "seed \(seed): \(text)")
                #expect(try again.json(style) == text)
            }
        }
    }

    /// Numbers by their bits, of any exponent.
    @Test func randomNumbers() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            let bits = UInt64.random(in: 0 ... .max, using: &random)
            let (double, float) = (Double(bitPattern: bits), Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            for value in [StoredValue.double(double), .float(float), .date(Date(timeIntervalSinceReferenceDate: double))] {
                #expect(try StoredValue(json: value.json()).isIdentical(to: value), "\(bits)")
            }
            guard double.isFinite else { continue }
            // Digits as others write them are read as the standard library reads them.
            let text = String(format: Bool.random(using: &random) ? "%.20e" : "%.15g", double)
            guard text.contains(where: { $0 == "." || $0 == "e" }) else { continue }
            #expect(try StoredValue(json: text).isIdentical(to: .double(Double(text) ?? .nan)), "\(text)")
        }
    }

    /// The nearest times to what is written, as Python's decimal and datetime tell them.
    @Test func datesAreExact() throws {
        let times: [(String, Double)] = [
            ("2026-11-22T22:12:00.123456Z", 817078320.123456), ("1999-12-31T23:59:59.999999999Z", -31622400.000000001), ("0001-01-01T00:00:00Z", -63113904000),
            ("9999-12-31T23:59:59.9Z", 252423993599.9), ("1970-01-01T00:00:00.1Z", -978307199.9), ("2000-12-31T23:59:59.876543211Z", -0.123456789),
            ("2024-02-29T12:00:00+05:30", 730881000), ("2001-01-01", 0), ("2001-01-01T00:00:00.000000000000000001Z", 1e-18),
        ]
        for (text, seconds) in times {
            #expect(try StoredValue(json: "{\"$date\":\"\(text)\"}") == .date(Date(timeIntervalSinceReferenceDate: seconds)), "\(text)")
        }
        var random = SeededGenerator(seed: 9)
        for _ in 0..<3_000 {
            let range = [1e-6, 1, 1e3, 1e9, 6e10][Int.random(in: 0..<5, using: &random)]
            let time = Double.random(in: -range...range, using: &random)
            let text = try StoredValue.date(Date(timeIntervalSinceReferenceDate: time)).json()
            #expect(try StoredValue(json: text).isIdentical(to: .date(Date(timeIntervalSinceReferenceDate: time))), "\(text)")
        }
    }

    @Test func decimalsKeepTheirDigits() throws {
        var pool = ValuePool(seed: 4)
        for _ in 0..<300 {
            let value = StoredValue.decimal(pool.decimal())
            #expect(try StoredValue(json: value.json()).isIdentical(to: value), "\(value)")
        }
        for (text, number) in [("1.50", "1.5"), ("15e-1", "1.5"), ("0.000", "0"), ("-1E2", "-100"), ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678")] {
            #expect(try StoredValue(json: "{\"$decimal\":\"\(text)\"}") == .decimal(Decimal(string: number)!))
        }
        #if os(Linux)
        // Foundation's decimals keep no zeros at the end there.
        for (number, text) in [("1.50", "1.5"), ("100", "1e2"), ("-0.10", "-0.1")] {
            #expect(try StoredValue.decimal(Decimal(string: number)!).json() == "{\"$decimal\":\"\(text)\"}")
        }
        #endif
        for text in ["", "-", "1.", "1e128", "1e-129", "1e999999999999", "1234567890123456789012345678901234567890", "0x1", " 1", "+1", "inf", "\u{FEFF}1.5"] {
            #expect(throws: TroveError.self) { try StoredValue(json: "{\"$decimal\":\"\(text)\"}") }
        }
    }

    /// A text in a text begins with no byte order mark, which was taken for digits.
    @Test func numbersBehindAByteOrderMark() {
        for tag in ["$int", "$decimal", "$duration"] {
            #expect(throws: TroveError.self) { try StoredValue(json: "{\"\(tag)\":\"\u{FEFF}1\"}") }
        }
    }

    /// Swift's dictionaries have one of two names that are the same characters, and so do values.
    @Test func namesThatAreTheSameCharacters() throws {
        #expect(throws: TroveError.self) { try StoredValue(json: "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}") }
        // Not in their order, with values between them that are longer than the names.
        let (long, longer) = (String(repeating: "x", count: 100), String(repeating: "y", count: 120))
        #expect(throws: TroveError.self) { try StoredValue(json: "{\"\u{E9}\":\"\(long)\",\"a\":\"\(longer)\",\"e\u{301}\":2}") }
        #expect(try StoredValue(json: "{\"\u{E9}\":\"\(long)\",\"a\":\"\(longer)\",\"e\":2}") == ["\u{E9}": .string(long), "a": .string(longer), "e": 2])
        #expect(try StoredValue(json: "{\"caf\u{E9}\":1,\"cafe\":2}") == .object(["caf\u{E9}": .int(1), "cafe": .int(2)]))
    }

    /// Swift sorts the marks of a name whenever it compares it, in time that grows with the square of their number: here in minutes.
    @Test(.timeLimit(.minutes(2))) func namesOfManyMarks() throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 250_000)
        for text in ["{\"a\(marks)\":1}", "[{\"b\":{\"a\(marks)b\":1,\"c\":2}}]"] {
            #expect { try StoredValue(json: text) } throws: {
                if case TroveError.invalidJSON(_, _, _, let reason) = $0 { reason.contains("1000 combining marks") } else { false }
            }
        }
        // Texts may have any number, and names some.
        let name = String(repeating: "a\u{301}\u{316}", count: 2_000)
        let value = try StoredValue(json: "{\"\(name)\":\"a\(marks)\"}")
        guard case .object(let fields) = value, case .string(let text)? = fields.values.first else {
            Issue.record("\(value.kind)")
            return
        }
        #expect(fields.count == 1 && text.utf8.count == 1_000_001)
        // A thousand marks are not too many.
        #expect(try StoredValue(json: "{\"a\(String(repeating: "\u{301}", count: 1_000))\":1}").kind == value.kind)
        #expect(throws: TroveError.self) { try StoredValue(json: "{\"a\(String(repeating: "\u{301}", count: 1_001))\":1}") }
    }

    @Test func depthIsThatOfStoredValues() throws {
        func nested(_ depth: Int, _ open: String, _ close: String, _ inner: String = "1") -> String {
            String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"$dictionary\":[[1,", "]]}"), ("{\"$dictionary\":[[", ",1]]}")] {
            let value = try StoredValue(json: nested(256, open, close))
            #expect(try value.json() == nested(256, open, close))
            for depth in [257, 100_000] {
                #expect(throws: TroveError.self) { try StoredValue(json: nested(depth, open, close)) }
                #expect(throws: TroveError.self) { try StoredValue(json: nested(depth, open, "")) }
            }
        }
        let deep = (0..<300).reduce(StoredValue.null) { value, _ in .array([value]) }
        #expect { try deep.json() } throws: { if case TroveError.encodingFailed = $0 { true } else { false } }
    }

    /// Their count takes more than one byte.
    @Test(arguments: [127, 128, 16_383, 16_384, 70_000]) func largeContainers(count: Int) throws {
        let list = StoredValue.array((0..<count).map { .int(Int64($0)) })
        let names = StoredValue.object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0)", .array([.int(Int64($0))])) }))
        for value in [list, names] { #expect(try StoredValue(json: value.json()) == value) }
    }
}
