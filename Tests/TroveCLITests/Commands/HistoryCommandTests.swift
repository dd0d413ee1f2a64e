import Foundation
import TestSupport
import Testing
import Trove

/// What was changed in a store, on the command line.
@Suite struct HistoryCommandTests {
    @Test(arguments: Engine.persistent) func aHistoryIsKeptAndShown(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let none = try fixture.run("trove history music.store")
        #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("'trove history keep STORE values --write'"), "\(none)")
        #expect(try fixture.run("trove history keep music.store values").status == 2)
        #expect(try fixture.run("trove history keep music.store values --days 1.5 --write").status == 0)
        #expect(try fixture.run("trove info music.store -o line").output.contains("values of everything, for 1.5 days"))
        // Kept, and nothing was changed yet.
        let empty = try fixture.run("trove history music.store")
        #expect(empty.status == 1 && empty.output.isEmpty && empty.errors.isEmpty, "\(empty)")
        #expect(try fixture.run("trove set music.store Song 4 rating=5 --write; trove delete music.store Song 3 --write").status == 0)
        let rows = try fixture.run("trove history music.store -o jsonl").output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(rows.map { $0["change"] as? String } == ["changed", "deleted"])
        #expect(rows.map { $0["model"] as? String } == ["Song", "Song"])
        #expect(rows.map { $0["$id"] as? Int } == [4, 3])
        #expect((rows[0]["after"] as? [String: Any])?.count == 1 && (rows[0]["after"] as? [String: Any])?["rating"] as? Double == 5)
        #expect((rows[1]["before"] as? [String: Any])?["year"] as? Int == -5 && rows[1]["after"] == nil)
        let token = try #require(rows[0]["token"] as? String)
        #expect(try fixture.run("trove history show music.store Song --after \(token) -o csv").output.split(separator: "\n").count == 2)
        #expect(try fixture.run("trove history show music.store --last 1 -o csv").output.contains("deleted"))
        #expect(try fixture.run("trove history show music.store Song 4 -o csv").output.split(separator: "\n").count == 2)
        #expect(try fixture.run("trove history show music.store Album").status == 1)
        #expect(try fixture.run("trove history show music.store --after 99-0000000000000001").status == 3)
        #expect(try fixture.run("trove history show music.store --after x").status == 2)
        let trimmed = try fixture.run("trove history trim music.store --days 0 --write")
        #expect(trimmed.status == 0 && trimmed.output == "2 transactions removed\n", "\(trimmed)")
        #expect(try fixture.run("trove history delete music.store --write; trove history music.store").status == 1)
    }

    /// Who trims because a store has grown is told why it stays as it is.
    @Test(arguments: Engine.persistent) func consumersThatHoldItAreNamed(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine) { store in
            try Music.fill(store)
            try store.keepHistory(.values)
            for name in ["words", "sums"] { _ = try store.historyConsumer(name) }
        }
        #expect(try fixture.run("trove set music.store Song 4 rating=5 --write").status == 0)
        let held = try fixture.run("trove history trim music.store --days 0 --write")
        #expect(held.status == 0 && held.output == "0 transactions removed\n" && held.errors.contains("sums, words") && held.errors.contains("--including-unread"), "\(held)")
        #expect(try fixture.run("trove history trim music.store --days 1 --write").errors.isEmpty)
        let removed = try fixture.run("trove history trim music.store --days 0 --including-unread --write")
        #expect(removed == .init(status: 0, output: "1 transaction removed\n", errors: ""))
        // What they have lost already, they do not hold.
        #expect(try fixture.run("trove set music.store Song 4 rating=4 --write").status == 0)
        let lost = try fixture.run("trove history trim music.store --days 0 --write")
        #expect(lost == .init(status: 0, output: "1 transaction removed\n", errors: ""))
    }

    /// Of a clock that was wrong, or a store that was made to do harm.
    @Test(arguments: Engine.persistent) func datesThatAreNoneAreShown(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine) { store in
            try store.keepHistory(.values)
            for seconds in [Double.nan, .infinity, -1e300, 0, 0.75] {
                store.clock = { Date(timeIntervalSinceReferenceDate: seconds) }
                try store.documents("notes").save(["title": "a"])
            }
        }
        let answer = try fixture.run("trove history music.store -o line")
        #expect(answer.status == 0, "\(answer)")
        let times = answer.output.split(separator: "\n").map { line in line.firstRange(of: "  inserted").map { String(line[..<$0.lowerBound]) } ?? "" }
        #expect(times == ["nan", "inf", "-1e+300", "2001-01-01 00:00:00Z", "2001-01-01 00:00:00Z"], "\(answer)")
        #expect(try fixture.run("trove history music.store -o jsonl").status == 0)
    }

    /// A bag that loses a member is in it too, by the id that other commands take.
    @Test(arguments: Engine.persistent) func bagsAreInIt(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove history keep music.store values --write; trove delete music.store Song 1 --write -o csv > deleted").status == 0)
        let rows = try CSVReader.rows(fixture.run("trove history music.store -o csv").output)
        #expect(Set(rows.dropFirst().map { [$0[3], $0[4]] }) == [["deleted", "Song"], ["changed", "a bag"]])
        let bag = try #require(rows.first { $0[4] == "a bag" }?[5])
        #expect(try fixture.run("trove bags show music.store \(bag)").status == 0)
        #expect(try String(decoding: fixture.bytes(of: "deleted"), as: UTF8.self).contains("changed,a bag,\(bag)"))
    }

    /// What a person sees.
    @Test func aLineTellsWhatWasAndWhatIs() throws {
        let fixture = try CommandFixture(.sqlite)
        let terminal = try fixture.terminal(
            "sh -c 'trove history keep music.store values --write; trove set music.store Song 4 year=1960 --write; trove history music.store; echo done'", columns: 120)
        for part in ["changed", "Song", "2000", "→", "1960", "done"] { try terminal.wait(for: part) }
    }
}
