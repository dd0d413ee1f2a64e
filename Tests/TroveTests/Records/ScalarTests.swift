import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// A `Codable` value with a scalar in it, of which Trove knows no type.
struct Box<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    var value: Value
    var list: [Value?]
}

/// A model with one type of values in every place where one can stand: id, property, optional, members of collections, `Codable` value.
struct Holder<Value: Storable & StorableKey & Codable>: Model, Equatable {
    var id: Value
    var number: Int
    var value: Value
    var optional: Value?
    var list: [Value]
    var set: Set<Value>
    var byName: [String: Value]
    var byValue: [Value: Int]
    var nested: Box<Value>

    static var schema: ModelSchema {
        ModelSchema("Holder", fields: [
            FieldSchema("number", \Holder.number), FieldSchema("value", \Holder.value), FieldSchema("optional", \Holder.optional),
            FieldSchema("list", \Holder.list), FieldSchema("set", \Holder.set), FieldSchema("byName", \Holder.byName),
            FieldSchema("byValue", \Holder.byValue), FieldSchema("nested", \Holder.nested),
        ])
    }

    static var indexes: [Index<Holder>] { [Index(\.value, covering: [\.number]), Index(\.optional), Index(\.list)] }

    /// The value at a place of a list, with others around it.
    init(_ position: Int, of samples: [Value]) {
        let next = samples[(position + 1) % samples.count]
        id = samples[position]
        number = position
        value = next
        optional = position % 3 == 0 ? nil : samples[position]
        list = [samples[position], next]
        set = [next, samples[0]]
        byName = ["next": next]
        byValue = [samples[position]: position]
        nested = Box(value: samples[position], list: [nil, next])
    }

    init(from record: inout RecordDecoder) throws {
        number = try record.decode()
        value = try record.decode()
        optional = try record.decode()
        list = try record.decode()
        set = try record.decode()
        byName = try record.decode()
        byValue = try record.decode()
        nested = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(number)
        try record.encode(value)
        try record.encode(optional)
        try record.encode(list)
        try record.encode(set)
        try record.encode(byName)
        try record.encode(byValue)
        try record.encode(nested)
    }
}

/// The same records read by a program whose property has become optional, and which has one more.
struct LaterHolder<Value: Storable & StorableKey & Codable>: Model {
    var id: Value
    var value: Value?
    var added: Value?

    static var schema: ModelSchema {
        ModelSchema("Holder", version: 2, fields: [FieldSchema("value", \LaterHolder.value), FieldSchema("added", \LaterHolder.added)])
    }

    init(from record: inout RecordDecoder) throws {
        value = try record.decode()
        added = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(value)
        try record.encode(added)
    }
}

/// Each scalar type in every place and every kind of query, on every engine, compared with what Swift says of the same values.
@Suite struct ScalarTests {
    @Test(arguments: Engine.allCases) func int8(engine: Engine) throws { try check([Int8.min, -1, 0, 5, .max], engine) }
    @Test(arguments: Engine.allCases) func int64(engine: Engine) throws { try check([Int64.min, -1, 0, 1 << 53 + 1, .max], engine) }
    @Test(arguments: Engine.allCases) func uint64(engine: Engine) throws { try check([0, 1, UInt64(Int64.max), 1 << 63, UInt64.max], engine) }
    @Test(arguments: Engine.allCases) func doubles(engine: Engine) throws { try check([-Double.infinity, -1.5, 0, 0.1, 2e300], engine) }
    @Test(arguments: Engine.allCases) func decimals(engine: Engine) throws { try check([-1.5, 0, 0.25, 3, 12_345.75] as [Decimal], engine) }
    @Test(arguments: Engine.allCases) func texts(engine: Engine) throws { try check(["", "a", "a'b", "b", "z\u{1}"], engine) }
    @Test(arguments: Engine.allCases) func dates(engine: Engine) throws {
        try check([-1e9, -0.5, 0, 1, 7.25e8].map { Date(timeIntervalSinceReferenceDate: $0) }, engine)
    }
    @Test(arguments: Engine.allCases) func objectIDs(engine: Engine) throws {
        try check([0, 1, 1 << 63, .max].map { ObjectID(high: $0, low: ~$0) }, engine)
    }
    @Test(arguments: Engine.allCases) func int128(engine: Engine) throws {
        try check(
            [.min, .min + 1, Int128(Int64.min) - 1, Int128(Int64.min), -1, 0, 5, Int128(Int64.max) + 1, Int128(UInt64.max) + 1, .max] as [Int128],
            engine)
    }
    @Test(arguments: Engine.allCases) func uint128(engine: Engine) throws {
        try check([0, 5, UInt128(UInt64.max), UInt128(UInt64.max) + 1, UInt128(Int128.max), UInt128(Int128.max) + 1, .max] as [UInt128], engine)
    }

