import Foundation
import TestSupport
import Testing

@testable import Trove

/// A store that is built anew from the history of another one is the same at each of its places.
@Suite struct HistoryReplayTests {
    private struct Refusal: Error {}

    /// What a program of random changes has made of the objects, by places in the history.
    private struct Run {
        var notes: [Int: HistoryNote] = [:]
        var tags: [String: HistoryTag] = [:]
    }

    private static func change(_ transaction: WriteTransaction, _ run: inout Run, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let id = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let note = HistoryNote(id: id, title: String(repeating: "t", count: Int.random(in: 0...40, using: &random)), rank: Int.random(in: 0...3, using: &random))
                try transaction.save(note)
                run.notes[id] = note
            case 3:
                let tag = HistoryTag(id: "tag \(id)", count: Int.random(in: 0...9, using: &random))
                try transaction.save(tag)
                run.tags[tag.id] = tag
            case 4:
                try transaction.delete(HistoryNote.self, id: id)
                run.notes[id] = nil
            case 5:
                let rank = Int.random(in: 0...3, using: &random)
                try transaction.fetch(HistoryNote.self).where { $0.rank == rank }.update { $0.title = "updated" }
                for (id, note) in run.notes where note.rank == rank { run.notes[id] = HistoryNote(id: note.id, title: "updated", rank: rank) }
            case 6:
                var inner = run
                let fails = Bool.random(using: &random)
                do {
                    try transaction.savepoint {
                        try change(transaction, &inner, &random)
                        if fails { throw Refusal() }
                    }
                    run = inner
                } catch is Refusal {}
            default:
                guard Int.random(in: 0..<5, using: &random) == 0 else { break }
                try transaction.deleteAll(HistoryTag.self)
                run.tags = [:]
            }
        }
    }

    @Test(arguments: Engine.allCases, 0..<UInt64(6)) func aReplayGivesEveryState(engine: Engine, seed: UInt64) throws {
        let fixture = try historyFixture(engine)
        var random = SeededGenerator(seed: seed)
        var run = Run()
        var states: [(HistoryToken, Run)] = []
        for _ in 0..<60 {
            var next = run
            let fails = Int.random(in: 0..<6, using: &random) == 0
            do {
                try fixture.store.write { transaction in
                    try Self.change(transaction, &next, &random)
                    if fails { throw Refusal() }
                }
                run = next
            } catch is Refusal {}
            states.append((try fixture.store.latestHistoryToken(), run))
            if Int.random(in: 0..<20, using: &random) == 0 { try fixture.reopenStore() }
        }
        #expect(Set(try fixture.store.fetch(HistoryNote.self).all()) == Set(run.notes.values))
        // Forwards by what came, and back by what was: each page begins where the last one ended.
        var replay = Run()
        var token: HistoryToken?
        var entries: [HistoryEntry] = []
        while case let (page, next) = try fixture.store.history(after: token, limit: 7), !page.isEmpty {
            entries += page
            token = next
        }
        for entry in entries {
            for change in entry.changes {
                #expect(try change.old(HistoryNote.self) == (try noteID(change)).flatMap { replay.notes[$0] })
                if let id = try noteID(change) { replay.notes[id] = try change.new(HistoryNote.self) }
                if let id = try tagID(change) { replay.tags[id] = try change.new(HistoryTag.self) }
            }
            if let state = states.last(where: { $0.0 == entry.token }) {
                #expect(replay.notes == state.1.notes)
                #expect(replay.tags == state.1.tags)
            }
        }
        #expect(replay.notes == run.notes && replay.tags == run.tags)
        for entry in entries.reversed() {
            for change in entry.changes.reversed() {
                if let id = try noteID(change) { replay.notes[id] = try change.old(HistoryNote.self) }
                if let id = try tagID(change) { replay.tags[id] = try change.old(HistoryTag.self) }
            }
        }
        #expect(replay.notes.isEmpty && replay.tags.isEmpty)
        #expect(try fixture.store.verify().isSound)
    }

    private func noteID(_ change: ObjectChange) throws -> Int? {
        change.reference.modelName == "history note" ? try Int(keyBytes: change.reference.keyBytes) : nil
    }

    private func tagID(_ change: ObjectChange) throws -> String? {
        change.reference.modelName == "history tag" ? try String(keyBytes: change.reference.keyBytes) : nil
    }
}
