import Foundation
import Testing

@testable import TestModels
@testable import Trove

/// The table of `Filter`'s documentation, operator by operator and type by type, with nil and without.
@Suite struct ComparisonTableTests {
    /// A property of each type, of its optional and of its array, in three objects: a lower value, nil, a higher value.
    @Model struct Sample {
        var id: Int
        var bool: Bool?
        var int: Int?
        var small: Int8?
        var unsigned: UInt64?
        var large: Int128?
        var float: Float?
        var double: Double?
        var decimal: Decimal?
        var string: String?
        var data: Data?
        var url: URL?
        var date: Date?
        var duration: Duration?
        var uuid: UUID?
        var objectID: ObjectID?
        var geoPoint: GeoPoint?
        var ints: [Int]?
        var texts: Set<String>?
        var values: [String: Double]?
        var address: Address?
    }

    private static func sample(_ id: Int, _ isHigh: Bool) -> Sample {
        let uuid = UUID(uuid: (isHigh ? 200 : 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return Sample(
            id: id, bool: isHigh, int: isHigh ? 5 : -5, small: isHigh ? 5 : -5, unsigned: isHigh ? .max : 5, large: isHigh ? .max : .min, float: isHigh ? 2.5 : -2.5,
            double: isHigh ? 2.5 : -2.5, decimal: isHigh ? 2.5 : -2.5, string: isHigh ? "b" : "a", data: Data([isHigh ? 200 : 100]),
            url: URL(string: isHigh ? "b:" : "a:"), date: Date(timeIntervalSince1970: isHigh ? 1e9 : 1e8), duration: .seconds(isHigh ? 2 : -2), uuid: uuid,
            objectID: ObjectID(uuid), geoPoint: GeoPoint(latitude: isHigh ? 2.5 : -2.5, longitude: 0), ints: isHigh ? [5] : [-5], texts: [isHigh ? "b" : "a"], values: ["x": isHigh ? 2.5 : -2.5],
            address: Address(
                street: isHigh ? "b" : "a", city: nil, position: [], since: Date(timeIntervalSince1970: 0), tags: [:]))
    }

    private static let empty = Sample(id: 2)

    private static let ordered = [
        "int", "small", "unsigned", "large", "float", "double", "decimal", "string", "data", "url", "date", "duration", "uuid", "objectID", "geoPoint",
    ]
    private static let unordered = ["bool", "ints", "texts", "values", "address"]

    private func fixture() throws -> EvaluationFixture<Sample> {
        try EvaluationFixture([Self.sample(1, false), Self.empty, Self.sample(3, true)])
    }

    private func value(_ field: String, of position: Int, _ fixture: EvaluationFixture<Sample>) throws -> StoredValue {
        var values: [StoredValue] = []
        try fixture.forEach { view, binding in values.append(try FieldReader(FieldPath(field), in: binding).value(view)) }
        return values[position]
    }

    @Test(arguments: ordered) func orderedTypes(field: String) throws {
        let fixture = try fixture()
        let (low, high) = (try value(field, of: 0, fixture), try value(field, of: 2, fixture))
        let expected: [(Comparison, low: [Int], high: [Int])] = [
            (.equal, [1], [3]), (.notEqual, [2, 3], [1, 2]), (.less, [], [1]), (.lessOrEqual, [1], [1, 3]), (.greater, [3], []),
            (.greaterOrEqual, [1, 3], [3]),
        ]
        for (comparison, lowIDs, highIDs) in expected {
            #expect(try fixture.ids(condition(field, comparison, low)) == lowIDs, "\(field) \(comparison)")
            #expect(try fixture.ids(condition(field, comparison, high)) == highIDs, "\(field) \(comparison)")
            let mirrored = Filter.comparison(.value(low), comparison.mirrored, .path(FieldPath(field)))
            #expect(try fixture.ids(mirrored) == lowIDs)
            let itself = Filter.comparison(.path(FieldPath(field)), comparison, .path(FieldPath(field)))
            let passes: [Comparison: [Int]] = [.equal: [1, 2, 3], .lessOrEqual: [1, 3], .greaterOrEqual: [1, 3]]
            #expect(try fixture.ids(itself) == passes[comparison] ?? [], "\(field) \(comparison) itself")
        }
        try expectNilRules(field, fixture, low)
    }

    @Test(arguments: unordered) func unorderedTypes(field: String) throws {
        let fixture = try fixture()
        let (low, high) = (try value(field, of: 0, fixture), try value(field, of: 2, fixture))
        #expect(try fixture.ids(condition(field, .equal, low)) == [1])
        #expect(try fixture.ids(condition(field, .notEqual, high)) == [1, 2])
        for comparison in [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual] {
            guard case .incomparable("Sample", field, _)? = try fixture.refusal(condition(field, comparison, low)) else {
                Issue.record("\(field) \(comparison) is not refused")
                continue
            }
        }
        try expectNilRules(field, fixture, low)
    }

    private func expectNilRules(_ field: String, _ fixture: EvaluationFixture<Sample>, _ low: StoredValue) throws {
        let path = FieldPath(field)
        #expect(try fixture.ids(.isNil(path)) == [2])
        #expect(try fixture.ids(condition(field, .equal, .null)) == [2])
        #expect(try fixture.ids(condition(field, .notEqual, .null)) == [1, 3])
        #expect(try fixture.ids(.not(condition(field, .equal, low))) == [2, 3])
        #expect(try fixture.ids(.membership(.path(path), [low])) == [1])
        #expect(try fixture.ids(.membership(.path(path), [low, .null])) == [1, 2])
        #expect(try fixture.ids(.membership(.path(path), [])) == [])
        if Self.ordered.contains(field) {
            #expect(try fixture.ids(condition(field, .less, .null)) == [])
            #expect(try fixture.ids(.not(condition(field, .greaterOrEqual, .null))) == [1, 2, 3])
        }
    }

    @Test func textTests() throws {
        let fixture = try fixture()
        let path = Operand.path(FieldPath("string"))
        for test in TextTest.allCases {
            #expect(try fixture.ids(.text(path, test, .value(.string("a")))) == [1])
            #expect(try fixture.ids(.text(path, test, .value(.string("A")))) == [])
            #expect(try fixture.ids(.text(path, test, .value(.string("A")), ignoringCase: true)) == [1])
            #expect(try fixture.ids(.text(path, test, .value(.string("")))) == [1, 3], "nil has no part")
            #expect(try fixture.ids(.text(path, test, .value(.null))) == [])
            #expect(try fixture.ids(.text(path, test, path)) == [1, 3])
            #expect(try fixture.ids(.text(path, test, path, ignoringCase: true)) == [1, 3])
            #expect(try fixture.ids(.not(.text(path, test, .value(.string("a"))))) == [2, 3])
        }
        #expect(try fixture.ids(.matches(path, pattern: "[b-z]")) == [3])
        #expect(try fixture.ids(.matches(path, pattern: "A", ignoringCase: true)) == [1])
        for field in Self.ordered + Self.unordered where !["string", "url", "address"].contains(field) {
            guard case .incomparable("Sample", field, _)? = try fixture.refusal(
                .text(.path(FieldPath(field)), .contains, .value(.string("a"))))
            else {
                Issue.record("a text test of \(field) is not refused")
                continue
            }
        }
    }

    @Test func quantifiersAndNil() throws {
        let fixture = try fixture()
        func ids(_ quantifier: Quantifier, _ field: String, _ part: CollectionPart, _ literal: StoredValue) throws -> [Int] {
            try fixture.ids(.quantified(quantifier, FieldPath(field), part, .comparison(.path(.element), .equal, .value(literal))))
        }
        #expect(try ids(.any, "ints", .elements, .int(5)) == [3])
        #expect(try ids(.all, "ints", .elements, .int(5)) == [2, 3])
        #expect(try ids(.none, "ints", .elements, .int(5)) == [1, 2])
        #expect(try ids(.any, "texts", .elements, .string("a")) == [1])
        #expect(try ids(.any, "values", .values, .decimal(2.5)) == [3])
        #expect(try ids(.any, "values", .keys, .string("x")) == [1, 3])
        #expect(try ids(.all, "address.position", .elements, .int(1)) == [1, 2, 3], "empty and nil alike")
        for (field, part) in [("ints", CollectionPart.keys), ("values", .elements), ("string", .elements)] {
            #expect { try ids(.any, field, part, .int(1)) } throws: { error in
                if case TroveError.incomparable("Sample", field, _) = error { true } else { false }
            }
        }
    }

    @Test func numbersOfOtherTypes() throws {
        let fixture = try fixture()
        #expect(try fixture.ids(condition("int", .greater, .double(4.5))) == [3])
        #expect(try fixture.ids(condition("int", .less, .decimal(-4.5))) == [1])
        #expect(try fixture.ids(condition("int", .equal, .double(5))) == [3])
        #expect(try fixture.ids(condition("int", .notEqual, .double(4.5))) == [1, 2, 3])
        #expect(try fixture.ids(condition("small", .less, .int(1_000))) == [1, 3])
        #expect(try fixture.ids(condition("small", .greaterOrEqual, .int(-128))) == [1, 3])
        #expect(try fixture.ids(condition("unsigned", .greater, .int(-1))) == [1, 3])
        #expect(try fixture.ids(condition("unsigned", .equal, .double(0x1p64))) == [])
        #expect(try fixture.ids(condition("large", .greater, .double(0.5))) == [3])
        #expect(try fixture.ids(condition("large", .less, .double(-0x1p127))) == [])
        #expect(try fixture.ids(condition("large", .lessOrEqual, .double(-0x1p127))) == [1])
        #expect(try fixture.ids(condition("int", .less, .int128(.max))) == [1, 3])
        #expect(try fixture.ids(condition("unsigned", .less, .uint128(.max))) == [1, 3])
        #expect(try fixture.ids(.comparison(.path(FieldPath("int")), .less, .path(FieldPath("large")))) == [3])
        #expect(try fixture.ids(condition("double", .equal, .decimal(2.5))) == [3])
        #expect(try fixture.ids(condition("decimal", .lessOrEqual, .double(2.5))) == [1, 3])
        #expect(try fixture.ids(condition("double", .notEqual, .double(.nan))) == [1, 2, 3])
        #expect(try fixture.ids(condition("double", .lessOrEqual, .double(.nan))) == [])
        #expect(try fixture.ids(condition("double", .less, .double(-.infinity))) == [])
        #expect(try fixture.ids(.comparison(.path(FieldPath("int")), .less, .path(FieldPath("unsigned")))) == [1, 3])
        #expect(try fixture.ids(.membership(.path(FieldPath("int")), [.double(5), .double(4.5), .decimal(-5)])) == [1, 3])
    }

    @Test func textLiteralsAreConverted() throws {
        let fixture = try fixture()
        #expect(try fixture.ids(condition("date", .greater, .string("1990-01-01"))) == [3])
        #expect(try fixture.ids(condition("date", .equal, .string("2001-09-09T03:46:40+02:00"))) == [3])
        #expect(try fixture.ids(condition("date", .equal, .string("2001-09-09 01:46:40.0Z"))) == [3])
        #expect(try fixture.ids(condition("uuid", .equal, .string("64000000-0000-0000-0000-000000000000"))) == [1])
        #expect(try fixture.ids(condition("objectID", .equal, .string("c8000000-0000-0000-0000-000000000000"))) == [3])
        #expect(try fixture.ids(condition("url", .greater, .string("a:"))) == [3])
        #expect(try fixture.ids(condition("decimal", .equal, .string("-2.50"))) == [1])
        #expect(try fixture.ids(.membership(.path(FieldPath("date")), [.string("2001-09-09T01:46:40Z")])) == [3])
        for (field, text) in [
            ("date", "yesterday"), ("date", "2023-02-29"), ("date", "2024-05-01T25:00"), ("uuid", "64"), ("decimal", "2.5 kg"), ("int", "5"),
            ("bool", "true"), ("double", "2.5"),
        ] {
            guard case .incomparable("Sample", field, let reason)? = try fixture.refusal(condition(field, .equal, .string(text))) else {
                Issue.record("'\(text)' for \(field) is not refused")
                continue
            }
            #expect(reason.contains("String") || reason.contains(text))
        }
    }

    @Test func otherKindsAreRefused() throws {
        let fixture = try fixture()
        let pairs: [(String, StoredValue)] = [
            ("int", .bool(true)), ("bool", .int(1)), ("date", .double(0)), ("string", .int(1)), ("data", .string("a")), ("ints", .int(5)),
            ("int", .array([.int(5)])), ("uuid", .objectID(ObjectID())), ("ints", .array([.string("a")])),
        ]
        for (field, literal) in pairs {
            guard case .incomparable("Sample", field, _)? = try fixture.refusal(condition(field, .equal, literal)) else {
                Issue.record("\(field) = \(literal) is not refused")
                continue
            }
        }
        guard case .incomparable? = try fixture.refusal(.comparison(.path(FieldPath("int")), .equal, .path(FieldPath("string")))) else {
            Issue.record("int = string is not refused")
            return
        }
    }
}
