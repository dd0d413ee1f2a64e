import Foundation
import TestSupport

@testable import Trove

/// Random filters, queries and values that can be written as criteria text.
struct RandomFilters {
    var random: SeededGenerator

    private static let names = [
        "artist", "year", "order", "Limit", "nil", "a.b", "it's", "say \"x\"", "größe", "年", "element", "object", "Object", "date", "keys", "1st", "x y",
        "", "not", "_", "uuid", "any", "is", "case", "accents", "x\"\u{301}y", "a.\u{301}", "\u{301}",
    ]
    private static let texts = [
        "", "Bill Evans", "it's", "''", "50%", "a_b*?[", "\\", "\"", "Ünïcödé", "👩‍👩‍👧", "line\nbreak", "\u{0}", "e\u{301}", " = 5 or true",
        // Marks that combine with a quote before them, which in Swift's characters then is none.
        "a'\u{301} = 5 or true", "\u{301}", "'\u{615}'\u{615}", "\"\u{301}",
    ]

    private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[Int.random(in: 0..<choices.count, using: &random)] }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func folding() -> TextFolding { pick([[], [], [], .case, .diacritics, [.case, .diacritics]]) }

    private mutating func path(inside: Bool) -> FieldPath {
        let names = (0..<pick([0, 0, 0, 1, 2])).map { _ in pick(Self.names) }
        if inside, chance(2) { return FieldPath(field: "", names: names) }
        return FieldPath(field: pick(Self.names.filter { !$0.isEmpty }), names: names)
    }

    private mutating func operand(inside: Bool) -> Operand { chance(2) ? .value(value(2)) : .path(path(inside: inside)) }

    mutating func value(_ depth: Int) -> StoredValue {
        let bits = UInt64.random(in: 0 ... .max, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 16 : 13), using: &random) {
        case 0: return .null
        case 1: return .bool(chance(2))
        case 2: return .int(pick([0, 1, -1, .min, .max, Int64(bitPattern: bits)]))
        case 3:
            return pick([
                .uint(.max), .uint(UInt64(Int64.max) + 1), .uint(bits | 1 << 63), .int128(.min), .int128(Int128(bits) << 62 | 1 << 70), .uint128(.max),
            ])
        case 4:
            let number = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            return .float(number.isNaN ? -.infinity : number)
        case 5:
            let number = pick([0, -0.0, 1, 0.1, 1e300, .leastNonzeroMagnitude, .infinity, Double(bitPattern: bits)])
            return .double(number.isNaN ? 2.5 : number)
        case 6: return .decimal(Decimal(sign: chance(2) ? .plus : .minus, exponent: Int.random(in: -120...80, using: &random), significand: Decimal(bits)))
        case 7: return .string(pick(Self.texts))
        case 8: return .data(Data((0..<pick([0, 1, 9])).map { UInt8(truncatingIfNeeded: bits >> $0) }))
        case 9: return .url(URL(string: pick(["https://example.org/?q=it's", "mailto:a@b", "/relative"])) ?? URL(fileURLWithPath: "/"))
        case 10:
            let time = pick([0, 0.5, -1e9, 1e15, 694_224_000.123, Double(Int64(bitPattern: bits) >> 30), Double(bitPattern: bits)])
            return .date(Date(timeIntervalSinceReferenceDate: time.isNaN ? 7 : time))
        case 11: return chance(2) ? .uuid(ObjectID().uuid) : .duration(Duration(attoseconds: Int128(Int64(bitPattern: bits)) * 1_000_000_007))
        case 12: return chance(2) ? .objectID(ObjectID()) : .geoPoint(point())
        case 13: return .array((0..<pick([0, 1, 3])).map { _ in value(depth - 1) })
        case 14: return .object(Dictionary((0..<pick([0, 1, 3])).map { _ in (pick(Self.names), value(depth - 1)) }) { first, _ in first })
        default: return .dictionary(Dictionary((0..<pick([0, 1, 3])).map { _ in (value(0), value(depth - 1)) }) { first, _ in first })
        }
    }

    private mutating func point() -> GeoPoint {
        let (latitude, longitude) = pick([(0, 0), (90, -180), (52.5, 13.4), (1e-9, 0.1), (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))])
        return GeoPoint(latitude: latitude, longitude: longitude) ?? GeoPoint(code: 0)
    }

    private mutating func region() -> GeoRegion {
        chance(2) ? .circle(center: point(), meters: pick([0, 500, 1e300, .infinity, 0.1, -1])) : .box(southWest: point(), northEast: point())
    }

    private mutating func words() -> FullTextQuery {
        pick([
            .word("bill"), .prefix("lea"), .phrase("it's autumn"), .not(.word("live")), .field("title", .word("größe")),
            .all([.word("bill"), .any([.prefix("ev"), .phrase("blue in green")])]),
        ])
    }

    mutating func filter(_ depth: Int, inside: Bool = false) -> Filter {
        switch Int.random(in: 0..<(depth > 0 ? 15 : 11), using: &random) {
        case 0: return .constant(chance(2))
        case 1: return .comparison(operand(inside: inside), pick(Comparison.allCases), operand(inside: inside), ignoring: folding())
        case 2: return .membership(operand(inside: inside), (0..<pick([0, 1, 4])).map { _ in value(1) }, ignoring: folding())
        case 3: return .text(operand(inside: inside), pick(TextTest.allCases), operand(inside: inside), ignoring: folding())
        case 4: return .matches(operand(inside: inside), pattern: pick(Self.texts), ignoringCase: chance(4))
        case 5: return .isNil(path(inside: inside))
        case 6: return .isWithin(path(inside: inside), region())
        case 7: return .isMultiple(path(inside: inside), of: pick([0, 1, -4, .max, .min]))
        case 8: return .fullText(words(), chance(2) ? nil : path(inside: inside))
        case 9: return .isUnreferenced
        case 10: return .hasDanglingReferences
        case 11: return .and((0..<pick([2, 3])).map { _ in filter(depth - 1, inside: inside) })
        case 12: return .or((0..<pick([2, 3])).map { _ in filter(depth - 1, inside: inside) })
        case 13: return .not(filter(depth - 1, inside: inside))
        default:
            return .quantified(pick(Quantifier.allCases), path(inside: inside), pick(CollectionPart.allCases), filter(depth - 1, inside: true))
        }
    }

    mutating func query() -> Query {
        let keys = (0..<pick([0, 1, 3])).map { _ in SortKey(path(inside: false), pick([.ascending, .descending]), ignoring: folding()) }
        return Query(
            "Song", where: filter(4), sort: keys, offset: pick([0, 0, 7]), limit: pick([nil, 0, 12]))
    }
}
