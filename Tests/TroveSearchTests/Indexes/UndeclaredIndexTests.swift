import Foundation
import TestSupport
import Testing

@testable import Trove

/// One model as programs of several versions have it.
private protocol EtudeModel: Model where ID == Int {
    init(id: Int, mood: String?, year: Int, code: Int?)
    var mood: String? { get }
    var year: Int { get }
    var code: Int? { get }
}

extension EtudeModel {
    init(from record: inout RecordDecoder) throws {
        let (mood, year, code): (String?, Int, Int?) = (try record.decode(), try record.decode(), try record.decode())
        self.init(id: try record.decodeID(), mood: mood, year: year, code: code)
    }
    func encode(into record: inout RecordEncoder) throws {
        try record.encode(mood)
        try record.encode(year)
        try record.encode(code)
    }
    static func sample(_ number: Int) -> Self {
        Self(id: number, mood: number % 10 == 0 ? nil : ["calm", "glad", "blue"][number % 3], year: 1950 + number % 7, code: number)
    }
    static func fields(
        _ mood: FieldSchema, _ year: KeyPath<Self, Int> & Sendable, _ code: KeyPath<Self, Int?> & Sendable, version: Int = 1
    ) -> ModelSchema {
        ModelSchema("Etude", version: version, fields: [mood, FieldSchema("year", year), FieldSchema("code", code)])
    }
}

private struct Etude: EtudeModel {
    var id: Int
    var mood: String?
    var year: Int
    var code: Int?
    static let schema = fields(FieldSchema("mood", \Etude.mood), \Etude.year, \Etude.code)
}

/// In a later version, with the mood by another name.
private struct LaterEtude: EtudeModel {
    var id: Int
    var mood: String?
    var year: Int
    var code: Int?
    static let schema = fields(FieldSchema("feeling", type: .optional(.string), originalName: "mood"), \LaterEtude.year, \LaterEtude.code, version: 2)
}

/// With another field in the place of the mood.
private struct MoodlessEtude: EtudeModel {
    var id: Int
    var mood: String?
    var year: Int
    var code: Int?
    static let schema = fields(FieldSchema("key", type: .optional(.string)), \MoodlessEtude.year, \MoodlessEtude.code)
}

/// With an index that others make at run time, and a derived value.
private struct DeclaringEtude: EtudeModel {
    var id: Int
    var mood: String?
    var year: Int
    var code: Int?
    static let schema = fields(FieldSchema("mood", \DeclaringEtude.mood), \DeclaringEtude.year, \DeclaringEtude.code)
    static let indexes = [Index<DeclaringEtude>([.path("mood")], name: "by mood"), Index<DeclaringEtude>(derived: "decade", version: 1) { $0.year / 10 }]
}

@Suite struct UndeclaredIndexTests {
    private struct Stop: Error {}

