import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// The bytes of key parts are in the order of the values, and ranges hold exactly the parts whose values pass.
@Suite struct KeyPartTests {
    /// Those of single values that are in an order; nil where only a value tells its type.
    private static let types: [FieldType?] = ScalarTypes.all.map { $0.fieldType }.filter { $0 != .bool } + [nil]

    /// A value such as a field of the type has.
    private func value(_ type: FieldType?, _ pool: inout ValuePool) -> StoredValue {
        if let integer = type?.scalar?.integer { return integer.randomValue(&pool) }
        return switch type {
        case .float: .float(Float(pool.double()))
        case .double: .double(pool.double())
        case .decimal: .decimal(pool.decimal())
        default: pool.literal(type)
        }
    }

    private func part(
        _ value: StoredValue, _ type: FieldType?, ignoring: TextFolding = [], _ direction: SortDirection = .ascending
    ) throws -> [UInt8] {
        var bytes = ByteWriter()
        try KeyPart.append(value, type: type, ignoring: ignoring, direction: direction, to: &bytes)
        return bytes.bytes()
    }

    private func isNaN(_ value: StoredValue) -> Bool {
        switch value {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }

    @Test(arguments: types) func orderOfBytesIsOrderOfValues(type: FieldType?) throws {
        var pool = ValuePool(seed: 7)
        for _ in 0..<(TestShare.isWhole ? 2_000 : 500) {
            let (left, right) = (value(type, &pool), value(type, &pool))
            for ignoring in TextFolding.every {
                let (first, second) = (try part(left, type, ignoring: ignoring), try part(right, type, ignoring: ignoring))
                let bytes = first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
                if let order = ReferenceEvaluator.order(left, right, ignoring) {
                    #expect(bytes == order, "\(left) and \(right) as \(String(describing: type))")
                } else if left == .null || right == .null {
                    #expect(bytes == (left == right ? 0 : left == .null ? -1 : 1), "nil comes first")
                } else if isNaN(left) || isNaN(right), ValueClass(left) == ValueClass(right) {
                    #expect(bytes == (isNaN(left) == isNaN(right) ? 0 : isNaN(left) ? 1 : -1), "NaN comes last")
                }
                let (down, otherDown) = (
                    try part(left, type, ignoring: ignoring, .descending), try part(right, type, ignoring: ignoring, .descending)
                )
                #expect(down == first.map { ~$0 } && otherDown == second.map { ~$0 })
                #expect(first == second || !first.starts(with: second), "no part begins another")
            }
        }
    }

    @Test(arguments: types) func rangesHoldWhatPasses(type: FieldType?) throws {
        var pool = ValuePool(seed: 11)
        var inside = 0
        for _ in 0..<3_000 {
            let value = value(type, &pool)
            let literal = pool.literal(type)
            let kind = type.flatMap { ValueClass($0) } ?? ValueClass(literal)
            let comparison = kind?.isOrdered ?? true ? pool.comparison() : pool.pick([.equal, .notEqual])
            let ignoring = pool.bool(0.4) ? pool.pick(TextFolding.every) : []
            let range = try KeyPartRange.range(for: comparison, literal: literal, type: type, ignoring: ignoring)
            if comparison == .notEqual && literal != .null {
                #expect(range == nil)
                continue
            }
            // A number means the value of the type that is written so; see WrittenNumberTests.
            let left = try Literal(value), right = try Literal(literal.comparable(by: comparison, with: type))
            let passes = try withExtendedLifetime((left, right)) {
                try FieldValue.passes(left.value, comparison, right.value, ignoring: ignoring)
            }
            let found = try #require(range).contains(part(value, type, ignoring: ignoring))
            #expect(found == passes, "\(value) \(comparison) \(literal) as \(String(describing: type))")
            inside += found ? 1 : 0
        }
        #expect(inside > 100)
    }

    @Test func prefixes() throws {
        var pool = ValuePool(seed: 13)
        for _ in 0..<2_000 {
            let (text, prefix) = (pool.string(), pool.string())
            for ignoring in TextFolding.every {
                let (bytes, sought) = (PlainFolding.folded(text, ignoring), PlainFolding.folded(prefix, ignoring))
                let expected = Array(bytes.utf8).starts(with: Array(sought.utf8))
                for type in [FieldType.string, nil] {
                    let range = KeyPartRange.range(prefix: prefix, ignoring: ignoring, type: type)
                    #expect(try range.contains(part(.string(text), type, ignoring: ignoring)) == expected)
                    #expect(try !range.contains(part(.null, type)))
                }
            }
        }
    }

    /// Keys and parts of decimals are written by different code.
    @Test func decimalsAreAsInKeys() throws {
        var pool = ValuePool(seed: 19)
        for _ in 0..<500 {
            let decimal = pool.decimal()
            #expect(try part(.decimal(decimal), .decimal) == [1] + decimal.keyBytes)
        }
    }

    @Test func otherValuesAreRefused() throws {
        #expect(throws: TroveError.self) { try part(.string("a"), .int64) }
        #expect(throws: TroveError.self) { try part(.double(1.5), .int64) }
        #expect(throws: TroveError.self) { try part(.int(-1), .uint64) }
        #expect(try part(.double(5), .int64) == part(.int(5), .int64))
    }

    private static let idTypes: [FieldType] = [.int8, .uint16, .int32, .int64, .uint64, .int128, .uint128, .float, .double, .string, .uuid, .decimal, .date]

    /// Ranges of ids are ones of the engine's keys.
    @Test(arguments: idTypes) func rangesOfRecordKeys(type: FieldType) throws {
        var pool = ValuePool(seed: 23)
        for _ in 0..<2_000 {
            let (id, literal, comparison) = (idValue(type, &pool), pool.literal(type), pool.pick(Comparison.allCases))
            guard literal != .null, let range = try RecordID.keyRange(for: comparison, literal: literal, type: type) else { continue }
            let left = try Literal(id.value), right = try Literal(literal.comparable(by: comparison, with: type))
            let passes = try withExtendedLifetime((left, right)) {
                try FieldValue.passes(left.value, comparison, right.value, ignoring: [])
            }
            #expect(range.contains(id.key) == passes, "\(id.value) \(comparison) \(literal)")
            let read = try id.key.withUnsafeBytes { try RecordID.withValue(of: $0, type: type) { try $0.storedValue() } }
            #expect(isNaN(read) ? isNaN(id.value) : ReferenceEvaluator.order(read, id.value, []) == 0)
        }
    }

    private func idValue(_ type: FieldType, _ pool: inout ValuePool) -> (value: StoredValue, key: [UInt8]) {
        func integer<Value: FixedWidthInteger & StorableKey>(_ value: Value) -> (StoredValue, [UInt8]) {
            (StoredValue(integer: value), value.keyBytes)
        }
        switch type {
        case .int8: return integer(pool.integer(Int8.self))
        case .uint16: return integer(pool.integer(UInt16.self))
        case .int32: return integer(pool.integer(Int32.self))
        case .int64: return integer(pool.integer(Int64.self))
        case .uint64: return integer(pool.integer(UInt64.self))
        case .int128: return integer(pool.integer(Int128.self))
        case .uint128: return integer(pool.integer(UInt128.self))
        case .float:
            let value = Float(pool.double())
            return (.float(value), value.keyBytes)
        case .double:
            let value = pool.double()
            return (.double(value), value.keyBytes)
        case .decimal:
            let value = pool.decimal()
            return (.decimal(value), value.keyBytes)
        case .date:
            let value = pool.date()
            return (.date(value), value.keyBytes)
        case .uuid:
            let value = pool.uuid()
            return (.uuid(value), value.keyBytes)
        default:
            let value = pool.string()
            return (.string(value), value.keyBytes)
        }
    }
}

extension IntegerScalar {
    fileprivate static func randomValue(_ pool: inout ValuePool) -> StoredValue { StoredValue(integer: pool.integer(Self.self)) }
}

extension KeyPartRange {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        let (start, end) = bytes
        guard let start, !part.lexicographicallyPrecedes(start) else { return false }
        return end.map { part.lexicographicallyPrecedes($0) } ?? true
    }
}
