import Foundation
import TestSupport

@testable import Trove

/// Values that are near to each other, at the ends of their types or special in some way, so that random comparisons meet.
struct ValuePool {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func bool(_ chance: Double = 0.5) -> Bool { Double.random(in: 0..<1, using: &generator) < chance }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }

    mutating func optional<Value>(_ value: Value) -> Value? { bool(0.3) ? nil : value }

    mutating func list<Value>(_ body: (inout ValuePool) -> Value) -> [Value] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in body(&self) }
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
        let near: [Int64] = [-2, -1, 0, 1, 2, 5, 100, 127, 1959, 1960, 9_007_199_254_740_992, 9_007_199_254_740_993]
        return bool(0.2) ? pick([.min, .max, .min + 1, .max - 1]) : Value(clamping: pick(near))
    }

    mutating func double() -> Double {
        pick([
            -0.0, 0, 1, -1, 0.1, 1.5, 2, 5, 1959, 1959.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            9_007_199_254_740_992, 0x1p63, 0x1p64, -0x1p63, Double(Float(0.1)), 99.99,
        ])
    }

    mutating func decimal() -> Decimal {
        let texts = [
            "0", "1", "-1", "0.1", "1.5", "2", "5.00", "1959.5", "99.99", "9007199254740993", "18446744073709551615", "1e127", "-1e-128",
            "0.1000000000000000055511151231257827021", "123456789012345678901234567890.12345678", "9223372036854775807.5",
        ]
        return bool(0.05) ? .nan : Decimal(string: pick(texts)) ?? 0
    }

    mutating func string() -> String {
        pick([
            "", "a", "A", "ab", "aB", "abc", "Straße", "STRASSE", "strasse", "é", "e\u{301}", "É", "a\0", "a\u{1}b", "ﬁn", "FIN", "日本語",
            "Bill Evans", "bill evans", "Bill", "\u{10FFFF}", "10%", "a_b*?[c]", "Keith\u{212A}", "keithk", "İ", "i\u{307}", "\u{212B}", "A\u{30A}", "👩‍👩‍👧", "E\u{301}", "ǅ", String(repeating: "e\u{301}", count: 300), "2024-05-01", "https:", "A:",
        ])
    }

    mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: pick([0, -0.0, 1, -1, 1e9, 0.1, .nan, 7_654_321.5])) }
    mutating func duration() -> Duration { pick([.zero, .seconds(-1), .nanoseconds(1), .seconds(90), Duration(attoseconds: .max)]) }
    mutating func data() -> Data { Data(pick([[], [0], [0, 0], [1], [1, 2], [255], [0, 255], [2, 1]] as [[UInt8]])) }
    mutating func url() -> URL { pick(["a:", "a:b", "https://example.org", "HTTPS://example.org", "https://example.org/a%20b"].compactMap { URL(string: $0) }) }
    mutating func uuid() -> UUID { UUID(uuid: (pick([0, 127, 128, 255]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, pick([0, 1, 255]))) }
    mutating func objectID() -> ObjectID { ObjectID(uuid()) }

    mutating func geoPoint() -> GeoPoint {
        let places: [(Double, Double)] = [(0, 0), (52.5, 13.4), (52.501, 13.4), (-0.001, 0.001), (90, 0), (-90, 180), (10, 180), (10, -180), (10, 179.99), (1e-9, -1e-5)]
        let (latitude, longitude) = pick(places)
        return GeoPoint(latitude: latitude, longitude: longitude) ?? GeoPoint(code: 0)
    }
    mutating func region() -> GeoRegion {
        if bool() { return .circle(center: geoPoint(), meters: pick([0, 1, 150, 2_000, 1e6, 2e7, .infinity])) }
        let corners = [geoPoint(), geoPoint()].sorted { $0.latitude < $1.latitude }
        return .box(southWest: corners[0], northEast: corners[1])
    }

    mutating func address() -> Address {
        Address(
            street: string(), city: optional(string()), position: list { $0.double() }, since: date(),
            tags: Dictionary(list { ($0.string(), $0.list { $0.uuid() }) }, uniquingKeysWith: { first, _ in first }))
    }

    mutating func object() -> EveryType {
        EveryType(
            bool: bool(), int: integer(), int8: integer(), int16: integer(), int32: integer(), int64: integer(), uint: integer(),
            uint8: integer(), uint16: integer(), uint32: integer(), uint64: integer(), int128: integer(), uint128: integer(), float: Float(double()), double: double(),
            decimal: decimal(), string: string(), data: data(), date: date(), duration: duration(), uuid: uuid(), url: url(), objectID: objectID(), geoPoint: geoPoint(),
            genre: pick(Genre.allCases), priority: pick([.low, .normal, .high]), address: address(),
            expression: pick([.number(decimal()), .named(name: string(), value: nil), .sum(.number(1), .number(decimal()))]),
            optionalBool: optional(bool()), optionalInt: optional(integer()), optionalDouble: optional(double()),
            optionalDecimal: optional(decimal()), optionalString: optional(string()), optionalData: optional(data()),
            optionalDate: optional(date()), optionalUUID: optional(uuid()), optionalURL: optional(url()), optionalGeoPoint: optional(geoPoint()),
            optionalGenre: optional(pick(Genre.allCases)), optionalPriority: optional(.high), optionalAddress: optional(address()),
            doubleOptional: pick([nil, .some(nil), .some(.some(integer()))]), strings: list { $0.string() },
            optionalStrings: optional(list { $0.string() }), numbers: list { $0.optional($0.integer()) },
            grid: list { $0.list { $0.double() } }, genres: list { $0.pick(Genre.allCases) }, addresses: list { $0.address() },
            set: Set(list { $0.string() }), uuids: Set(list { $0.uuid() }),
            counts: Dictionary(list { ($0.pick(["a", "b", "x.y"]), $0.integer()) }, uniquingKeysWith: { first, _ in first }),
            names: Dictionary(list { ($0.integer(), $0.string()) }, uniquingKeysWith: { first, _ in first }), deep: [:])
    }
}
