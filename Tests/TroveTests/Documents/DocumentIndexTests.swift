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

    /// A group keeps the value of the document that made it when that one is gone, and those left have an equal one.
    @Test(arguments: Engine.allCases) func groupsOfEqualNumbersAreSound(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        let made: Document = ["n": .int(1)]
        try notes.save(made)
        try fixture.store.createIndex(IndexSchema("groups", parts: [IndexPart(FieldPath("n"))], aggregates: [.count]), of: "notes")
        try notes.save(["n": .double(1)])
        try notes.delete(made)
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report)")
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

    @Test(arguments: Engine.allCases) func uniqueIndexesCompareSingleValues(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        try notes.createIndex("codes", on: "code", unique: true)
        // Lists and what has values inside are not compared, whatever is in them; nor is what is in them with others' values.
        try notes.save([["code": [1, 2]], ["code": [1, 2]], ["code": [2, 3]], ["code": ["a": 1]], ["code": ["a": 1]], ["code": .null], [:], ["code": []]])
        for (first, second, shared) in [("a", "a", "a"), (1, 1.0, "1.0"), (true, true, "true")] as [(StoredValue, StoredValue, String)] {
            let stored: Document = ["code": first]
            try notes.save(stored)
            #expect {
                try notes.save(["code": second])
            } throws: { error in
                guard case TroveError.uniqueViolation("notes", "codes", let values, _, _) = error else { return false }
                #expect(values == "code = \(shared)")
                return true
            }
            try notes.delete(id: stored.id)
        }
        #expect(try notes.fetch { $0["code"] == [1, 2] }.count() == 2)
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report.problems)")
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
        #expect { try notes.save(map(0..<20_000)) } throws: { if case TroveError.tooManyPaths("notes", let path, 9_999) = $0 { path.hasPrefix("labels.id ") } else { false } }
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

