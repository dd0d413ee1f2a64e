import Foundation
import TestSupport
import Testing

@testable import Trove

/// Places in the history, in this store and in others.
@Suite struct HistoryTokenTests {
    @Test func aTokenIsAText() throws {
        let token = HistoryToken(number: 12, stamp: 0xAB)
        #expect(token.description == "12-00000000000000ab")
        #expect(HistoryToken("12-00000000000000ab") == token)
        #expect(try JSONDecoder().decode([HistoryToken].self, from: JSONEncoder().encode([token, .start])) == [token, .start])
        for text in ["", "12", "12-ab", "012-00000000000000ab", "12-00000000000000AB", "-1-00000000000000ab", "12-00000000000000ab-", "12-+0000000000000ab"] {
            #expect(HistoryToken(text) == nil, "\(text)")
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([HistoryToken].self, from: Data(#"["x"]"#.utf8)) }
        #expect(HistoryToken.start < token && token < HistoryToken(number: 13, stamp: 1))
    }

    private func isUnknown(_ error: any Error) -> Bool { if case TroveError.unknownHistoryToken = error { true } else { false } }

    @Test(arguments: Engine.allCases) func aTokenOfAnotherStoreIsRefused(engine: Engine) throws {
        let (one, other) = (try historyFixture(engine), try historyFixture(engine))
        for id in 1...3 {
            try one.store.save(HistoryNote(id: id, title: "a", rank: 1))
            try other.store.save(HistoryNote(id: id, title: "a", rank: 1))
        }
        let token = try one.store.history(limit: 2).next
        #expect(try one.store.history(after: token).entries.count == 1)
        #expect(throws: (any Error).self) { try other.store.history(after: token) }
        #expect { try other.store.history(after: token) } throws: { isUnknown($0) }
        #expect { try other.store.trimHistory(through: token) } throws: { isUnknown($0) }
        let consumer = try other.store.historyConsumer("c")
        #expect { try consumer.markRead(through: token) } throws: { isUnknown($0) }
        #expect(try other.store.history().entries.count == 3)
        // One that comes before anything was kept there.
        let empty = try historyFixture(engine)
        #expect { try empty.store.history(after: token) } throws: { isUnknown($0) }
        #expect(try empty.store.history(after: .start).entries.isEmpty)
    }

    /// A copy has the history, and goes on with one of its own; so does a state that was restored.
    @Test(arguments: Engine.allCases) func aCopyGoesOnByItself(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let consumer = try fixture.store.historyConsumer("c")
        try fixture.store.save(HistoryNote(id: 1, title: "a", rank: 1))
        let shared = try fixture.store.latestHistoryToken()
        try consumer.markRead(through: shared)
        let target = MemoryBackend(name: "history of \(engine) \(UInt64.random(in: 0 ... .max))")
        try fixture.store.copy(to: target)
        let copy = try ObjectStore(target, models: HistoryNote.self, HistoryTag.self)
        #expect(try copy.historyPolicy() == .values)
        #expect(try copy.history().entries.lines() == [[.init(.insertion, nil, "a")]])
        #expect(try copy.historyConsumers().map(\.position) == [shared])
        try fixture.store.save(HistoryNote(id: 1, title: "b", rank: 1))
        let later = try fixture.store.latestHistoryToken()
        // The copy is at a state before that place, then at another one with the same number.
        #expect { try copy.history(after: later) } throws: { isUnknown($0) }
        try copy.save(HistoryNote(id: 1, title: "c", rank: 1))
        #expect { try copy.history(after: later) } throws: { isUnknown($0) }
        #expect(try copy.history(after: shared).entries.lines() == [[.init(.update, "a", "c")]])
        #expect(try fixture.store.history(after: shared).entries.lines() == [[.init(.update, "a", "b")]])
    }
}
