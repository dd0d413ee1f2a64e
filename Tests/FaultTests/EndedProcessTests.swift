import Foundation
import TestSupport
import Testing
import Trove
import TroveDocument
import TroveMirror

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif

/// A process ends at the first, second, third … call that changes a file, while it works with a document or synchronizes a mirror: see `EndedRun` in the target SystemFaultProbe.
@Suite(.enabled(if: isPossible, "ending a process at a system call works on Linux only")) struct EndedProcessTests {
    private static let isComplete = ProcessInfo.processInfo.environment["TROVE_FAULTS"] == "all"

    /// Runs `body` for the states that processes left which ended at ever later calls, until one comes to its end. Returns how many ended.
    private static func forEachEnd(_ kind: String, _ engine: Engine, _ template: TemporaryDirectory, _ body: (TemporaryDirectory, _ isWhole: Bool) throws -> Void) throws -> Int {
        let probe = Tool(at: try ProgramBesideTests.named("SystemFaultProbe"))
        var (call, ended) = (1, 0)
        while true {
            let folder = try TemporaryDirectory()
            for name in try FileManager.default.contentsOfDirectory(atPath: template.path) {
                try FileManager.default.copyItem(atPath: template.file(name), toPath: folder.file(name))
            }
            let result = try probe.run([kind, engine.rawValue, "\(call)", folder.path])
            let isWhole = result.output.contains("done")
            #expect(isWhole || result.status == 77, "\(call): \(result)")
            try body(folder, isWhole)
            if isWhole || result.status != 77 { return ended }
            ended += 1
            call += isComplete ? 1 : 1 + call / 6
        }
    }

    private static func states(_ store: ObjectStore) throws -> Set<StoredValue?> {
        #expect(try store.verify().isSound)
        return Set(try store.documents("notes").fetch().all().map { $0["state"] })
    }

    @Test(arguments: Engine.chosen(by: "TROVE_FAULTS_ENGINE", of: Engine.persistent)) func savingADocument(engine: Engine) throws {
        let template = try TemporaryDirectory()
        let store = try ObjectStore(engine.open(template.file("document")), models: [])
        try store.documents("notes").save((0..<40).map { ["state": "old", "number": .int(Int64($0))] })
        try store.close()
        var seen: Set<StoredValue?> = []
        let ended = try Self.forEachEnd("document", engine, template) { folder, isWhole in
            // The file alone, as a program without documents opens it.
            let alone = try TemporaryDirectory()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("document") {
                try FileManager.default.copyItem(atPath: folder.file(name), toPath: alone.file(name))
            }
            let file = try ObjectStore(engine.open(alone.file("document")), models: [])
            let states = try Self.states(file)
            try file.close()
            #expect(states == ["old"] || states == ["new"], "the file is the old one or the new one")
            #expect(!isWhole || states == ["new"])
            seen.formUnion(states)
            // And the changes are in the file or found again.
            let document = try StoreDocument(at: URL(filePath: folder.file("document")), engine: DocumentEngine(engine.rawValue) { try engine.open($0) }, recovery: .restore)
            #expect(try Self.states(document.store) == ["new"])
            #expect(document.hasUnsavedChanges || states == ["new"])
            try document.save(overwriting: true)
            try document.close()
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
            #expect(left == [])
        }
        #expect(ended > 3 && seen == ["old", "new"])
    }

    /// The file stays as it is, and the next opening finds whatever was begun, and takes it away.
    @Test(arguments: Engine.chosen(by: "TROVE_FAULTS_ENGINE", of: Engine.persistent), ["opening", "reverting"])
    func openingADocument(engine: Engine, kind: String) throws {
        let template = try TemporaryDirectory()
        let store = try ObjectStore(engine.open(template.file("document")), models: [])
        try store.documents("notes").save((0..<40).map { ["state": "old", "number": .int(Int64($0))] })
        try store.close()
        let ended = try Self.forEachEnd(kind, engine, template) { folder, isWhole in
            func hidden() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") } }
            #expect(try !isWhole || hidden() == [])
            let document = try StoreDocument(
                at: URL(filePath: folder.file("document")), engine: DocumentEngine(engine.rawValue) { try engine.open($0) }, recovery: .restore)
            let states = try Self.states(document.store)
            #expect(document.hasUnsavedChanges ? states == ["old"] || states == ["new"] : states == ["old"])
            #expect(try hidden().count == 2, "a desk and a store")
            try document.close(discardingChanges: true)
            #expect(try hidden() == [])
        }
        #expect(ended > 3)
    }

    @Test(arguments: Engine.chosen(by: "TROVE_FAULTS_ENGINE", of: Engine.persistent)) func synchronizingAMirror(engine: Engine) throws {
        let template = try TemporaryDirectory()
        let store = try ObjectStore(engine.open(template.file("store")), models: [])
        let notes = store.documents("notes")
        var documents: [Document] = (0..<6).map { ["title": .string("t\($0)"), "year": 1] }
        try notes.save(documents)
        var mirror: StoreMirror? = try StoreMirror(store, at: URL(filePath: template.file("mirror")))
        try mirror?.synchronize()
        mirror = nil
        // One changed in the store, one in its file, one in both, one deleted on each side, one new on each side.
        func path(_ document: Document) -> URL { URL(filePath: template.file("mirror/notes/\(document.id).json")) }
        func edit(_ document: Document, _ old: String, _ new: String) throws {
            try Data(String(contentsOf: path(document), encoding: .utf8).replacing(old, with: new).utf8).write(to: path(document))
        }
        documents[0]["title"] = "store"
        documents[2]["title"] = "store"
        try notes.save([documents[0], documents[2]])
        try edit(documents[1], "t1", "file")
        try edit(documents[2], "\"year\": 1", "\"year\": 2")
        try notes.delete(ids: [documents[3].id])
        try FileManager.default.removeItem(at: path(documents[4]))
        try notes.save(["title": "new in the store", "year": 1])
        try Data(#"{"$id": {"$objectID": "0192f0c1-0000-7000-8000-000000000001"}, "title": "new in a file", "year": 1}"#.utf8).write(to: URL(filePath: template.file("mirror/notes/new.json")))
        try store.close()
        let expected = ["file 1", "new in a file 1", "new in the store 1", "store 1", "store 2", "t5 1"]
        let ended = try Self.forEachEnd("mirror", engine, template) { folder, isWhole in
            let store = try ObjectStore(engine.open(folder.file("store")), models: [])
            defer { try? store.close() }
            #expect(try store.verify().isSound)
            let mirror = try StoreMirror(store, at: URL(filePath: folder.file("mirror")))
            let report = try mirror.synchronize()
            #expect(report.problems.isEmpty && report.conflicts.isEmpty && (!isWhole || report.isUnchanged), "\(report)")
            func text(_ value: StoredValue) -> String {
                if case .string(let title)? = value.value(at: "title"), case .int(let year)? = value.value(at: "year") { "\(title) \(year)" } else { "\(value)" }
            }
            #expect(try store.documents("notes").fetch().all().map { text($0.value) }.sorted() == expected)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("mirror/notes")).filter { $0.hasSuffix(".json") }
            let read = try files.flatMap { try WrittenObject.all(json: String(contentsOfFile: folder.file("mirror/notes/\($0)"), encoding: .utf8)) }.map { text($0.value) }
            #expect(read.sorted() == expected)
            #expect(try mirror.synchronize().isUnchanged)
        }
        #expect(ended > 8)
    }
}
