import Foundation

@testable import TestModels
@testable import Trove

/// Filters read straight from the table in `Filter`'s documentation, slowly and on copies, to compare the fast evaluation with.
struct ReferenceEvaluator {
    let record: StoredRecord
    let id: StoredValue
    var element: StoredValue?

    func passes(_ filter: Filter) throws -> Bool {
        switch filter {
        case .constant(let isTrue): return isTrue
        case .comparison(let left, let comparison, let right, let ignoring):
            return Self.passes(value(left), comparison, value(right), ignoring)
        case .membership(let operand, let list, let ignoring):
            return list.contains { Self.areEqual(value(operand), $0, ignoring) }
        case .text(let text, let test, let part, let ignoring):
            guard let text = self.text(text), let part = self.text(part) else { return false }
            let (bytes, sought) = (Self.bytes(text, ignoring), Self.bytes(part, ignoring))
            switch test {
            case .hasPrefix: return bytes.starts(with: sought)
            case .hasSuffix: return bytes.reversed().starts(with: sought.reversed())
            case .contains: return (0...bytes.count).contains { bytes[$0...].starts(with: sought) }
            }
        case .matches(let text, let pattern, let ignoringCase):
            guard let text = self.text(text) else { return false }
            return try text.firstMatch(of: Regex(pattern).matchingSemantics(.unicodeScalar).ignoresCase(ignoringCase)) != nil
        case .fullText: throw TroveError.invalidQuery(reason: "the words of a record are the matter of the full-text tests")
        case .isUnreferenced, .hasDanglingReferences:
            throw TroveError.invalidQuery(reason: "what points where is the matter of the relationship tests")
        case .isWithin(let path, let region):
            guard case .geoPoint(let point) = value(.path(path)) else { return false }
            return Self.contains(region, point)
        case .isMultiple(let path, let factor):
            guard let number = WrittenNumber(value(.path(path))) else { return false }
            return number.isMultiple(of: factor)
        case .isNil(let path): return value(.path(path)) == .null
        case .quantified(let quantifier, let path, let part, let condition):
            let results = try Self.members(value(.path(path)), part).map { member in
                var inner = self
                inner.element = member
                return try inner.passes(condition.value)
            }
            switch quantifier {
            case .any: return results.contains(true)
            case .all: return !results.contains(false)
            case .none: return !results.contains(true)
            }
        case .and(let filters): return try filters.allSatisfy { try passes($0) }
        case .or(let filters): return try filters.contains { try passes($0) }
        case .not(let filter): return try !passes(filter.value)
        }
    }

    /// A text, or the text of a field that is a URL.
    private func text(_ operand: Operand) -> String? {
        switch (value(operand), operand) {
        case (.string(let text), _): text
        case (.url(let url), .path(let path)) where path.names.isEmpty && !path.field.isEmpty: url.absoluteString
        default: nil
        }
    }

    func value(_ operand: Operand) -> StoredValue {
        switch operand {
        case .value(let value): return value
        case .path(let path):
            var value = path.field.isEmpty ? element ?? .null : path.field == "id" ? id : record[path.field] ?? .null
            for name in path.names {
                guard case .object(let values) = value else { return .null }
                value = values.first { Array($0.key.utf8) == Array(name.utf8) }?.value ?? .null
            }
            return value
        }
    }

    private static func members(_ value: StoredValue, _ part: CollectionPart) -> [StoredValue] {
        switch (value, part) {
        case (.array(let elements), .elements): Array(elements)
        case (.object(let values), .keys): values.keys.map { .string($0) }
        case (.object(let values), .values): Array(values.values)
        case (.dictionary(let values), .keys): Array(values.keys)
        case (.dictionary(let values), .values): Array(values.values)
        default: []
        }
    }

    private static func passes(_ left: StoredValue, _ comparison: Comparison, _ right: StoredValue, _ ignoring: TextFolding) -> Bool {
        switch comparison {
        case .equal: areEqual(left, right, ignoring)
        case .notEqual: !areEqual(left, right, ignoring)
        case .less: order(left, right, ignoring) == -1
        case .lessOrEqual: [-1, 0].contains(order(left, right, ignoring))
        case .greater: order(left, right, ignoring) == 1
        case .greaterOrEqual: [0, 1].contains(order(left, right, ignoring))
        }
    }

