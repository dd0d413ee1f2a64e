import Foundation
import TestSupport
import Testing

@testable import Trove

/// Values that nest deeper than 256 levels are errors, before the stack is full.
@Suite struct DeepValueTests {
    /// A list whose links encode themselves as keyed values.
    private indirect enum Chain: Codable, Hashable, Sendable {
        case end
        case link(Chain)

        init(depth: Int) { self = (0..<depth).reduce(Chain.end) { chain, _ in .link(chain) } }
    }

    /// A value that stands for another one, without a level of its own.
    private final class Wrapper: Codable, Sendable {
        let inner: Wrapper?

        init(depth: Int) { inner = depth == 0 ? nil : Wrapper(depth: depth - 1) }
        init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode(Wrapper.self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let inner { try container.encode(inner) } else { try container.encode(1) }
        }
    }

    @Test(arguments: [300, 5_000]) func codableValues(depth: Int) throws {
        #expect { try StoredValue(encoding: Chain(depth: depth)) } throws: { error in
            if case DecodingFault.unfit(let reason) = error { reason.contains("256 levels") } else { false }
        }
    }

    @Test(arguments: [600, 3_000]) func valuesThatStandForOthers(depth: Int) throws {
        #expect(throws: DecodingFault.self) { try StoredValue(encoding: Wrapper(depth: depth)) }
        #expect(throws: DecodingFault.self) { try StoredValue.int(1).decoded(as: Wrapper.self) }
    }

    /// Containers in containers, which are made by calls that cannot throw.
    struct Containers: Encodable {
        enum Kind: CaseIterable, Sendable { case unkeyed, keyed, encoders }

        let kind: Kind
        let depth: Int

        func encode(to encoder: any Encoder) throws {
            switch kind {
            case .unkeyed:
                var container = encoder.unkeyedContainer()
                for _ in 0..<depth { container = container.nestedUnkeyedContainer() }
                try container.encode(1)
            case .keyed:
                var container = encoder.container(keyedBy: PositionKey.self)
                for _ in 0..<depth { container = container.nestedContainer(keyedBy: PositionKey.self, forKey: PositionKey(0)) }
                try container.encode(1, forKey: PositionKey(1))
            case .encoders:
                var encoder = encoder
                for _ in 0..<depth {
                    var fields = encoder.container(keyedBy: PositionKey.self)
                    encoder = fields.superEncoder()
                }
                var container = encoder.unkeyedContainer()
                try container.encode(1)
            }
        }
    }

    @Test(arguments: Containers.Kind.allCases) func containersInContainers(kind: Containers.Kind) throws {
        for depth in [257, 100_000] {
            #expect { try StoredValue(encoding: Containers(kind: kind, depth: depth)) } throws: { error in
                if case DecodingFault.unfit(let reason) = error { reason.contains("256 levels") } else { false }
            }
        }
        _ = try StoredValue(encoding: Containers(kind: kind, depth: 250))
    }

    @Test func whatFits() throws {
        let chain = Chain(depth: 60)
        #expect(try StoredValue(encoding: chain).decoded(as: Chain.self) == chain)
    }

    /// Arrays, names and keys of dictionaries alike.
    @Test(arguments: 0..<4) func storedValues(kind: Int) throws {
        var value = StoredValue.int(1)
        for _ in 0..<2_000 {
            value = switch kind {
            case 0: .array([value])
            case 1: .object(["a": value])
            case 2: .dictionary([.int(1): value])
            default: .dictionary([value: .int(1)])
            }
            if kind == 3, (try? value.nestedBytes(depth: 0)) == nil { break }
        }
        #expect { try value.nestedBytes(depth: 0) } throws: { if case DecodingFault.unfit = $0 { true } else { false } }
    }

    /// What a value is nested in.
    enum Shape: CaseIterable, Sendable {
        case array, object, value, key

        func around(_ value: StoredValue) -> StoredValue {
            switch self {
            case .array: .array([value])
            case .object: .object(["a": value])
            case .value: .dictionary([.int(1): value])
            case .key: .dictionary([value: .int(1)])
            }
        }

        func deep(_ depth: Int = 100_000, _ seed: Int64 = 1) -> StoredValue { (0..<depth).reduce(.int(seed)) { value, _ in around(value) } }
    }

    /// A program may build what no store can keep: it is freed, compared, hashed, described and refused, on a stack of any size.
    @Test(arguments: Shape.allCases) func aHundredThousandLevels(shape: Shape) throws {
        let (value, same, other) = (shape.deep(), shape.deep(), shape.deep(100_000, 2))
        #expect(value.hashValue == same.hashValue)
        #expect("\(value)".count < 10_000 && String(reflecting: value).count < 10_000 && value.shownInErrors.count <= 80)
        #expect(throws: DecodingFault.self) { try value.nestedBytes(depth: 0) }
        // Keys of dictionaries are compared inside of a look-up, which is Swift's own.
        if shape == .key { return }
        #expect((value == same, value == other) == (true, false))
        #expect(!value.isIdentical(to: other))
        #expect(value.value(at: "x") == nil)
    }

    /// What holds values: conditions, lists, records.
    @Test(arguments: Engine.allCases, Shape.allCases) func deepValuesInQueriesAndRecords(engine: Engine, shape: Shape) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: DeepNote.self) }
        try fixture.store.save(DeepNote(id: 1, values: [1]))
        let value = shape.deep()
        let equal = Filter.comparison(.path(FieldPath("values")), .equal, .value(value))
        let member = Filter.membership(.path(FieldPath("values")), [value, .int(1)])
        #expect("\(equal)".count < 10_000)
        #expect(equal == equal && equal != member)
        #expect(throws: TroveError.self) { try fixture.store.fetch(DeepNote.self).where(equal).all() }
        #expect(throws: TroveError.self) { try fixture.store.fetch(DeepNote.self).where(member).all() }
        var record: StoredRecord?
        try fixture.store.read { try $0.forEachStoredRecord(of: "deep note") { found, _ in record = found } }
        var changed = try #require(record)
        #expect(throws: TroveError.self) { try changed.set("values", to: value) }
        #expect(changed == record)
    }

    /// Shared parts are one in memory, and are compared once.
    @Test func sharedPartsAreComparedOnce() {
        let value = (0..<60).reduce(StoredValue.int(1)) { value, _ in .array([value, value]) }
        #expect(value == value)
    }

    /// Below the levels that are hashed, keys may be forged to have one hash. Comparing equal values took twice as long with each such level, so this did not end.
    @Test func keysThatCollide() {
        /// A value as deep as hashes go, which tell nothing of what is in it.
        func wrapped(_ value: StoredValue) -> StoredValue { (0..<9).reduce(value) { value, _ in .array([value]) } }
        func value(levels: Int, innermost: Int64) -> StoredValue {
            (0..<levels).reduce(.int(innermost)) { key, level in
                .dictionary([wrapped(key): .null, wrapped(.int(Int64(level) - 1_000)): .bool(true), wrapped(.string("\(level)")): .bool(false)])
            }
        }
        #expect(value(levels: 40, innermost: 1) == value(levels: 40, innermost: 1))
        #expect(value(levels: 40, innermost: 1) != value(levels: 40, innermost: 2))
        #expect(value(levels: 1, innermost: 1).hashValue == value(levels: 1, innermost: 2).hashValue)
    }

    /// The values of keys that collide count too, and another number of them.
    @Test func pairsOfKeysThatCollide() {
        func wrapped(_ number: Int64) -> StoredValue { (0..<9).reduce(.int(number)) { value, _ in .array([value]) } }
        func value(_ numbers: [Int64], _ last: Int64) -> StoredValue {
            .dictionary(Dictionary(uniqueKeysWithValues: numbers.map { (wrapped($0), StoredValue.int($0 == 5 ? last : $0)) }))
        }
        #expect(value(Array(1...5), 0) == value([5, 3, 1, 2, 4], 0))
        #expect(value(Array(1...5), 0) != value(Array(1...5), 1))
        #expect(value(Array(1...5), 0) != value([1, 2, 3, 5, 6], 0))
        #expect(value(Array(1...5), 0) != value(Array(1...6), 0))
        let (one, other) = (StoredValue.array([value([1, 2], 0), .int(1)]), StoredValue.array([value([1, 2], 0), .int(2)]))
        #expect(one != other)
        #expect(StoredValue.array([.int(1), value([1, 2], 0)]) != .array([.int(2), value([1, 2], 0)]))
    }
}

@Model("deep note") struct DeepNote {
    var id: Int
    var values: [Int]
}
