import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveCLI

/// Errors say on the command line what to do there, and nothing about calls of Swift.
@Suite struct AdviceTests {
    private static let errors: [(error: TroveError, advice: String)] = [
        (.corruptIndex(model: "notes", index: "every path", reason: "an entry is cut"), "trove index rebuild STORE notes --write"),
        (.corruptIndex(model: "notes", index: "words of documents", reason: "an entry is cut"), "trove index rebuild STORE notes --write"),
        (.corruptIndex(model: "Song", index: "artist", reason: "an entry is cut"), "a program that has Song builds its indexes anew"),
        (.corruptRecord(model: "Song", id: "4", reason: "its checksum differs"), "'trove delete'"),
        (.uniqueViolation(model: "Album", index: "unique number", values: "number = 1", id: "a", otherID: "b"), "change or delete one of them"),
        (.fieldKeysMissing(model: "Patient", property: "diagnosis"), "--field-key-file"), (.encryptedRecord(model: "Patient", id: "3"), "--field-key-file"),
        (.alreadyExists(model: "Song", id: "4"), "'trove set'"), (.noSuchBlob(name: "cover"), "'trove blobs list'"), (.bagNameTaken(name: "tonight"), "another bag"),
        (.lineRefused(line: 3, underlying: TroveError.alreadyExists(model: "Song", id: "4")), "--batches"),
        (.unknownField(model: "Song", field: "titel", known: ["title", "year"]), "did you mean 'title'? (it has title, year)"),
    ]

    @Test func adviceSpeaksOfCommands() {
        for (error, advice) in Self.errors {
            let text = CommandAdvice.description(of: error) + " " + (CommandAdvice.text(for: error) ?? "")
            #expect(text.contains(advice), "\(text)")
            for call in ["store.", "try store", "ObjectStore(", "indexing:", "mode:", "()", "use save"] { #expect(!text.contains(call), "\(call) in: \(text)") }
        }
    }

    /// What verify finds damaged is told with what to do, each thing once.
    @Test(arguments: Engine.persistent) func verificationSaysWhatToDo(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let backend = try engine.open(fixture.directory.file("music.store"))
        var damaged = 0
        try backend.write(.durable) { writer in
            // Entries of the collection's index that no document has.
            for name in try writer.keyspaceNames() where name.hasPrefix("$index/") && !name.dropFirst("$index/".count).contains("/") {
                guard let keyspace = try writer.keyspace(named: name) else { continue }
                var first: [UInt8]?
                try writer.scanKeys(.all, in: keyspace, order: .ascending, expecting: 1) { key in
                    first = key.withUnsafeBytes { Array($0) }
                    return .stop
                }
                guard let first, try writer.delete(first, in: keyspace) else { continue }
                damaged += 1
            }
        }
        try backend.close()
        #expect(damaged > 2)
        let answer = try fixture.run("trove verify music.store -o csv")
        #expect(answer.status == 1 && answer.errors.contains("trove index rebuild STORE notes --write"), "\(answer)")
        #expect(answer.errors.components(separatedBy: "rebuild STORE notes").count == 2 && !(answer.output + answer.errors).contains("try store"), "\(answer)")
        #expect(try fixture.run("trove index rebuild music.store notes --write").status == 0)
        #expect(try !fixture.run("trove verify music.store -o csv").output.contains("every path"))
    }
}
