import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveMirror

/// Objects that share a file with their owner, and objects that get one of their own.
@Suite struct MirrorOwnerTests {
    /// An owner's file is deleted, and what it owned was put into a file of its own before.
    @Test(arguments: Engine.allCases) func whatWasOwnedHasAnotherFile(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((1...2).map { Line(id: $0, text: "line \($0)") })
        try fixture.store.save(Poem(id: "a", title: "A", lines: [Reference(id: 1), Reference(id: 2)]))
        try fixture.mirror.synchronize()
        try fixture.remove("Poem/a.json")
        try fixture.write(#"{"$id": 1, "text": "line 1"}"#, "Line/kept.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Poem.self).count() == 0 && fixture.store.fetch(Line.self).all() == [Line(id: 1, text: "line 1")])
        #expect(try fixture.text("Line/kept.json").contains("line 1"))
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// What was owned gets a file of its own, and its owner, which lets go of it, stays.
    @Test(arguments: Engine.allCases) func theOwnerLetsGo(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((1...2).map { Line(id: $0, text: "line \($0)") })
        try fixture.store.save(Poem(id: "a", title: "A", lines: [Reference(id: 1), Reference(id: 2)]))
        try fixture.mirror.synchronize()
        var objects = try WrittenObject.all(json: fixture.text("Poem/a.json"))
        let line = try #require(objects.first { $0.model == "Line" && $0.id == 1 })
        objects.removeAll { $0.model == "Line" && $0.id == 1 }
        objects[0].value = .object(["title": "A", "lines": [2]])
        try fixture.write(WrittenObject.text(objects, .pretty), "Poem/a.json")
        try fixture.write(WrittenObject.text([line], .pretty), "Line/kept.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Line.self).all().map(\.text) == ["line 1", "line 2"])
        #expect(try fixture.store.fetch(Poem.self, id: "a")?.lines.map(\.id) == [2] && fixture.text("Line/kept.json").contains("line 1"))
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// What was owned is pasted into a file with a mistake, and its owner lets go of it: both wait, however often it is tried.
    @Test(arguments: Engine.allCases) func theOwnerWaits(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((1...2).map { Line(id: $0, text: "line \($0)") })
        try fixture.store.save(Poem(id: "a", title: "A", lines: [Reference(id: 1), Reference(id: 2)]))
        try fixture.store.save(Line(id: 9, text: "line 9"))
        try fixture.mirror.synchronize()
        var objects = try WrittenObject.all(json: fixture.text("Poem/a.json"))
        let line = try #require(objects.first { $0.model == "Line" && $0.id == 2 })
        objects.removeAll { $0.model == "Line" && $0.id == 2 }
        objects[0].value = .object(["title": "new", "lines": [1]])
        try fixture.write(WrittenObject.text(objects, .pretty), "Poem/a.json")
        try fixture.write("[\(fixture.text("Line/9.json")), \(WrittenObject.text([line], .pretty)) oh", "Line/9.json")
        try fixture.store.save(Poem(id: "a", title: "other", lines: [Reference(id: 1), Reference(id: 2)]))
        for _ in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["Line/9.json", "Poem/a.json"] && report.isUnchanged, "\(report)")
            #expect(try fixture.store.fetch(Line.self).count() == 3 && fixture.paths() == ["Line/9.json", "Poem/a.json"])
        }
        try fixture.edit("Line/9.json", " oh", "]")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.map(\.properties) == [["title"]], "\(report)")
        #expect(try fixture.store.fetch(Line.self).all().map(\.text) == ["line 1", "line 2", "line 9"])
        #expect(try fixture.store.fetch(Poem.self, id: "a")?.lines.map(\.id) == [1])
    }

    /// A file that is deleted goes with all its objects, or stays: the delete rule would take along what the store changed.
    @Test(arguments: Engine.allCases) func anOwnedObjectWasChanged(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((1...2).map { Line(id: $0, text: "line \($0)") })
        try fixture.store.save(Poem(id: "a", title: "A", lines: [Reference(id: 1), Reference(id: 2)]))
        try fixture.mirror.synchronize()
        try fixture.store.save(Line(id: 2, text: "changed"))
        try fixture.remove("Poem/a.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.deleted.isEmpty && report.conflicts.map(\.object.id) == ["2"] && report.written == ["Poem/a.json"], "\(report)")
        #expect(try fixture.store.fetch(Line.self).all().map(\.text) == ["line 1", "changed"] && fixture.store.fetch(Poem.self).count() == 1)
        #expect(try fixture.text("Poem/a.json").contains("changed"))
        try fixture.remove("Poem/a.json")
        #expect(try !fixture.mirror.synchronize().deleted.isEmpty)
        #expect(try fixture.store.fetch(Line.self).count() == 0 && fixture.store.fetch(Poem.self).count() == 0)
    }

    @Test(arguments: Engine.allCases) func circlesOfOwners(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let next: [Int: Int] = [1: 2, 2: 3, 3: 1, 4: 1, 5: 5, 6: 7, 7: 8]
        try fixture.store.save((1...8).map { id in Ring(id: id, next: next[id].map { Reference(id: $0) }) })
        try fixture.mirror.synchronize()
        let objects = try fixture.paths().flatMap { try WrittenObject.all(json: fixture.text($0)) }
        #expect(objects.compactMap(\.id).map { "\($0)" }.sorted() == (1...8).map { "\(StoredValue.int(Int64($0)))" }.sorted())
        #expect(try fixture.paths().contains("Ring/6.json") && !fixture.exists("Ring/7.json") && !fixture.exists("Ring/8.json"))
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }
}
