import Foundation
import TestSupport
import Testing

@testable import Trove

/// The index of all paths: what is in it, what it is used for, how it is damaged and mended.
@Suite struct DocumentIndexTests {
    private func store(_ engine: Engine) throws -> (fixture: StoreFixture, notes: Documents<ObjectStore>) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        return (fixture, fixture.store.documents("notes"))
    }

    private func entries(_ store: ObjectStore) throws -> Int {
        try store.indexStatistics().filter { $0.model == "notes" && $0.state == .ready }.reduce(0) { $0 + $1.entries }
    }

    @Test(arguments: Engine.allCases) func conditionsAreAnsweredByTheIndex(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        try notes.save((0..<500).map { number in
            ["n": .int(Int64(number)), "author": ["name": .string("name \(number % 50)")], "tags": ["all", .string("tag \(number % 10)")], "lines": [["price": .int(Int64(number))], ["price": 1_000]]]
        })
        let conditions: [(String, Int, Int)] = [
            ("author.name = 'name 7'", 10, 10), ("n between 5 and 9", 5, 5), ("any tags = 'tag 3'", 50, 500), ("author.name begins with 'name 4'", 110, 500),
            ("n in (1, 2, 3, 999)", 3, 3), ("any lines (price = 7)", 1, 1), ("..price = 8", 1, 1), ("any descendants of $ = 'name 9'", 10, 10), ("tags[1] = 'tag 3'", 50, 500),
            ("unknown.path = 5", 0, 0), ("n < 100 and author.name = 'name 7'", 2, 100), ("n = 1 or author.name = 'name 2'", 11, 11), ("any ..price > 2000", 0, 0),
        ]
        for (criteria, count, most) in conditions {
            let fetch = notes.fetch(criteria)
            #expect(try fetch.all().count == count, "\(criteria)")
            #expect(try fetch.count() == count, "\(criteria)")
            let explanation = try fetch.explain()
            #expect(explanation.recordsRead <= most, "\(criteria)\n\(explanation)")
        }
        #expect("\(try notes.fetch("author.name = 'name 7'").explain())".contains("index 'every path': author.name = 'name 7'"))
        let sorted = notes.fetch("n >= 10").sorted(by: "n", .descending).limit(3)
        #expect(try sorted.all().map { $0["n"] } == [499, 498, 497])
        let sortedPlan = try sorted.explain()
        #expect(sortedPlan.recordsRead <= 8, "\(sortedPlan)")
        let first = notes.fetch().sorted(by: "n", .descending).limit(5)
        #expect(try first.all().map { $0["n"] } == [499, 498, 497, 496, 495])
        let firstPlan = try first.explain()
        #expect(firstPlan.recordsRead == 5, "\(firstPlan)")
        #expect(try entries(fixture.store) == 500 * 11, "the document, its four names, the author's, two tags, what the elements of lines are, and two prices")
    }

    @Test(arguments: Engine.allCases) func entriesFollowTheDocuments(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        var note: Document = ["a": 5, "tags": ["x", "y", "x"], "b": ["c": "text"]]
        try notes.save(note)
        #expect(try entries(fixture.store) == 7)
        note["a"] = "5"
        note["tags"] = ["y"]
        note["b"] = nil
        try notes.save(note)
        #expect(try entries(fixture.store) == 4)
        #expect(try notes.fetch("a = 5").count() == 0)
        #expect(try notes.fetch("a = '5'").count() == 1)
        #expect(try notes.fetch("any tags = 'x'").count() == 0)
        #expect(try notes.fetch("b.c = 'text'").count() == 0)
        #expect(try notes.attributes().map(\.description) == ["a: 1 text", "tags: 1 container", "tags[]: 1 text"])
        try notes.delete(note)
        #expect(try entries(fixture.store) == 0)
        #expect(try notes.attributes() == [])
        #expect(try fixture.store.verify().isSound)
    }

    @Test func attributesAreListed() throws {
        let (fixture, notes) = try store(.memory)
        try notes.save([
            ["a": 1, "b": ["c": "x"], "lines": [["price": 1], ["price": 2]]], ["a": "1", "b": ["c": .null, "d.e": true]], ["a": 1.5, "": .date(.now), "b": ["c": "y"]],
        ])
        #expect(try notes.attributes().map(\.description) == [
            #"[""]: 1 date"#, "a: 2 number, 1 text", "b: 3 container", "b.c: 2 text", #"b["d.e"]: 1 bool"#, "lines: 1 container", "lines[]: 1 container", "lines[].price: 2 number",
        ])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func damageIsFoundAndMended(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        let store = fixture.store
        try notes.save((0..<20).map { ["n": .int($0), "name": .string("name \($0)")] })
        let number = try #require(try store.core.read { try $0.indexTable.entries.first?.number })
        func damage(_ change: (any StorageWriter, Keyspace, [[UInt8]]) throws -> Void) throws {
            try store.core.backend.write { writer in
                let keyspace = try #require(try writer.keyspace(named: IndexCatalogueEntry.keyspaceName(number)))
                var keys: [[UInt8]] = []
                try writer.scan(in: keyspace) { key, _ in
                    keys.append([UInt8](copying: key))
                    return .next
                }
                try change(writer, keyspace, keys)
            }
        }
        // One entry is gone, and one is of a document that has no such value.
        try damage { writer, keyspace, keys in
            try writer.delete(keys[25], in: keyspace)
            var other = keys[30]
            other[7] ^= 1
            try writer.put(other, [UInt8(other.count - 16)], in: keyspace)
        }
        let report = try store.verify()
        #expect(report.indexDamage.count == 1)
        #expect(report.indexDamage.first?.missing == 1)
        #expect(report.indexDamage.first?.stale == 1)
        try notes.rebuildIndex()
        #expect(try store.verify().isSound)
        #expect(try notes.fetch("n = 5").count() == 1)
        // A path that cannot be read.
        try store.core.backend.write { writer in
            let keyspace = try #require(try writer.keyspace(named: PathDictionary.keyspaceName))
            var last: [UInt8] = []
            try writer.scan(in: keyspace) { key, _ in
                last = [UInt8](copying: key)
                return .next
            }
            try writer.put(last, [1, 2, 3], in: keyspace)
        }
        #expect(try !store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func tooManyPathsAreRefused(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        func map(_ range: Range<Int>) -> Document { ["labels": .object(Dictionary(uniqueKeysWithValues: range.map { ("id \($0)", 1) }))] }
        #expect { try notes.save(map(0..<20_000)) } throws: { if case TroveError.tooManyPaths("notes", let path, 10_000) = $0 { path.hasPrefix("labels.id ") } else { false } }
        #expect(try notes.count() == 0)
        try notes.save(map(0..<9_998))
        #expect(throws: TroveError.self) { try notes.save(["another": 1]) }
        try notes.save(["labels": ["id 5": 7]])
        try notes.setIndexing(.all.excluding("labels"))
        try notes.save(map(10_000..<10_500))
        try notes.save(["another": 1])
        #expect(try notes.fetch("another = 1").count() == 1)
        #expect(try notes.fetch { $0["labels.id 10001"] == 1 }.count() == 1, "found by reading")
        #expect(try notes.fetch { $0["labels.id 5"] == 7 }.count() == 1)
        #expect(try notes.attributes().map(\.path) == ["another"])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func settingsAreKept(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        let indexing = DocumentIndexing.only("a", #"["x.y"]"#).excluding("a.log")
        try notes.save(["a": ["b": 1, "log": ["deep": 2]], "c": 3, "x.y": 4])
        #expect(try notes.indexing() == .all)
        try notes.setIndexing(indexing)
        #expect(try entries(fixture.store) == 4)
        try fixture.reopenStore()
        let reopened = fixture.store.documents("notes")
        #expect(try reopened.indexing() == indexing)
        for criteria in ["a.b = 1", "a.log.deep = 2", "c = 3", "\"x.y\" = 4", "..deep = 2", "any descendants of a = 2", "a.log is not nil", "any descendants of $ = 4"] {
            #expect(try reopened.fetch(criteria).count() == 1, "\(criteria)")
        }
        #expect(try fixture.store.verify().isSound)
    }
}

extension Explanation {
    /// How many records its steps met.
    fileprivate var recordsRead: Int {
        func read(_ step: Step) -> Int {
            (step.kind == .read || step.kind == .scan ? step.actualRows ?? 0 : 0) + step.steps.map(read).reduce(0, +)
        }
        return read(step)
    }
}