/// What the index gives is what the conditions mean, where its paths tell less than the documents do.
@Suite struct DocumentIndexLimitTests {
    private func store(_ engine: Engine) throws -> (fixture: StoreFixture, notes: Documents<ObjectStore>) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        return (fixture, fixture.store.documents("notes"))
    }

    /// The entries of an array's elements do not tell which element each is.
    @Test(arguments: Engine.allCases) func positionsAreSortedByTheirOwnElement(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        try notes.save((0..<40).map { ["tags": [.string("m \(99 - $0)"), .string("z \($0)"), .string("b \($0)")], "n": .int($0)] })
        for (criteria, path) in [("tags[1] > 'a'", "tags[1]"), ("tags[0] > 'a'", "tags[0]")] as [(String, DocumentPath)] {
            for direction in [SortDirection.ascending, .descending] {
                let found = try notes.fetch(criteria).sorted(by: path, direction).limit(5).all().map { $0[path] }
                let all = try notes.fetch().all().compactMap { document -> String? in if case .string(let text)? = document[path] { text } else { nil } }.sorted()
                #expect(found == (direction == .ascending ? Array(all.prefix(5)) : all.suffix(5).reversed()).map { .string($0) }, "\(criteria), \(direction)")
            }
        }
        #expect(try notes.fetch("tags[007] is nil and tags[01] = 'z 7'").all().map { $0["n"] } == [7], "a position is a number, however it is written")
        #expect(try fixture.store.verify().isSound)
    }

    /// The elements of an array go by its name only where the search comes upon the array itself.
    @Test(arguments: Engine.allCases) func depthBeginsInside(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        let documents: [Document] = [["name": ["Ann"]], ["tags": [[7]]], ["name": ["name": ["Ann"]]], ["tags": [["tags": 7]]], ["x": ["name": [["Ann"]]]]]
        try notes.save(documents)
        func found(_ criteria: String) throws -> [Int] {
            let ids = try Set(notes.fetch(criteria).ids())
            #expect(try notes.fetch(criteria).count() == ids.count, "\(criteria)")
            return documents.indices.filter { ids.contains(documents[$0].id) }
        }
        #expect(try found("any depth of name.name = 'Ann'") == [2])
        #expect(try found("any tags (any depth of element.tags = 7)") == [3])
        #expect(try found("..name = 'Ann'") == [0, 2, 4])
        #expect(try found("any descendants of $ (any depth of element.name = 'Ann')") == [2, 4])
        #expect(try fixture.store.verify().isSound)
    }

    /// Where paths are left out, a position may stand for a step that has no name or for a name of digits.
    @Test(arguments: Engine.allCases) func positionsAndPathsLeftOut(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        try notes.setIndexing(.all.excluding("a.5.b"))
        try notes.save(["a": [0, 1, 2, 3, 4, ["5": ["b": 1]]], "c": [1, 2]])
        #expect(try notes.fetch { $0[#"a[5]["5"].b"#] == 1 }.count() == 1)
        #expect(try notes.fetch("c[1] = 2").count() == 1)
        #expect(try fixture.store.verify().isSound)
    }

    /// Many values at many paths would be ranges without number.
    @Test func manyValuesAtManyPathsAreNotSoughtOneByOne() throws {
        let (fixture, notes) = try store(.memory)
        try notes.save(["many": .object(Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("name \($0)", .int($0)) }))])
        let list = (500..<1_500).map(String.init).joined(separator: ", ")
        let fetch = notes.fetch("any descendants of $ (element in (\(list)))")
        #expect(try fetch.count() == 1)
        #expect(try !"\(fetch.explain(running: false))".contains("every path"))
        // One value is, where there is more to scan than there are paths.
        try notes.save((0..<20_000).map { ["name 0": .string("\($0)")] })
        #expect(try "\(notes.fetch("any descendants of $ = 5").explain(running: false))".contains("every path"))
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func ownIDsSortAndCompare(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        let documents: [Document] = (0..<5).map { ["id": .int(-$0)] }
        try notes.save(documents)
        let ids = documents.map(\.id).sorted()
        #expect(try notes.fetch().sorted(by: \.id).all().map(\.id) == ids)
        #expect(try notes.fetch().sorted(by: \.id, .descending).limit(2).all().map(\.id) == Array(ids.reversed().prefix(2)))
        #expect(try notes.fetch().aggregate(.maximum(\.id)) == ids.last)
        #expect(try fixture.store.verify().isSound)
    }

    /// An index that cannot be built keeps nobody from the store.
    @Test(arguments: Engine.allCases) func tooManyPathsForANewIndex(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        try notes.setIndexing(.all.excluding("labels"))
        try notes.save(["labels": .object(Dictionary(uniqueKeysWithValues: (0..<10_050).map { ("id \($0)", 1) })), "n": 1])
        #expect { try notes.setIndexing(.all) } throws: { if case TroveError.tooManyPaths("notes", _, 9_999) = $0 { true } else { false } }
        try fixture.reopenStore()
        let reopened = fixture.store.documents("notes")
        #expect(try reopened.fetch("n = 1").count() == 1)
        #expect(throws: TroveError.self) { try fixture.store.buildIndexes() }
        try reopened.setIndexing(.all.excluding("labels"))
        #expect(try reopened.attributes().map(\.path) == ["n"])
        #expect(try fixture.store.verify().isSound)
    }

    /// The path is written as it would be asked for.
    @Test func thePathOfTooManyIsWrittenOut() throws {
        let (fixture, notes) = try store(.memory)
        try notes.save(.init(.object(Dictionary(uniqueKeysWithValues: (0..<9_999).map { ("n\($0)", 1) }))))
        for (document, path) in [(["top": 1], "top"), (["a.b": 1], #"["a.b"]"#), (["n1": ["": 1]], #"n1[""]"#), (["n1": [1]], "n1[]")] as [(Document, String)] {
            #expect { try notes.save(document) } throws: { if case TroveError.tooManyPaths(_, let found, _) = $0 { found == path } else { false } }
        }
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func missingNumbersOfPathsAreFound(engine: Engine) throws {
        let (fixture, notes) = try store(engine)
        let store = fixture.store
        try notes.save(["a": 1, "b": 2, "c": ["d": 3]])
        #expect(try notes.fetch("a = 1").count() == 1, "the paths are known to the store object")
        try store.core.backend.write { writer in
            let keyspace = try #require(try writer.keyspace(named: PathDictionary.keyspaceName))
            var keys: [[UInt8]] = []
            try writer.scan(in: keyspace) { key, _ in
                keys.append([UInt8](copying: key))
                return .next
            }
            try writer.delete(keys[1], in: keyspace)
        }
        let report = try store.verify()
        #expect(report.indexDamage.map(\.wrong) == [1])
        #expect(report.problems.contains { "\($0.error)".contains(#"store.documents("notes").rebuildIndex()"#) })
        try notes.rebuildIndex()
        #expect(try store.verify().isSound)
    }
}

extension Explanation {
    /// How many records its steps met.
    var recordsRead: Int {
        func read(_ step: Step) -> Int {
            (step.kind == .read || step.kind == .scan ? step.actualRows ?? 0 : 0) + step.steps.map(read).reduce(0, +)
        }
        return read(step)
    }
}
