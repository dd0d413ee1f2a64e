import Foundation
import Testing
import TestSupport

@testable import Trove

/// The bytes of keys are in the order of the values, and give the values back.
@Suite struct KeyOrderTests {
    /// Checks every pair of `values`, which are strictly ascending.
    private func check<Value: StorableKey>(_ values: [Value], _ location: SourceLocation = #_sourceLocation) throws {
        for (index, value) in values.enumerated() {
            #expect(try Value(keyBytes: value.keyBytes) == value, sourceLocation: location)
            #expect(!value.keyBytes.isEmpty, sourceLocation: location)
            for other in values[(index + 1)...] {
                let isBelow = value.keyBytes.lexicographicallyPrecedes(other.keyBytes)
                #expect(isBelow, "\(value) must be below \(other)", sourceLocation: location)
            }
        }
    }

    private func checkInteger<Value: FixedWidthInteger & StorableKey>(_ type: Value.Type) throws {
        let middle = [Value.max / 2, 255, 127, 1, 0].filter { $0 > Value.min && $0 < Value.max }
        try check(Array(Set([Value.min, Value.min + 1, Value.max - 1, Value.max] + middle)).sorted())
    }

    @Test func integers() throws {
        try checkInteger(Int8.self)
        try checkInteger(Int16.self)
        try checkInteger(Int32.self)
        try checkInteger(Int64.self)
        try checkInteger(Int.self)
        try checkInteger(UInt8.self)
        try checkInteger(UInt16.self)
        try checkInteger(UInt32.self)
        try checkInteger(UInt64.self)
        try checkInteger(UInt.self)
        try check([Int64.min, -256, -255, -1, 0, 1, 255, 256, Int64.max])
        try check([false, true])
    }

    @Test func floatingPoint() throws {
        try check([
            -Double.infinity, -.greatestFiniteMagnitude, -1.5, -1, -Double.leastNonzeroMagnitude, 0,
            .leastNonzeroMagnitude, .leastNormalMagnitude, 1, 1.5, .pi, .greatestFiniteMagnitude, .infinity,
        ])
        try check([-Float.infinity, -1, -Float.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, .infinity])
        #expect((-0.0).keyBytes == 0.0.keyBytes)
        #expect(Double.infinity.keyBytes.lexicographicallyPrecedes(Double.nan.keyBytes))
        #expect((-Double.nan).keyBytes == Double.nan.keyBytes)
        #expect(try Double(keyBytes: Double.nan.keyBytes).isNaN)
        #expect(try Float(keyBytes: Float.nan.keyBytes).isNaN)
    }

    @Test func decimals() throws {
        let texts = [
            "-1e127", "-12345678901234567890123456789012345678", "-100", "-99.99", "-10", "-9.9", "-1.01", "-1", "-0.1", "-1e-127", "0",
            "1e-127", "0.01", "0.1", "0.11", "0.9", "1", "1.0000000000000000000000000000000000001", "1.01", "2", "9.9", "10", "11", "99.99", "100",
            "12345678901234567890123456789012345678", "1e127",
        ]
        try check(texts.compactMap { Decimal(string: $0) })
        #expect(Decimal(string: "1.10")?.keyBytes == Decimal(string: "1.1")?.keyBytes)
        #expect(Decimal(string: "1e127")!.keyBytes.lexicographicallyPrecedes(Decimal.nan.keyBytes))
        #expect(try Decimal(keyBytes: Decimal.nan.keyBytes).isNaN)
    }

    @Test func textAndData() throws {
        try check(["", "\0", "\0\0", "\0\u{1}", "\u{1}", "\u{1}\0", "\u{2}", "a", "a\0", "a\0b", "a\u{1}", "ab", "b", "é", "日本", "🎷"])
        let data = [[], [0], [0, 0], [0, 1], [0, 255], [1], [1, 0], [2], [255], [255, 0], [255, 255]].map { Data($0 as [UInt8]) }
        try check(data)
        // Canonically equal strings of different scalars are different keys only if Swift calls them different.
        #expect("é" == "e\u{301}" && "é".keyBytes != "e\u{301}".keyBytes)
    }

    @Test func datesAndIdentifiers() throws {
        try check([Date.distantPast, Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0), .distantFuture])
        let ids = (0..<1_000).map { _ in ObjectID() }
        try check(Array(ids.prefix(50)))
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        let uuids = (0..<20).map { _ in UUID() }.sorted { $0.uuidString < $1.uuidString }
        try check(uuids)
        try check(["a:b", "http://a.example", "http://a.example/b"].compactMap { URL(string: $0) })
    }

    @Test func objectIDsAreReadWithAndWithoutHyphens() {
        let id = ObjectID()
        let text = id.description
        let digits = text.filter { $0 != "-" }
        for written in [text, text.uppercased(), digits, digits.uppercased()] { #expect(ObjectID(written) == id, "\(written)") }
        let others = ["", "x", String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), "+" + digits.dropFirst(), "0x" + digits]
        for written in others + [String(repeating: "é", count: 16)] { #expect(ObjectID(written) == nil, "\(written)") }
    }

    @Test func optionals() throws {
        try check([nil, Int.min, 0, 1, Int.max] as [Int?])
        try check([nil, "", "a"] as [String?])
        try check([nil, .some(nil), 0] as [Int??])
    }

    private struct Pair: StorableKey, CustomStringConvertible {
        let first: String
        let second: Int
        var description: String { "(\(first.debugDescription), \(second))" }

        init(_ first: String, _ second: Int) {
            self.first = first
            self.second = second
        }

        func encode(into key: inout KeyEncoder) {
            first.encode(into: &key)
            second.encode(into: &key)
        }

        init(from key: inout KeyDecoder) throws {
            self.init(try String(from: &key), try Int(from: &key))
        }
    }

    @Test func composites() throws {
        let firsts = ["", "\0", "\0\u{1}", "\u{1}", "a", "a\0", "ab", "b"]
        try check(firsts.flatMap { first in [Int.min, -1, 0, Int.max].map { Pair(first, $0) } })
    }

    @Test(arguments: [1, 2, 3]) func randomPairs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pairs: [Pair] = []
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
            pairs.append(Pair(String(decoding: bytes, as: UTF8.self), Int.random(in: -2...2, using: &random)))
        }
        let byValue = pairs.sorted { left, right in
            left.first == right.first
                ? left.second < right.second : Array(left.first.utf8).lexicographicallyPrecedes(Array(right.first.utf8))
        }
        let byBytes = pairs.sorted { $0.keyBytes.lexicographicallyPrecedes($1.keyBytes) }
        #expect(byValue == byBytes)
    }

    @Test func damagedKeysAreErrors() {
        #expect(throws: TroveError.self) { try Int(keyBytes: [1, 2, 3]) }
        #expect(throws: TroveError.self) { try Int(keyBytes: Array(repeating: 0, count: 9)) }
        #expect(throws: TroveError.self) { try String(keyBytes: [65]) }
        #expect(throws: TroveError.self) { try String(keyBytes: [1, 9, 0]) }
        #expect(throws: TroveError.self) { try String(keyBytes: [0xFF, 0]) }
        #expect(throws: TroveError.self) { try Bool(keyBytes: [7]) }
        #expect(throws: TroveError.self) { try Int?(keyBytes: [2]) }
        #expect(throws: TroveError.self) { try Decimal(keyBytes: [2, 0x80, 0, 200, 0]) }
    }
}