    @Test(arguments: Engine.allCases) func durations(engine: Engine) throws {
        try check(
            [Duration(attoseconds: .min), .seconds(-90.5), .nanoseconds(-1), .zero, Duration(attoseconds: 1), .milliseconds(1_500), Duration(attoseconds: .max)],
            engine)
    }

    @Test(arguments: Engine.allCases) func points(engine: Engine) throws {
        let points: [(Double, Double)] = [(-90, -180), (-33.9, 18.4), (0, 0), (1e-9, 1e-9), (52.5, 13.4), (90, 180)]
        try check(points.map { try #require(GeoPoint(latitude: $0.0, longitude: $0.1)) }, engine)
    }

    @Test(arguments: Engine.allCases) func convertibles(engine: Engine) throws {
        try check([0, 0.5, 3, 1e9].compactMap { Distance(storedForm: $0) }, engine)
    }

    /// They are in the catalogue of every store, and a store goes from one system to another. On Apple's, `Decimal` is imported and calls itself otherwise.
    @Test func theNamesStayAsTheyAre() {
        #expect(
            ScalarTypes.all.map { $0.typeName } == [
                "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Int128", "UInt128", "Float", "Double", "Decimal", "String",
                "Data", "URL", "Date", "Duration", "UUID", "ObjectID", "GeoPoint",
            ])
        for type in ScalarTypes.all { #expect(type.fieldType.description == type.typeName) }
    }

    /// Records are read by a copy of what the table of types says, for its speed.
    @Test func fixedFieldsAreReadAsTheTableHasThem() throws {
        var random = SeededGenerator(seed: 17)
        var samples: [[UInt8]] = [0, 1, 0x7F, 0x80, 0xFF].map { [UInt8](repeating: $0, count: 32) }
        samples += (0..<200).map { _ in (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
        let types = ScalarTypes.all.filter { $0.fixedSize != nil }
        #expect(types.count == 19)
        for type in types {
            for sample in samples {
                sample.withUnsafeBytes { bytes in
                    guard let place = bytes.baseAddress else { return }
                    let read = Result { try FieldAccess.fixed(type.fieldType, place) }
                    let told = Result { try type.fieldValue(at: place) }
                    #expect("\(read)" == "\(told)", "\(type) in \(sample)")
                }
            }
        }
    }

    private func check<Value: Storable & StorableKey & Codable & Comparable>(_ samples: [Value], _ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Holder<Value>.self) }
        let objects = samples.indices.map { Holder($0, of: samples) }
        try fixture.store.save(objects)
        try fixture.reopenStore()
        let store = fixture.store
        for object in objects { #expect(try store.fetch(Holder<Value>.self, id: object.id) == object) }
        #expect(try store.fetch(Holder<Value>.self).all() == objects.sorted { $0.id < $1.id }, "records are in the order of the ids")
        #expect(try store.verify().isSound)
        try checkOrder(objects, store)
        for literal in samples { try checkConditions(objects, literal, store) }
        try checkDynamicRecords(objects, store)
        try checkLaterLayout(objects, fixture)
    }

    private func checkOrder<Value: Storable & StorableKey & Codable & Comparable>(_ objects: [Holder<Value>], _ store: ObjectStore) throws {
        let values = objects.map(\.value).sorted()
        #expect(try store.fetch(Holder<Value>.self).sorted(by: \.value).all().map(\.value) == values)
        #expect(try store.fetch(Holder<Value>.self).sorted(by: \.value, .descending).all().map(\.value) == values.reversed())
        let missing: [Value?] = objects.filter { $0.optional == nil }.map { _ in nil }
        #expect(
            try store.fetch(Holder<Value>.self).sorted(by: \.optional).all().map(\.optional) == missing + objects.compactMap(\.optional).sorted())
        #expect(try store.fetch(Holder<Value>.self).minimum(\.value) == values.first)
        #expect(try store.fetch(Holder<Value>.self).maximum(\.optional) == objects.compactMap(\.optional).max())
        #expect(try store.fetch(Holder<Value>.self).distinct(\.value) == values)
        let rows = try store.fetch(Holder<Value>.self).sorted(by: \.value).select(\.value, \.number).all()
        #expect(rows.map(\.0) == values, "the index covers both")
    }

    private func checkConditions<Value: Storable & StorableKey & Codable & Comparable>(
        _ objects: [Holder<Value>], _ literal: Value, _ store: ObjectStore
    ) throws {
        func expect(_ found: Filter, _ passes: (Holder<Value>) -> Bool, _ comment: Comment) throws {
            let expected = objects.filter(passes).map(\.number).sorted()
            #expect(try store.fetch(Holder<Value>.self).where(found).all().map(\.number).sorted() == expected, comment)
            let again = try Filter(criteria: found.description)
            #expect(again == found, "as criteria text")
        }
        let stored = try StoredValue(comparing: literal)
        let orders: [(Comparison, (Value, Value) -> Bool)] = [
            (.equal, ==), (.notEqual, !=), (.less, <), (.lessOrEqual, <=), (.greater, >), (.greaterOrEqual, >=),
        ]
        for (comparison, order) in orders {
            let paths: [(String, (Holder<Value>) -> Value?)] = [
                ("value", { $0.value }), ("optional", { $0.optional }), ("id", { $0.id }), ("nested.value", { $0.nested.value }),
                ("byName.next", { $0.byName["next"] }),
            ]
            for (path, value) in paths {
                let filter = Filter.comparison(.path(try path.asPath()), comparison, .value(stored), ignoringCase: false)
                try expect(filter, { value($0).map { order($0, literal) } ?? (comparison == .notEqual) }, "\(path) \(comparison) \(literal)")
            }
            let members = Filter.quantified(.any, FieldPath("list"), .elements, .comparison(.path(.element), comparison, .value(stored)))
            try expect(members, { $0.list.contains { order($0, literal) } }, "any of list \(comparison) \(literal)")
            let keys = Filter.quantified(.any, FieldPath("byValue"), .keys, .comparison(.path(.element), comparison, .value(stored)))
            try expect(keys, { $0.byValue.keys.contains { order($0, literal) } }, "a key \(comparison) \(literal)")
        }
        let typed = try store.fetch(Holder<Value>.self).where { $0.value > literal || $0.optional == literal }.all()
        #expect(typed.map(\.number).sorted() == objects.filter { $0.value > literal || $0.optional == literal }.map(\.number).sorted())
        let given = try store.fetch(Holder<Value>.self).where(Filter(criteria: "value <= ?", literal)).all()
        #expect(given.map(\.number).sorted() == objects.filter { $0.value <= literal }.map(\.number).sorted())
        let predicate = #Predicate<Holder<Value>> { $0.value < literal }
        let predicted = try store.fetch(Holder<Value>.self).where(Filter(predicate)).all()
        #expect(predicted.map(\.number).sorted() == objects.filter { $0.value < literal }.map(\.number).sorted())
    }

    /// Programs without the type see the same values, and write them back as the same bytes.
    private func checkDynamicRecords<Value: Storable & StorableKey & Codable & Comparable>(
        _ objects: [Holder<Value>], _ store: ObjectStore
    ) throws {
        for object in objects {
            let before = try store.bytes(of: "Holder", key: object.id.keyBytes)
            try store.write { transaction in
                let record = try #require(try transaction.storedRecord(of: "Holder", key: object.id.keyBytes))
                #expect(try record.value(of: "value", as: Value.self) == object.value)
                #expect(record["list"] == .array(try object.list.map { try StoredValue(comparing: $0) }))
                #expect(record["nested"]?.value(at: "value") == record["list"]?.value(at: "0"), "Codable keeps its form")
                try transaction.save(record)
            }
            #expect(try store.bytes(of: "Holder", key: object.id.keyBytes) == before)
        }
    }

    private func checkLaterLayout<Value: Storable & StorableKey & Codable & Comparable>(
        _ objects: [Holder<Value>], _ fixture: StoreFixture
    ) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LaterHolder<Value>.self) }
        for _ in 0..<2 {
            let later = try fixture.store.fetch(LaterHolder<Value>.self).all()
            #expect(later.map(\.value) == objects.sorted { $0.id < $1.id }.map(\.value))
            #expect(later.allSatisfy { $0.added == nil })
            _ = try fixture.store.upgrade(LaterHolder<Value>.self)
        }
    }
}

extension String {
    /// The path that dots separate.
    fileprivate func asPath() throws -> FieldPath {
        let names = split(separator: ".").map(String.init)
        return FieldPath(field: names[0], names: Array(names.dropFirst()))
    }
}
