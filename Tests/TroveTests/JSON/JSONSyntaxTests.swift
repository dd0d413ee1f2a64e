import Foundation
import TestSupport
import Testing

@testable import Trove

/// Which texts are JSON, in the manner of the well-known suites: those that every parser accepts, those that each refuses, and what is left to it.
@Suite struct JSONSyntaxTests {
    private static let accepted: [(String, StoredValue)] = [
        ("[]", .array([])), ("[ ]", .array([])), (" [1 ] ", .array([.int(1)])), ("[[]   ]", .array([.array([])])), ("\t\r\n null \n", .null),
        ("[\"\"]", .array([.string("")])), ("[1,null,null,2]", .array([.int(1), .null, .null, .int(2)])), ("[false]", .array([.bool(false)])),
        ("[123e65]", .array([.double(123e65)])), ("[0e+1]", .array([.double(0)])), ("[0e1]", .array([.double(0)])), ("[ 4]", .array([.int(4)])),
        ("[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]", .array([.double(-1e-78)])),
        ("[20e1]", .array([.double(200)])), ("[-0]", .array([.int(0)])), ("[-1]", .array([.int(-1)])), ("[1E22]", .array([.double(1e22)])),
        ("[1E-2]", .array([.double(0.01)])), ("[1E+2]", .array([.double(100)])), ("[123.456789]", .array([.double(123.456789)])),
        ("[123.456e78]", .array([.double(123.456e78)])), ("[-123]", .array([.int(-123)])),
        ("{\"asd\":\"sdf\"}", .object(["asd": .string("sdf")])), ("{\"\":0}", .object(["": .int(0)])), ("{}", .object([:])), ("{ }", .object([:])),
        ("{\"foo\\u0000bar\": 42}", .object(["foo\0bar": .int(42)])), ("{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", .object(["min": .double(-1e28), "max": .double(1e28)])),
        ("{\"title\":\"\\u041f\\u043e\"}", .object(["title": .string("По")])), ("{\n\"a\": \"b\"\n}", .object(["a": .string("b")])),
        (#"["\u0060\u012a\u12AB"]"#, .array([.string("`Īካ")])), (#"["\ud801\udc37"]"#, .array([.string("𐐷")])), (#"["\uD83D\uDE39\uD83D\uDC8D"]"#, .array([.string("😹💍")])),
        (#"["\"\\\/\b\f\n\r\t"]"#, .array([.string("\"\\/\u{8}\u{C}\n\r\t")])), (#"["\\u0000"]"#, .array([.string("\\u0000")])), (#"["\""]"#, .array([.string("\"")])),
        ("[\"a/*b*/c/*d//e\"]", .array([.string("a/*b*/c/*d//e")])), (#"["\\a"]"#, .array([.string("\\a")])), ("[\"asd \"]", .array([.string("asd ")])),
        (#"["\uDBFF\uDFFF"]"#, .array([.string("\u{10FFFF}")])), (#"["new\u00A0line"]"#, .array([.string("new\u{A0}line")])), ("[\"\u{10FFFF}\"]", .array([.string("\u{10FFFF}")])),
        ("[\"\u{FFFF}\"]", .array([.string("\u{FFFF}")])), (#"["\u0000"]"#, .array([.string("\0")])), ("[\"\u{2028}\u{2029}\"]", .array([.string("\u{2028}\u{2029}")])),
        ("[\"\u{7F}\"]", .array([.string("\u{7F}")])), (#"["\u0022\u005C"]"#, .array([.string("\"\\")])), (#"["\uFFFE"]"#, .array([.string("\u{FFFE}")])),
        ("false", .bool(false)), ("42", .int(42)), ("-0.1", .double(-0.1)), ("\"asd\"", .string("asd")), ("true", .bool(true)), ("\"\"", .string("")),
        ("[\"a\"]\n", .array([.string("a")])), ("[true]", .array([.bool(true)])), (#"{"\u0024$x":1}"#, .object(["$x": .int(1)])),
        // Left to the parser.
        ("\u{FEFF}{}", .object([:])), ("[-237462374673276894279832749832423479823246327846]", .null), ("[100000000000000000000]", .array([.int128(100_000_000_000_000_000_000)])),
        ("[123.456e-789]", .array([.double(0)])), ("[0.4e-400]", .array([.double(0)])), ("[1.5e308]", .array([.double(1.5e308)])),
        // What stands for types that JSON has not.
        ("9007199254740993", .int(9_007_199_254_740_993)), ("18446744073709551615", .uint(.max)), (#"{"$int":"5"}"#, .int(5)), (#"{"$int":"-0"}"#, .int(0)),
        (#"{ "$date" : "2001-01-01" }"#, .date(Date(timeIntervalSinceReferenceDate: 0))), (#"{"$date":0}"#, .date(Date(timeIntervalSinceReferenceDate: 0))),
        (#"{"\u0024int":"5"}"#, .int(5)), (#"{"$uuid":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#, .uuid(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10")!)),
        (#"{"$float":1}"#, .float(1)), (#"{"$double":1}"#, .double(1)), (#"{"$duration":"3"}"#, .duration(.seconds(3))),
        (#"{"$geoPoint":" 1 , 2e1"}"#, .geoPoint(GeoPoint(latitude: 1, longitude: 20)!)),
    ]

    /// What an export writes of the largest values an import reads.
    @Test func theLongestLineIsRead() {
        var writer = JSONWriter()
        writer.text(String(repeating: "\u{1}", count: 1_000))
        let size = writer.bytes.count
        #expect(size == 6_002)
        #expect(JSONLines.maxLineSize > 7 * StorageLimits.maxValueSize)
    }

    /// One member too many is told where it begins, and nothing behind it is read.
    @Test func membersWithoutEnd() throws {
        for (text, place) in [("[1,2,3,x", 7), (#"{"a":1,"b":2,"c":3,x"#, 19), (#"{"$dictionary":[[1,1],[2,2],[3,3],x"#, 34), ("[[1,2,3,4],x", 8)] {
            let fault = #expect(throws: JSONFault.self) {
                try text.withRawUTF8 { bytes in
                    var output = ByteWriter()
                    var parser = JSONParser(bytes, maxMembers: 3)
                    try parser.value(into: &output)
                }
            }
            #expect(fault?.offset == place && fault?.reason.contains("up to 3 members") == true, "\(text): \(String(describing: fault))")
        }
        #expect(throws: Never.self) {
            try #"[[1,2,3],{"a":1,"b":2,"c":3},{"$dictionary":[[1,1],[2,2],[3,3]]}]"#.withRawUTF8 { bytes in
                var output = ByteWriter()
                var parser = JSONParser(bytes, maxMembers: 3)
                try parser.value(into: &output)
            }
        }
    }

    @Test func whatIsJSON() throws {
        for (text, value) in Self.accepted {
            if value == .null, text.contains("237462") {
                #expect(throws: TroveError.self) { try StoredValue(json: text) }
            } else {
                #expect(try StoredValue(json: text).isIdentical(to: value), "\(text)")
            }
        }
    }

    private static let refused: [String] = [
        "", " ", "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x", "[3[4]]", "[1:2]", "[,]", "[-]", "[   , \"\"]",
        "[\"a\",\n4\n,1,", "[1,]", "[1,,]", "[\"\u{B}a\"\\f]", "[*]", "[\"\"", "[1,", "[1,\n1\n,1", "[{}", "[fals]", "[nul]", "[tru]", "123\0", "[++1234]", "[+1]", "[+Inf]",
        "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]",
        "[1 000.0]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]", "[\u{FF11}]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]", "[-123.123foo]",
        "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]", "{\"x\", null}",
        "{\"x\"::\"b\"}", "{🇨🇭}", "{\"a\":\"a\" 123}", "{key: 'value'}", "{\"a\" b}", "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}",
        "{null:null,null:null}", "{\"id\":0,,,,,}", "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//", "{\"a\":\"b\"}//", "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}",
        "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", #"["\uD800\"]"#, #"["\uD800\u"]"#, #"["\uD800\u1"]"#, #"["\uD800\u1x"]"#, "[é]", "[\"\\\0\"]", #"["\\\"]"#,
        #"["\x00"]"#, "[\"\\\t\"]", "[\"\\🌀\"]", "[\"\\\"]", #"["\u00A"]"#, #"["\uD834\uDd"]"#, #"["\uD800\uD800\x"]"#, "[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"",
        "['single quote']", "abc", "[\"\\", "[\"a\0a\"]", "[\"new\nline\"]", "[\"\t\"]", "\"\\UA66D\"", "[\"asd]", "<.>", "[<null>]", "[1]x", "[1]]", "[\"asd]", "aå", "[True]", "1]",
        "{\"x\": true,", "[][]", "]", "{}}", "{\"\":", "{\"a\":/*comment*/\"b\"}", "{\"a\": true} \"x\"", "['", "[,", "[{", "[\"a", "[\"a\"", "{", "{]", "{,", "{[", "{\"a", "{'a'",
        "[\"\\{[\"\\{[\"\\{[\"\\{", "*", "{\"a\":\"b\"}#{}", "[\\u000A\"\"]", "[1", "[ false, nul", "[ true, fals", "[ false, tru", "{\"asd\":\"asd\"", "å", "[\u{2060}]", "[\u{C}]",
        "nulll", "truex", "01", "1.e1", "\u{FEFF}\u{FEFF}1", "-", "--1", "+1", "1e5.5",
        // Left to the parser: half a character, and numbers that are none.
        #"["\uDADA"]"#, #"["\uD888\u1234"]"#, #"["\uD800\n"]"#, #"["\uDd1ea"]"#, #"["\uD800\uD800\n"]"#, #"["\ud800"]"#, #"["\ud800abc"]"#, #"["\uDd1e\uD834"]"#, #"["\uDFAA"]"#,
        "[1e400]", "[-1e9999]", "[123123e100000]", "[1.5e+9999]", "[340282366920938463463374607431768211456]", "[-170141183460469231731687303715884105729]",
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#,
        // Tags.
        #"{"$date":"2001-01-01","a":1}"#, #"{"a":1,"$date":"2001-01-01"}"#, #"{"$x":1}"#, #"{"$":1}"#, #"{"$date":"today"}"#, #"{"$date":"2001-02-29"}"#, #"{"$date":null}"#,
        #"{"$int":5}"#, #"{"$int":"5.0"}"#, #"{"$int":""}"#, #"{"$int":"340282366920938463463374607431768211456"}"#, #"{"$float":1e39}"#, #"{"$float":"1"}"#, #"{"$double":"NaN"}"#,
        #"{"$double":"nan:0"}"#, #"{"$double":"nan:7ff0000000000000"}"#, #"{"$float":"nan:7ff8000000000001"}"#, #"{"$float":true}"#, #"{"$data":"A"}"#, #"{"$data":"AA="}"#, #"{"$data":"AA=A"}"#,
        #"{"$data":"AB=="}"#, #"{"$data":"A A="}"#, #"{"$data":"===="}"#, #"{"$uuid":"01020304-0506-0708-090A-0B0C0D0E0F1"}"#, #"{"$uuid":"g1020304-0506-0708-090A-0B0C0D0E0F10"}"#,
        #"{"$objectID":1}"#, #"{"$duration":"1e3"}"#, #"{"$duration":"1.0000000000000000001"}"#, #"{"$duration":"99999999999999999999999"}"#, #"{"$duration":""}"#, #"{"$dictionary":{}}"#,
        #"{"$geoPoint":[1,2]}"#, #"{"$geoPoint":"1"}"#, #"{"$geoPoint":"1,2,3"}"#, #"{"$geoPoint":"91,0"}"#, #"{"$geoPoint":"0,-181"}"#, #"{"$geoPoint":"nan,0"}"#, #"{"$geoPoint":"0x1,0"}"#,
        #"{"$dictionary":[[1]]}"#, #"{"$dictionary":[[1,2,3]]}"#, #"{"$dictionary":[[1,2],[1,3]]}"#, #"{"$dictionary":[1]}"#, #"{"$url":""}"#, #"{"$int":"5"} 1"#, #"{"$int":"5",}"#,
    ]

    @Test func whatIsNot() throws {
        for text in Self.refused {
            do {
                let value = try StoredValue(json: text)
                Issue.record("\(text) is read as \(value)")
            } catch TroveError.invalidJSON(let line, let column, let offset, let reason) {
                #expect(line >= 1 && column >= 1 && (0...text.utf8.count).contains(offset) && !reason.isEmpty, "\(text)")
            }
        }
    }

    @Test func bytesThatAreNotUTF8() {
        let broken: [[UInt8]] = [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0x61, 0xE9, 0x62],
        ]
        for bytes in broken {
            #expect(String(validating: bytes, as: UTF8.self) == nil)
            for text in [[0x22] + bytes + [0x22], [0x22, 0x5C, 0x6E] + bytes + [0x22], [0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D], bytes, [0x5B] + bytes + [0x5D]] as [[UInt8]] {
                #expect(throws: TroveError.self, "\(text)") { try StoredValue(json: text) }
            }
        }
        // UTF-16 is not read.
        #expect(throws: TroveError.self) { try StoredValue(json: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0] as [UInt8]) }
    }

    @Test func thePlaceIsTold() throws {
        let cases: [(text: String, line: Int, column: Int, offset: Int, part: String)] = [
            ("", 1, 1, 0, "the end"), ("{\n  \"a\": 1,\n  \"a\": 2\n}", 3, 3, 14, "'a' is there twice"), ("[1, 2,]", 1, 7, 6, "']'"), ("{\"é\": tru}", 1, 7, 7, "true, false and null"),
            ("[\n\n 1e999]", 3, 2, 4, "Double"), ("[\"ab\\ud800\"]", 1, 5, 4, "surrogate"), ("{\"a\":1} x", 1, 9, 8, "'x'"), ("[1, {\"$when\": 1}]", 1, 6, 5, "$dictionary"),
            ("[{\"$date\": \"never\"}]", 1, 12, 11, "2020-01-31"), ("[01]", 1, 2, 1, "no 0"), ("\"abc", 1, 1, 0, "does not end"), ("{\"$a\":1,\"b\":2}", 1, 2, 1, "$$"),
        ]
        for (text, line, column, offset, part) in cases {
            do {
                _ = try StoredValue(json: text)
                Issue.record("\(text) is read")
            } catch TroveError.invalidJSON(let foundLine, let foundColumn, let foundOffset, let reason) {
                #expect(foundLine == line && foundColumn == column && foundOffset == offset, "\(text): \(foundLine), \(foundColumn), \(foundOffset)")
                #expect(reason.contains(part), "\(text): \(reason)")
            }
        }
        #expect("\(TroveError.invalidJSON(line: 2, column: 3, offset: 9, reason: "x"))" == "the JSON cannot be read at line 2, column 3 (byte 9): x")
    }

    /// Plain JSON is read as Foundation reads it, and Foundation reads what is written.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func foundationAgrees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = Self.plain(3, &random)
            let text = try value.jsonData(Bool.random(using: &random) ? .pretty : .compact)
            let read = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
            #expect(Self.agree(value, read), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            let written = try JSONSerialization.data(withJSONObject: read, options: [.fragmentsAllowed, .withoutEscapingSlashes])
            #expect(Self.agree(try StoredValue(json: written), read), "seed \(seed): \(String(decoding: written, as: UTF8.self))")
        }
    }

    private static func plain(_ depth: Int, _ random: inout SeededGenerator) -> StoredValue {
        let texts = ["", "a\"\\/\n\u{1}", "é😀\u{2028}", "$date", "日本語", String(repeating: "x\t", count: 40)]
        switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .int(.random(in: -(1 << 53) + 1 ... 1 << 53 - 1, using: &random))
        // Foundation goes through a decimal where a number has 17 digits, and comes to its neighbour.
        case 3: return .double(Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 8 + 0.0625)
        case 4: return .string(texts[Int.random(in: 0..<texts.count, using: &random)])
        case 5: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in plain(depth - 1, &random) })
        default:
            return .object(Dictionary(["a", "B", "é", "", "a b"].prefix(Int.random(in: 0...5, using: &random)).map { ($0, plain(depth - 1, &random)) }) { first, _ in first })
        }
    }

    private static func agree(_ value: StoredValue, _ read: Any) -> Bool {
        switch (value, read) {
        case (.null, is NSNull): true
        case (.bool(let value), let read as Bool): value == read
        case (.int(let value), let read as NSNumber): value == read.int64Value
        case (.double(let value), let read as NSNumber): value == read.doubleValue
        case (.string(let value), let read as String): value == read
        case (.array(let values), let read as [Any]): values.count == read.count && zip(values, read).allSatisfy(agree)
        case (.object(let values), let read as [String: Any]): values.count == read.count && values.allSatisfy { pair in read[pair.key].map { agree(pair.value, $0) } ?? false }
        default: false
        }
    }
}
