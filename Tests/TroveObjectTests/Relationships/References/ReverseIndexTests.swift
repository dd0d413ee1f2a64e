import Foundation
import TestSupport
import Testing

@testable import Trove

/// What points where, compared with what a dictionary of the same objects says.
@Suite struct ReverseIndexTests {
    @Test(arguments: TestShare.trials([UInt64(1), 2, 3]))
    func agreesWithTheObjects(_ engine: Engine, seed: UInt64) throws {
        let fixture = try StoreFixture(engine, Library.open)
        var random = RandomLibrary(seed: seed)
        for _ in 0..<12 {
            var changed = random
            try fixture.store.write { transaction in
                for _ in 0..<changed.number(1...6) { try changed.change(transaction) }
                try changed.expectSources(transaction)
            }
            random = changed
            try fixture.store.read { try random.expectSources($0) }
        }
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report.problems)")
        #expect(Set(report.danglingReferences) == random.dangling && report.danglingReferenceCount == random.dangling.count)
        #expect(try Set(fixture.store.danglingReferences()) == random.dangling)
        #expect(try fixture.store.danglingReferences().count == random.dangling.count)
        try fixture.reopenStore()
        try fixture.store.read { try random.expectSources($0) }
        try fixture.store.rebuildIndexes(of: Piece.self)
        try fixture.store.read { try random.expectSources($0) }
    }

    @Test(arguments: Engine.allCases)
    func isBuiltForObjectsThatWereThereBefore(_ engine: Engine) throws {
        // The same layout without relationships: references are stored as ids.
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainTag.self) }
        try fixture.store.save((1...500).map { PlainTag(id: $0, subject: $0 % 7, others: ["a": $0 % 3, "b": $0 % 5]) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Tag.self) }
        #expect(try fixture.store.indexStatistics().filter { $0.model == "Tag" }.map(\.schema.name).sorted() == ["references of others", "references of subject"])
        #expect(try fixture.store.referencing(Reference<Item>(id: 3), from: Tag.self, \.subject).count() == (1...500).filter { $0 % 7 == 3 }.count)
        #expect(try fixture.store.referencing(Reference<Item>(id: 4), from: Tag.self, \.others).count() == 100)
        #expect(try fixture.store.referenceCount(of: Reference<Item>(id: 1)) == 72 + (1...500).filter { $0 % 3 == 1 || $0 % 5 == 1 }.count)
        // By a store that reads the records, since nothing is built.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: PlainTag.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: Tag.self) }
        #expect(try fixture.store.referenceCount(of: Reference<Item>(id: 1)) == 72 + (1...500).filter { $0 % 3 == 1 || $0 % 5 == 1 }.count)
        #expect(try fixture.store.danglingReferences().count == 500 + (1...500).reduce(0) { $0 + Set([$1 % 3, $1 % 5]).count })
        try fixture.store.buildIndexes()
        #expect(try fixture.store.danglingReferences().count == 500 + (1...500).reduce(0) { $0 + Set([$1 % 3, $1 % 5]).count })
        #expect(try fixture.store.verify().isSound)
    }

    @Test func damageIsFound() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Tag.self) }
        try fixture.store.save(Tag(id: 1, subject: Reference(id: 5), others: ["a": Reference(id: 6)]))
        try fixture.store.write { transaction in
            let writer = try transaction.writer
            for index in try transaction.indexTable.bindings(of: "Tag") {
                guard let keyspace = try writer.keyspace(named: index.keyspaceName) else { continue }
                _ = try writer.deleteRange(.all, in: keyspace)
            }
        }
        let report = try fixture.store.verify()
        #expect(report.indexDamage.map(\.index).sorted() == ["references of others", "references of subject"])
        try fixture.store.rebuildIndexes(of: Tag.self)
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.referenceCount(of: Reference<Item>(id: 6)) == 1)
    }

    @Test func queriesUseIt() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Tag.self) }
        try fixture.store.save((1...5_000).map { Tag(id: $0, subject: Reference(id: $0 % 500), others: ["x": Reference(id: $0 % 700)]) })
        let subject = try fixture.store.fetch(Tag.self).where { $0.subject == Reference<Item>(id: 7) }.explain()
        #expect(subject.description.contains("references of subject"), "\(subject)")
        let others = try fixture.store.fetch(Tag.self).where { $0.others.values.contains(Reference<Item>(id: 7)) }.explain()
        #expect(others.description.contains("references of others"), "\(others)")
    }

    @Test(arguments: Engine.allCases)
    func idsOfEveryTypeAreFound(_ engine: Engine) throws {
        let long = Library.long("x", 300)
        func check<ID: StorableKey>(_ ids: [ID]) throws {
            let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Pointing<ID>.self) }
            try fixture.store.save(ids.enumerated().map { Pointing(id: $0.offset, target: Reference(id: $0.element), all: ids.prefix($0.offset + 1).map { Reference(id: $0) }) })
            try fixture.store.save(ids.dropLast().map { Target(id: $0) })
            for (position, id) in ids.enumerated() {
                let sources = try fixture.store.referencing(Reference<Target<ID>>(id: id))
                let expected = (position..<ids.count).map { ReferenceSource(modelName: "Pointing", keyBytes: $0.keyBytes, field: "all") }
                #expect(Set(sources) == Set(expected + [ReferenceSource(modelName: "Pointing", keyBytes: position.keyBytes, field: "target")]), "\(id)")
                #expect(try fixture.store.fetch(Pointing<ID>.self).where { $0.target == Reference(id: id) }.ids() == [position])
            }
            let last = try #require(ids.last)
            let dangling = try fixture.store.danglingReferences()
            #expect(dangling.map(\.target) == [AnyReference(Reference<Target<ID>>(id: last)), AnyReference(Reference<Target<ID>>(id: last))], "\(dangling)")
            #expect(try fixture.store.verify().isSound)
        }
        try check([false, true])
        try check([Int8.min, -1, 0, 5, .max])
        try check([Int16.min, -1, 0, 5, .max])
        try check([Int32.min, -1, 0, 5, .max])
        try check([Int.min, -1, 0, 5, .max])
        try check([UInt8.min, 5, .max])
        try check([UInt16.min, 5, .max])
        try check([UInt32.min, 5, .max])
        try check([UInt64.min, 5, UInt64(Int64.max) + 7, .max])
        try check([-Float.infinity, -1.5, 0, 0.1, .infinity])
        try check([-Double.infinity, -1.5, 0, 0.1, .infinity])
        try check([Decimal(string: "-12.5")!, 0, Decimal(string: "0.001")!, 100])
        try check(["", "a", "a\u{0}b", "\u{1}", long + "a", long + "b", Library.long("y", 600)])
        try check([Data(), Data([0]), Data([0, 1, 2]), Data(repeating: 7, count: 400)])
        try check([Date(timeIntervalSinceReferenceDate: -3.5), Date(timeIntervalSinceReferenceDate: 1e9)])
        try check([UUID(uuidString: "00000000-0000-0000-0000-000000000001")!, UUID(uuidString: "F0000000-0000-0000-0000-000000000001")!])
        try check([ObjectID(), ObjectID()])
        try check([URL(string: "https://a.org/")!, URL(string: "https://b.org/x")!])
        try check([Suit.hearts, .spades])
        try check([PrintingID("", 0), PrintingID("a", -1), PrintingID("a", 4), PrintingID(long, 4), PrintingID(long, 5)])
    }
}

