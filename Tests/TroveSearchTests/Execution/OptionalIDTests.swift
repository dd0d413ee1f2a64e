import TestSupport
import Testing
import Trove

/// Ids that may be nil, read from the entries of an index, against plain Swift.
@Suite struct OptionalIDTests {
    private struct Numbered: Model {
        var id: Int?
        var group: Int
        static let schema = ModelSchema("Numbered", fields: [FieldSchema("group", \Numbered.group)])
        static let indexes = [Index<Numbered>(\.group)]
        init(id: Int?, group: Int) { (self.id, self.group) = (id, group) }
        init(from record: inout RecordDecoder) throws {
            group = try record.decode()
            id = try record.decodeID()
        }
        func encode(into record: inout RecordEncoder) throws { try record.encode(group) }
    }

    private struct Named: Model {
        var id: String?
        var group: Int
        static let schema = ModelSchema("Named", fields: [FieldSchema("group", \Named.group)])
        static let indexes = [Index<Named>(\.group)]
        init(id: String?, group: Int) { (self.id, self.group) = (id, group) }
        init(from record: inout RecordDecoder) throws {
            group = try record.decode()
            id = try record.decodeID()
        }
        func encode(into record: inout RecordEncoder) throws { try record.encode(group) }
    }

    private struct Deep<Value: Storable & StorableKey & Sendable>: Model {
        var id: Value??
        static var schema: ModelSchema { ModelSchema("Deep", fields: []) }
        init(id: Value??) { self.id = id }
        init(from record: inout RecordDecoder) throws { id = try record.decodeID() }
        func encode(into record: inout RecordEncoder) throws {}
    }

    @Test(arguments: Engine.allCases) func ofNumbers(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Numbered.self) }
        let ids: [Int?] = [nil, .min, -1, 0, 1, 2, 255, .max]
        try fixture.store.save(ids.enumerated().map { Numbered(id: $1, group: $0 % 2) })
        let odd = fixture.store.fetch(Numbered.self).where { $0.group == 1 }
        let even = fixture.store.fetch(Numbered.self).where { $0.group == 0 }
        #expect(try even.select(\.id).explain(running: false).steps.map(\.kind) == [.index])
        #expect(try even.select(\.id).all() == [nil, -1, 1, 255])
        let oddIDs: [Int?] = [.some(.min), 0, 2, .some(.max)]
        #expect(try odd.select(\.id).all() == oddIDs)
        #expect(try even.sorted(by: \.group).limit(2).select(\.id).all() == [nil, -1])
        #expect(try even.distinct(\.id) == [nil, -1, 1, 255])
        #expect(try even.aggregate(.countDistinct(\.id)) == 3, "nil is not counted")
        #expect(try odd.aggregate(.countDistinct(\.id)) == 4)
        #expect(try even.grouped(by: \.id).aggregate(.count).map(\.key) == [nil, -1, 1, 255])
        let (least, greatest) = try even.aggregate(.minimum(\.id), .maximum(\.id))
        #expect(least == -1 && greatest == 255)
    }

    /// Ids of two optional layers are in no ranges of keys that conditions tell: each is looked at.
    @Test(arguments: Engine.allCases) func ofTwoLayers(engine: Engine) throws {
        let numbers = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Deep<Int>.self) }
        try numbers.store.save(([nil, .some(nil), 4, 5, 6] as [Int??]).map { Deep(id: $0) })
        let fetch = numbers.store.fetch(Deep<Int>.self)
        func isID(_ comparison: Comparison, _ number: Int64) -> Filter { .comparison(.path(.id), comparison, .value(.int(number))) }
        #expect(try fetch.where(isID(.equal, 5)).count() == 1)
        #expect(try fetch.where(isID(.equal, 5)).all().map(\.id) == [5])
        #expect(try fetch.where(.membership(.path(.id), [.int(4), .int(6), .int(7)])).count() == 2)
        #expect(try fetch.where(isID(.greater, 4)).count() == 2)
        #expect(try fetch.where(isID(.notEqual, 5)).count() == 4)
        #expect(try fetch.where(isID(.equal, 5)).delete() == 1)
        #expect(try fetch.count() == 4)

        let texts = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Deep<String>.self) }
        try texts.store.save(([nil, .some(nil), "a", "ab", "b"] as [String??]).map { Deep(id: $0) })
        #expect(try texts.store.fetch(Deep<String>.self).where(.text(.path(.id), .hasPrefix, .value(.string("a")))).count() == 2)
    }

    @Test(arguments: Engine.allCases) func ofTexts(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Named.self) }
        // The last is too long to be whole in a key.
        let ids: [String?] = [nil, "", "a", "a\0b", "é", "z" + String(repeating: "long", count: 200)]
        try fixture.store.save(ids.map { Named(id: $0, group: 1) } + [Named(id: "other", group: 2)])
        let fetch = fixture.store.fetch(Named.self).where { $0.group == 1 }
        let sorted = [nil] + ids.compactMap { $0 }.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        #expect(try fetch.select(\.id).all() == sorted)
        #expect(try fetch.distinct(\.id) == sorted)
        #expect(try fetch.aggregate(.countDistinct(\.id)) == 5)
        #expect(try fetch.grouped(by: \.id).aggregate(.count).map(\.key) == sorted)
    }
}