    private func fixture<Object: EtudeModel>(_ engine: Engine, of type: Object.Type = Etude.self, count: Int = 60) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Object.self) }
        try fixture.store.save((0..<count).map(Object.sample))
        return fixture
    }

    /// What is listed of a model, and no keyspace of anything else.
    private func expect(_ store: ObjectStore, _ names: [String], of model: String = "Etude") throws {
        #expect(try store.indexes(of: model).filter { $0.state == .ready }.map(\.schema.name).sorted() == names.sorted())
        let numbers = Set(try store.read { try $0.indexTable.entries.map(\.number) })
        #expect(Set(try store.read { try $0.reader.keyspaceNames().compactMap(IndexCatalogueEntry.number(ofKeyspace:)) }).isSubset(of: numbers))
        let report = try store.verify()
        #expect(report.isSound, "\(report.problems)")
    }

    private func expectInvalid(_ name: String, _ reason: String, _ body: () throws -> Void) {
        #expect {
            try body()
        } throws: { error in
            guard case TroveError.invalidIndex(_, name, let found) = error else { return false }
            return found.contains(reason)
        }
    }

    private func expectUndroppable(_ name: String, _ reason: String, _ body: () throws -> Void) {
        #expect {
            try body()
        } throws: { error in
            guard case TroveError.undroppableIndex(_, name, let found) = error else { return false }
            return found.contains(reason) && "\(error)".contains("is not dropped")
        }
    }

    @Test(arguments: Engine.allCases) func madeListedUsedAndDropped(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let calm = store.fetch(Etude.self).where { $0.mood == "calm" }
        #expect(try calm.explain().step.index == nil)
        try store.createIndex("by mood", on: Etude.self, \.mood, \.year)
        try store.createIndex(Index<Etude>.substring(\.mood, name: "parts"))
        // One that is there already.
        try store.createIndex("by mood", on: Etude.self, \.mood, \.year)
        let made = try #require(try store.indexes(of: Etude.self).first)
        #expect(made.schema.name == "by mood" && !made.isDeclared && made.state == .ready && made.entries == 60 && made.uses == 0)
        // A part of nil is a byte, of text 6 and of a number 9; the id is 8 and the header 1.
        #expect(made.bytes == 6 * (1 + 9 + 8 + 1) + 54 * (6 + 9 + 8 + 1))
        let expected = (0..<60).map(Etude.sample).filter { $0.mood == "calm" }.map(\.id)
        #expect(try calm.ids() == expected)
        #expect(try calm.count() == expected.count)
        #expect(try calm.explain(running: false).step.index == "by mood" || calm.explain(running: false).steps.contains { $0.index == "by mood" })
        #expect(try store.indexes(of: Etude.self).first?.uses == 2)
        try store.save(Etude(id: 100, mood: "calm", year: 1, code: nil))
        #expect(try calm.count() == expected.count + 1)
        #expect(try store.indexes(of: "Etude").map(\.uses).max() == 3)
        #expect(try store.indexStatistics().contains { "\($0)".hasPrefix("Etude: the index 'by mood', made at run time, ready, 61 entries of ") && "\($0)".hasSuffix(", used 3 times") })
        try expect(store, ["by mood", "parts"])
        try store.dropIndex(named: "by mood", of: Etude.self)
        try expect(store, ["parts"])
        #expect(try store.dropUndeclaredIndexes() == 1)
        try expect(store, [])
        #expect(try calm.count() == expected.count + 1)
    }

    @Test(arguments: Engine.allCases) func uniqueOnes(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.save(Etude(id: 100, mood: nil, year: 0, code: 7))
        #expect { try store.createIndex("codes", on: Etude.self, \.code, unique: true) } throws: { error in
            guard case TroveError.uniqueViolation("Etude", "codes", _, let id, let other) = error else { return false }
            return Set([id, other]) == ["7", "100"]
        }
        try expect(store, [])
        // What a program that was killed has left of it does not keep the store from opening.
        try store.core.write(.durable) { _ = try $0.beginIndex(IndexSchema("codes", kind: .ordered(isUnique: true), parts: [IndexPart(FieldPath("code"))]), of: "Etude") }
        try fixture.reopenStore()
        try expect(fixture.store, [])
        try fixture.store.delete(Etude.self, id: 100)
        try fixture.store.createIndex("codes", on: Etude.self, \.code, unique: true)
        // A program that knows nothing of it keeps to it.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: MoodlessEtude.self) }
        #expect { try fixture.store.save(MoodlessEtude(id: 101, mood: nil, year: 0, code: 8)) } throws: {
            if case TroveError.uniqueViolation(_, "codes", _, "101", "8") = $0 { true } else { false }
        }
        try expect(fixture.store, ["codes"])
    }

    /// What another builder of the store finds out is told to who creates the index, who took it for dropped by another program.
    @Test(arguments: Engine.allCases) func uniqueOneThatAnotherBuilderGivesUp(engine: Engine) throws {
        let fixture = try fixture(engine, count: 10)
        try fixture.store.save(Etude(id: 100, mood: nil, year: 0, code: 7))
        var opened: InterveningBackend?
        try fixture.reopenStore {
            let backend = InterveningBackend($0)
            opened = backend
            return try ObjectStore(backend, durability: .relaxed, models: Etude.self)
        }
        let (store, backend) = (fixture.store, try #require(opened))
        // Between the transaction that begins the index and the first one that builds it.
        backend.intervene { backend.intervene { try store.buildIndexes() } }
        #expect { try store.createIndex("codes", on: Etude.self, \.code, unique: true) } throws: { error in
            guard case TroveError.uniqueViolation("Etude", "codes", _, let id, let other) = error else { return false }
            return Set([id, other]) == ["7", "100"]
        }
        try expect(store, [])
    }

    @Test(arguments: Engine.allCases) func keptThroughChangesOfTheModel(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.createIndex("by mood", on: Etude.self, \.mood)
        let directory = try fixture.store.read { try $0.indexTable.directory }
        try fixture.reopenStore()
        #expect(try fixture.store.read { try $0.indexTable.directory } == directory)
        // The field is gone: the index waits for it, and nothing is written at each opening.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: MoodlessEtude.self) }
        #expect(try fixture.store.indexes(of: "Etude").map(\.state) == [.building(after: nil)])
        try fixture.store.save(MoodlessEtude(id: 200, mood: nil, year: 0, code: nil))
        let waiting = try fixture.store.read { try $0.indexTable.directory }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: MoodlessEtude.self) }
        #expect(try fixture.store.read { try $0.indexTable.directory } == waiting)
        try expect(fixture.store, [])
        try fixture.reopenStore()
        try expect(fixture.store, ["by mood"])
        // By another name, in a later version.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LaterEtude.self) }
        try expect(fixture.store, ["by mood"])
        #expect(try fixture.store.indexes(of: "Etude").map { $0.schema.parts[0].path } == [FieldPath("feeling")])
        #expect(try fixture.store.upgrade(LaterEtude.self) == 61)
        try expect(fixture.store, ["by mood"])
        #expect(try fixture.store.fetch(LaterEtude.self).where(.comparison(.path(FieldPath("feeling")), .equal, .value("calm"))).explain().steps.contains { $0.index == "by mood" })
    }

    @Test(arguments: Engine.allCases) func declaredLater(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.createIndex("by mood", on: Etude.self, \.mood)
        let number = try fixture.store.read { try $0.indexTable.entries.map(\.number) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: DeclaringEtude.self) }
        #expect(try fixture.store.indexes(of: "Etude").map(\.isDeclared) == [true, true])
        #expect(try fixture.store.read { try $0.indexTable.entries.map(\.number) }.first == number.first, "it is taken over as it is")
        #expect(try fixture.store.dropUndeclaredIndexes() == 0)
        expectUndroppable("by mood", "declares it") { try fixture.store.dropIndex(named: "by mood", of: "Etude") }
        expectInvalid("x", "function") { try fixture.store.createIndex(Index<DeclaringEtude>(derived: "x", version: 1) { $0.year }) }
        expectInvalid("x", "function") { try fixture.store.createIndex(Index<DeclaringEtude>([.path("decade")], name: "x")) }
        try fixture.reopenStore()
        try expect(fixture.store, [])
        // A declaration of the same name is another index.
        try fixture.store.createIndex("by mood", on: Etude.self, \.year)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: DeclaringEtude.self) }
        try expect(fixture.store, ["by mood", "decade"])
    }

    @Test(arguments: Engine.allCases) func otherStoresAndCopies(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Etude.self)
        #expect(try other.fetch(Etude.self).where { $0.mood == "calm" }.count() == 18)
        try store.createIndex("by mood", on: Etude.self, \.mood)
        try other.save(Etude(id: 300, mood: "calm", year: 0, code: nil))
        #expect(try other.indexes(of: Etude.self).map(\.entries) == [61])
        let calm = other.fetch(Etude.self).where { $0.mood == "calm" }
        #expect(try calm.explain().steps.contains { $0.index == "by mood" })
        #expect(try other.indexes(of: Etude.self).map(\.uses) == [1])
        #expect(try store.indexes(of: Etude.self).map(\.uses) == [0])
        let target = MemoryBackend()
        try store.copy(to: target)
        let copy = try ObjectStore(target, models: Etude.self)
        try expect(copy, ["by mood"])
        // A program without the model can list and drop.
        try other.close()
        let plain = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: [])
        #expect(try plain.indexes(of: "Etude").map(\.isDeclared) == [false])
        #expect { try plain.createIndex(IndexSchema(parts: [IndexPart(FieldPath("year"))]), of: "Etude") } throws: {
            if case TroveError.unknownModel("Etude") = $0 { true } else { false }
        }
        try plain.dropIndex(named: "by mood", of: "Etude")
        try plain.close()
        #expect(try store.fetch(Etude.self).where { $0.mood == "calm" }.explain().steps.allSatisfy { $0.index == nil })
        try expect(store, [])
    }

    @Test(arguments: Engine.allCases) func ofDocuments(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let store = fixture.store
        let notes = store.documents("notes")
        try notes.createIndex("codes", on: "code", unique: true)
        try notes.save(
            (0..<40).map { number -> Document in
                let code: StoredValue = number % 2 == 0 ? .int(Int64(number)) : .string("none \(number)")
                return ["author": ["name": .string("A\(number % 4)")], "year": .int(Int64(number % 5)), "code": code]
            })
        try notes.createIndex("by author and year", on: "author.name", "year")
        #expect(try notes.indexes().map(\.schema.name) == [TroveError.indexOfPaths, "codes", "by author and year"])
        #expect { try notes.save(["code": 4.0]) } throws: { if case TroveError.uniqueViolation("notes", "codes", _, _, _) = $0 { true } else { false } }
        try notes.save(["title": "no code"])
        try notes.save(["title": "no code either"])
        let sorted = notes.fetch { $0["author.name"] == "A1" }.sorted(by: "year").limit(3)
        #expect(try sorted.explain().steps.contains { $0.index == "by author and year" })
        #expect(try sorted.values(at: "author.name", "year") == [["A1", 0], ["A1", 0], ["A1", 1]])
        try expect(store, [TroveError.indexOfPaths, "codes", "by author and year"], of: "notes")
        expectUndroppable(TroveError.indexOfPaths, "always has") { try notes.dropIndex(named: TroveError.indexOfPaths) }
        try notes.dropIndex(named: "codes")
        try notes.save(["code": 4.0])
        try fixture.reopenStore()
        try expect(fixture.store, [TroveError.indexOfPaths, "by author and year"], of: "notes")
    }

    /// An index has what is in the record: a change of another object would not reach it.
    @Test func valuesOfOtherObjectsAreInNone() throws {
        let store = try ObjectStore(MemoryBackend(), models: Take.self)
        for path in ["band.name", "bands[0].name", "bands[1].parent.name", "roles.lead.name"] {
            expectInvalid("x", "leads to another object, whose values only conditions, sorts, selections, groups and aggregates name") {
                try store.createIndex(IndexSchema("x", parts: [IndexPart(FieldPath(path))]), of: "Take")
            }
            expectInvalid("x", "leads to another object") {
                try store.createIndex(IndexSchema("x", parts: [IndexPart(FieldPath("number"))], covered: [FieldPath(path)]), of: "Take")
            }
        }
        #expect(try store.indexes(of: "Take").allSatisfy { $0.schema.name != "x" })
        try store.close()
    }

    @Test(arguments: Engine.allCases) func whatCannotBe(engine: Engine) throws {
        let fixture = try fixture(engine, count: 5)
        let store = fixture.store
        expectInvalid("x", "nothing") { try store.createIndex(Index<Etude>([.path("nothing")], name: "x")) }
        expectInvalid("x", "nothing inside") { try store.createIndex(Index<Etude>([.path("year.month")], name: "x")) }
        expectInvalid("text of mood", "full-text") { try store.createIndex(Index<Etude>.fullText([\.mood])) }
        expectInvalid("every path", "collection") { try store.createIndex(.paths(.all), of: "Etude") }
        expectInvalid("x", "no parts") { try store.createIndex(Index<Etude>([IndexKey<Etude>](), name: "x")) }
        expectUndroppable("x", "no index of this name") { try store.dropIndex(named: "x", of: Etude.self) }
        #expect { try store.createIndex(IndexSchema(parts: [IndexPart(FieldPath("name"))]), of: "$bags") } throws: {
            if case TroveError.unknownModel("$bags") = $0 { true } else { false }
        }
        try store.createIndex("x", on: Etude.self, \.mood)
        expectInvalid("x", "another index") { try store.createIndex("x", on: Etude.self, \.year) }
        try store.dropIndex(named: "x", of: Etude.self)
        #expect(throws: Stop.self) { try store.createIndex("x", on: Etude.self, \.mood) { _ in throw Stop() } }
        try expect(store, [])
    }
    @Test(arguments: Engine.allCases) func asynchronousTwins(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try await store.createIndex("x", on: Etude.self, \.mood)
        #expect(try await store.indexes(of: Etude.self).map(\.schema.name) == ["x"])
        try await store.dropIndex(named: "x", of: Etude.self)
        try await store.createIndex(IndexSchema("y", parts: [IndexPart(FieldPath("year"))]), of: "Etude")
        #expect(try await store.dropUndeclaredIndexes() == 1)
        #expect(try await store.indexes(of: "Etude").isEmpty)
    }
}

@Model private struct Take {
    var id: Int
    var number: Int
    var band: Reference<Band>?
    var bands: [Reference<Band>] = []
    var roles: [String: Reference<Band>] = [:]
}

@Model private struct Band {
    var id: Int
    var name: String
    var parent: Reference<Band>?
}