    private static func areEqual(_ left: StoredValue, _ right: StoredValue, _ ignoring: TextFolding) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1, ignoring) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { key, value in right[key].map { areEqual(value, $0, ignoring) } ?? false }
        default: order(left, right, ignoring) == 0
        }
    }

    private static func bytes(_ text: String, _ ignoring: TextFolding) -> [UInt8] {
        Array(PlainFolding.folded(text, ignoring).utf8)
    }

    /// By the straight way through the Earth, and by longitudes as angles.
    private static func contains(_ region: GeoRegion, _ point: GeoPoint) -> Bool {
        switch region {
        case .circle(let center, let meters): return point.distance(through: center) <= meters
        case .box(let southWest, let northEast):
            guard southWest.latitude <= point.latitude, point.latitude <= northEast.latitude else { return false }
            // From 180 to -180 is no turn: both are one meridian. From -180 to 180 is the whole one.
            func turn(_ from: Double, _ to: Double) -> Double {
                ((to - from).truncatingRemainder(dividingBy: 360) + (to < from ? 360 : 0)).truncatingRemainder(dividingBy: 360)
            }
            return southWest.longitude == -180 && northEast.longitude == 180
                || turn(southWest.longitude, point.longitude) <= turn(southWest.longitude, northEast.longitude)
        }
    }

    /// -1, 0 or 1; nil when there is no order.
    static func order(_ left: StoredValue, _ right: StoredValue, _ ignoring: TextFolding) -> Int? {
        switch (left, right) {
        case (.string(let left), .string(let right)): order(bytes(left, ignoring), bytes(right, ignoring))
        case (.date(let left), .date(let right)):
            order(.double(left.timeIntervalSinceReferenceDate), .double(right.timeIntervalSinceReferenceDate), [])
        case (.duration(let left), .duration(let right)): left == right ? 0 : left < right ? -1 : 1
        case (.geoPoint(let left), .geoPoint(let right)): order(left.keyBytes, right.keyBytes)
        case (.uuid(let left), .uuid(let right)): order(left.keyBytes, right.keyBytes)
        case (.objectID(let left), .objectID(let right)): order(left.keyBytes, right.keyBytes)
        case (.data(let left), .data(let right)): order(Array(left), Array(right))
        case (.url(let left), .url(let right)): order(bytes(left.absoluteString, ignoring), bytes(right.absoluteString, ignoring))
        default: WrittenNumber(left).flatMap { left in WrittenNumber(right).map { left.order(to: $0) } }
        }
    }

    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

/// A number written out in full, for comparisons by the rules of school.
private struct WrittenNumber {
    private let isNegative: Bool
    private let whole: String
    private let fraction: String

    /// nil for NaN and for what is no number.
    init?(_ value: StoredValue) {
        var text: String
        switch value {
        case .int(let value): text = "\(value)"
        case .uint(let value): text = "\(value)"
        case .int128(let value): text = "\(value)"
        case .uint128(let value): text = "\(value)"
        case .float(let value): text = Self.text(Double(value))
        case .double(let value): text = Self.text(value)
        case .decimal(let value): text = "\(value)"
        default: return nil
        }
        if text.lowercased().contains("nan") { return nil }
        isNegative = text.first == "-"
        if isNegative { text.removeFirst() }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        whole = String(parts[0].drop { $0 == "0" })
        fraction = parts.count < 2 ? "" : String(parts[1].reversed().drop { $0 == "0" }.reversed())
    }

    private static let infinity = "1" + String(repeating: "0", count: 400)

    /// Infinities are written as a 1 and more zeros than any other number has.
    private static func text(_ value: Double) -> String {
        value.isInfinite ? (value < 0 ? "-" : "") + infinity : String(format: "%.1080f", value)
    }

    /// By long division, digit by digit.
    func isMultiple(of factor: Int128) -> Bool {
        guard fraction.isEmpty, !whole.hasPrefix(Self.infinity) else { return false }
        if factor == 0 { return whole.isEmpty }
        let factor = factor.magnitude
        var rest: UInt128 = 0
        for digit in whole.utf8 {
            // Ten times the rest may be more than 128 bits.
            var sum = UInt128(digit - UInt8(ascii: "0")) % factor
            for _ in 0..<10 { sum = (sum + rest) % factor }
            rest = sum
        }
        return rest == 0
    }

    func order(to other: WrittenNumber) -> Int {
        let isZero = whole.isEmpty && fraction.isEmpty
        let isOtherZero = other.whole.isEmpty && other.fraction.isEmpty
        if isZero && isOtherZero { return 0 }
        let (negative, otherNegative) = (isNegative && !isZero, other.isNegative && !isOtherZero)
        if negative != otherNegative { return negative ? -1 : 1 }
        var order = whole.count - other.whole.count
        if order == 0 { order = Self.order(whole, other.whole) }
        if order == 0 { order = Self.order(fraction, other.fraction) }
        return negative ? -order.signum() : order.signum()
    }

    private static func order(_ left: String, _ right: String) -> Int { left == right ? 0 : left < right ? -1 : 1 }
}