private enum Suit: Int32, StorableKey { case spades = 9, hearts = -2 }

private struct Target<ID: StorableKey>: Model {
    var id: ID
    static var schema: ModelSchema { ModelSchema("Target", fields: []) }
    init(id: ID) { self.id = id }
    init(from record: inout RecordDecoder) throws { id = try record.decodeID() }
    func encode(into record: inout RecordEncoder) throws {}
}

private struct Pointing<TargetID: StorableKey>: Model {
    var id: Int
    var target: Reference<Target<TargetID>>
    var all: [Reference<Target<TargetID>>]
    static var schema: ModelSchema {
        ModelSchema("Pointing", fields: [FieldSchema("target", \Pointing.target), FieldSchema("all", \Pointing.all)])
    }
    init(id: Int, target: Reference<Target<TargetID>>, all: [Reference<Target<TargetID>>]) { (self.id, self.target, self.all) = (id, target, all) }
    init(from record: inout RecordDecoder) throws { (target, all, id) = (try record.decode(), try record.decode(), try record.decodeID()) }
    func encode(into record: inout RecordEncoder) throws {
        try record.encode(target)
        try record.encode(all)
    }
}

private struct Item: Model {
    var id: Int
    static let schema = ModelSchema("Item", fields: [])
    init(from record: inout RecordDecoder) throws { id = try record.decodeID() }
    func encode(into record: inout RecordEncoder) throws {}
}

private struct Tag: Model {
    var id: Int
    var subject: Reference<Item>
    var others: [String: Reference<Item>]
    static let schema = ModelSchema("Tag", fields: [FieldSchema("subject", \Tag.subject), FieldSchema("others", \Tag.others)])
    init(id: Int, subject: Reference<Item>, others: [String: Reference<Item>]) { (self.id, self.subject, self.others) = (id, subject, others) }
    init(from record: inout RecordDecoder) throws { (subject, others, id) = (try record.decode(), try record.decode(), try record.decodeID()) }
    func encode(into record: inout RecordEncoder) throws {
        try record.encode(subject)
        try record.encode(others)
    }
}

private struct PlainTag: Model {
    var id: Int
    var subject: Int
    var others: [String: Int]
    static let schema = ModelSchema("Tag", fields: [FieldSchema("subject", \PlainTag.subject), FieldSchema("others", \PlainTag.others)])
    init(id: Int, subject: Int, others: [String: Int]) { (self.id, self.subject, self.others) = (id, subject, others) }
    init(from record: inout RecordDecoder) throws { (subject, others, id) = (try record.decode(), try record.decode(), try record.decodeID()) }
    func encode(into record: inout RecordEncoder) throws {
        try record.encode(subject)
        try record.encode(others)
    }
}
