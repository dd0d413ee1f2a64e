import Foundation
import TestSupport
import Testing

@testable import Trove

/// What is removed from a history, and what consumers keep.
@Suite struct HistoryTrimmingTests {
    private func isTrimmed(_ error: any Error) -> Bool { if case TroveError.historyTrimmed = error { true } else { false } }

    /// A store with ten entries, a second apart.
    private func fixture(_ engine: Engine, _ policy: HistoryPolicy = .values) throws -> StoreFixture {
        let fixture = try historyFixture(engine, policy)
        try write(1...10, in: fixture.store)
        return fixture
    }

    private func write(_ ids: ClosedRange<Int>, in store: ObjectStore) throws {
        for id in ids {
            store.core.clock.tell = { Self.date(id) }
            try store.save(HistoryNote(id: id, title: "n\(id)", rank: 1))
        }
    }

    private static func date(_ id: Int) -> Date { Date(timeIntervalSinceReferenceDate: 1_000 + Double(id)) }

    private func titles(_ store: ObjectStore, after token: HistoryToken? = nil) throws -> [String?] {
        try store.history(after: token).entries.flatMap { try $0.changes.map { try $0.new(HistoryNote.self)?.title } }
    }

    @Test(arguments: Engine.allCases) func entriesGoFromTheBeginning(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let tokens = try store.history().entries.map(\.token)
        #expect(try store.trimHistory(through: tokens[2]) == 3)
        #expect(try titles(store) == (4...10).map { "n\($0)" })
        #expect(try titles(store, after: tokens[2]) == (4...10).map { "n\($0)" })
        #expect { try store.history(after: tokens[1]) } throws: { isTrimmed($0) }
        #expect { try store.history(after: .start) } throws: { isTrimmed($0) }
        // A place that is gone has nothing left to remove.
        #expect(try store.trimHistory(through: tokens[1]) == 0)
        #expect(try store.trimHistory(through: tokens[2]) == 0)
        #expect(try store.trimHistory(before: Self.date(6)) == 2)
        #expect(try store.trimHistory(before: Self.date(1)) == 0)
        #expect(try titles(store) == (6...10).map { "n\($0)" })
        #expect(try store.verify().isSound)
        // All of it may go, and what comes has the next number.
        #expect(try store.trimHistory(before: .distantFuture) == 5)
        #expect(try store.history().entries.isEmpty)
        #expect(try store.latestHistoryToken() == tokens[9])
        try fixture.reopenStore()
        try fixture.store.save(HistoryNote(id: 20, title: "last", rank: 1))
        #expect(try titles(fixture.store, after: tokens[9]) == ["last"])
        #expect(try fixture.store.history().entries.map(\.token.number) == [11])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatAConsumerHasNotReadStays(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let (slow, fast) = (try store.historyConsumer("slow"), try store.historyConsumer("fast"))
        let (first, next) = try slow.unread(limit: 3)
        #expect(try first.map { try $0.changes[0].new(HistoryNote.self)?.id } == [1, 2, 3])
        try slow.markRead(through: next)
        try fast.markRead(through: store.latestHistoryToken())
        #expect(try fast.unread().entries.isEmpty)
        #expect(try store.historyConsumers().map(\.consumer.name) == ["fast", "slow"])
        #expect(try store.trimHistory(before: .distantFuture) == 3)
        #expect(try slow.unread().entries.count == 7)
        #expect(try slow.unread(of: [HistoryTag.self]).entries.isEmpty)
        try fixture.reopenStore()
        let again = try fixture.store.historyConsumer("slow")
        #expect(try again.position() == next)
        #expect(try fixture.store.trimHistory(before: .distantFuture, includingUnread: true) == 7)
        #expect { try again.unread() } throws: { isTrimmed($0) }
        // It goes on from the present state.
        try again.markRead(through: fixture.store.latestHistoryToken())
        #expect(try again.unread().entries.isEmpty)
        try again.remove()
        #expect(try again.position() == nil)
        #expect { try again.unread() } throws: { if case TroveError.noHistoryConsumer("slow") = $0 { true } else { false } }
        #expect(try fixture.store.historyConsumers().map(\.consumer.name) == ["fast"])
    }

    /// A consumer that derives objects of the store deals with each entry once, whatever fails.
    @Test(arguments: Engine.allCases) func aMarkIsOfItsTransaction(engine: Engine) throws {
        struct Refusal: Error {}
        let fixture = try fixture(engine, .ids(of: [HistoryNote.self]))
        let store = fixture.store
        let consumer = try store.historyConsumer("counter")
        func count(fails: Bool) throws {
            try store.write { transaction in
                let (entries, next) = try consumer.unread(limit: 4, in: transaction)
                let old = try transaction.fetch(HistoryTag.self, id: "count")?.count ?? 0
                try transaction.save(HistoryTag(id: "count", count: old + entries.count))
                try consumer.markRead(through: next, in: transaction)
                if fails { throw Refusal() }
            }
        }
        for fails in [false, true, true, false, false, true, false] {
            if fails { #expect(throws: Refusal.self) { try count(fails: true) } } else { try count(fails: false) }
        }
        #expect(try store.fetch(HistoryTag.self, id: "count")?.count == 10)
    }

    @Test(arguments: Engine.allCases) func oldEntriesGoByThemselves(engine: Engine) throws {
        let fixture = try fixture(engine, .values(maximumAge: .seconds(20)))
        let store = fixture.store
        let consumer = try store.historyConsumer("c")
        try write(11...63, in: store)
        #expect(try store.history().entries.count == 63)
        // Nothing goes that the consumer has not read.
        try write(64...64, in: store)
        #expect(try store.history().entries.count == 64)
        try consumer.markRead(through: store.latestHistoryToken())
        try write(65...128, in: store)
        let left = try store.history().entries
        #expect(left.map(\.token.number).first == 65)
        try consumer.remove()
        try write(129...192, in: store)
        // At the 192nd entry those went that were more than 20 seconds old.
        #expect(try store.history().entries.map(\.token.number) == (172...192).map { UInt64($0) })
        #expect(try store.verify().isSound)
    }

    /// What a consumer has lost already is kept for it no longer, and one that was removed does not come back by itself.
    @Test(arguments: Engine.allCases) func aConsumerThatIsLateHoldsNothingBack(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let consumer = try store.historyConsumer("c")
        #expect(try store.trimHistory(before: Self.date(4), includingUnread: true) == 3)
        #expect(try store.trimHistory(before: Self.date(6)) == 2)
        #expect { try consumer.unread() } throws: { isTrimmed($0) }
        try consumer.remove()
        #expect { try consumer.markRead(through: store.latestHistoryToken()) } throws: { if case TroveError.noHistoryConsumer("c") = $0 { true } else { false } }
        #expect(try store.historyConsumers().isEmpty)
    }

    /// Trimming by age that meets damage refuses no change of an object.
    @Test(arguments: Engine.allCases) func damageStopsTrimmingAlone(engine: Engine) throws {
        let fixture = try fixture(engine, .values(maximumAge: .seconds(1)))
        let store = fixture.store
        let key = HistorySpace.key(1, 0)
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
            try writer.put(key, [1, 2, 3], in: writer.createKeyspace(named: "$history"))
        }
        try write(11...70, in: store)
        #expect(try store.fetch(HistoryNote.self).count() == 70)
        #expect(throws: TroveError.self) { try store.history() }
        // By its place the damaged entry goes too.
        let token = try store.latestHistoryToken()
        #expect(try store.trimHistory(through: token) == 70)
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let consumer = try await store.historyConsumer("c")
        let (entries, next) = try await consumer.unread(limit: 2)
        #expect(entries.count == 2)
        try await consumer.markRead(through: next)
        #expect(try await consumer.position() == next)
        #expect(try await store.trimHistory(before: .distantFuture) == 2)
        #expect(try await store.history(of: HistoryNote.self, id: 5).count == 1)
        #expect(try await store.historyConsumers().count == 1)
        try await consumer.remove()
        let last = try await store.latestHistoryToken()
        #expect(try await store.trimHistory(through: last) == 8)
        try await store.keepHistory(.ids)
        #expect(try await store.historyPolicy() == .ids)
        try await store.deleteHistory()
        #expect(try await store.historyPolicy() == nil)
    }
}
