import Foundation
import TestSupport
import Testing

@testable import Trove

/// Entries of records that were written otherwise, or that nobody can read.
@Suite struct HistoryEvolutionTests {
    enum Before {
        @Model("history page") struct Page: Equatable {
            let id: Int
            var title: String
            var size: Int32
        }
    }

    enum After {
        @Model("history page") struct Page: Equatable {
            let id: Int
            @Attribute(originalName: "title") var name: String
            var size: Int
            var note: String?
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Before.Page.self) }
        try fixture.store.keepHistory(.values)
        try fixture.store.save(Before.Page(id: 1, title: "a", size: 1))
        try fixture.store.save(Before.Page(id: 1, title: "b", size: 2))
        return fixture
    }

    @Test(arguments: Engine.allCases) func oldRecordsAreReadAsTheModelIsNow(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: After.Page.self) }
        let store = fixture.store
        let token = try store.latestHistoryToken()
        // Rewriting changes no value, and retires the layout, of which the history has records.
        try store.upgrade(After.Page.self)
        #expect(try store.latestHistoryToken() == token)
        try store.save(After.Page(id: 1, name: "c", size: 3, note: "x"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: After.Page.self) }
        let changes = try fixture.store.history().entries.flatMap(\.changes)
        #expect(
            try changes.map { try $0.new(After.Page.self) } == [
                After.Page(id: 1, name: "a", size: 1, note: nil), After.Page(id: 1, name: "b", size: 2, note: nil), After.Page(id: 1, name: "c", size: 3, note: "x"),
            ])
        #expect(try changes.map { try $0.old(After.Page.self)?.name } == [nil, "a", "b"])
        // Without the model the records are as they were written.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: HistoryTag.self) }
        #expect(try fixture.store.history().entries.flatMap(\.changes).map { $0.newRecord?["size"] } == [.int(1), .int(2), .int(3)])
    }

    /// The end of the last entry of all, and entries that come in another order, as they do where damage lies between.
    @Test(arguments: Engine.allCases) func verificationReadsInAnyOrder(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.write { transaction in
            try transaction.save(Before.Page(id: 2, title: "c", size: 3))
            try transaction.savepoint {}
        }
        let check = { (order: ScanOrder, inOrder: Bool) in
            try store.read { transaction in
                let check = try transaction.entryCheck("$history", .history, inOrder: inOrder)
                guard let check, let keyspace = try transaction.historyKeyspace() else { return }
                try transaction.reader.scan(.all, in: keyspace, order: order) { key, value in
                    try check(key, value)
                    return .next
                }
            }
        }
        try check(.ascending, true)
        try check(.ascending, false)
        try check(.descending, false)
        // Of what was trimmed too.
        try store.trimHistory(through: store.history(limit: 1).next)
        try check(.ascending, true)
        try check(.descending, false)
        #expect(try store.verify().isSound)
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
            _ = try writer.delete(HistorySpace.key(3, 1), in: writer.createKeyspace(named: "$history"))
        }
        #expect { try store.history() } throws: { if case TroveError.corruptHistory(entry: 3, _) = $0 { true } else { false } }
        #expect(try !store.verify().isSound)
    }

    /// Numbers that no history reaches, with checksums that fit.
    @Test(arguments: Engine.allCases) func numbersMadeToDoHarm(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let last = HistoryToken(number: .max, stamp: 1)
        func put(_ value: [UInt8]?, _ key: [UInt8]) throws {
            try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
                let keyspace = try writer.createKeyspace(named: "$history")
                if let value { try writer.put(key, value, in: keyspace) } else { try writer.remove(key, in: keyspace) }
            }
        }
        func isCorrupt(_ error: any Error) -> Bool { if case TroveError.corruptHistory = error { true } else { false } }
        try put(HistorySpace.encode(last, key: HistorySpace.trimmedKey), HistorySpace.trimmedKey)
        #expect(try !store.verify().isSound)
        #expect(try store.history().entries.isEmpty)
        #expect(throws: TroveError.self) { try store.history(after: .start) }
        #expect(try store.trimHistory(before: .distantFuture) == 0)
        try put(nil, HistorySpace.trimmedKey)
        #expect(try store.verify().isSound)
        let key = HistorySpace.key(.max, .max)
        var changes = HistoryChanges()
        [UInt8](repeating: 0, count: 2).withUnsafeBytes { changes.append("history page", $0) }
        try put(changes.sealed(.init(isLast: true, stamp: 1, date: Date(), author: nil), with: key), key)
        #expect(try !store.verify().isSound)
        #expect { try store.history() } throws: { isCorrupt($0) }
        #expect { try store.save(Before.Page(id: 3, title: "c", size: 3)) } throws: { isCorrupt($0) }
        #expect(try store.fetch(Before.Page.self, id: 3) == nil)
        #expect(throws: TroveError.self) { try store.history(after: last) }
        #expect(throws: TroveError.self) { try store.latestHistoryToken() }
        try store.deleteHistory()
        try store.save(Before.Page(id: 3, title: "c", size: 3))
        #expect(try store.verify().isSound)
    }

    /// Each part of an entry that is gone is noticed, the last one too.
    @Test(arguments: Engine.allCases) func aPartThatIsGoneIsNoticed(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.save((0..<5_000).map { Before.Page(id: $0, title: "title number \($0)", size: 1) })
        try store.save(Before.Page(id: 1, title: "z", size: 2))
        let keys = try store.read { transaction in
            var keys: [[UInt8]] = []
            if let keyspace = try transaction.historyKeyspace() {
                try transaction.reader.scan(in: keyspace) { key, _ in
                    if HistorySpace.parts(key)?.number == 3 { keys.append([UInt8](copying: key)) }
                    return .next
                }
            }
            return keys
        }
        #expect(keys.count > 2)
        for key in keys {
            let stored = try store.read { transaction in
                try transaction.historyKeyspace().flatMap { try transaction.reader.value(of: key, in: $0) }
            }
            let value = try #require(stored)
            func put(_ value: [UInt8]?) throws {
                try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
                    let keyspace = try writer.createKeyspace(named: "$history")
                    if let value { try writer.put(key, value, in: keyspace) } else { try writer.remove(key, in: keyspace) }
                }
            }
            try put(nil)
            #expect { try store.history() } throws: { if case TroveError.corruptHistory(entry: 3, _) = $0 { true } else { false } }
            #expect(try !store.verify().isSound)
            try put(value)
            #expect(try store.verify().isSound)
        }
    }

    @Test(arguments: Engine.allCases) func damageIsToldOfTheEntry(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.save(Before.Page(id: 2, title: "c", size: 3))
        let key = HistorySpace.key(2, 0)
        let stored = try store.read { transaction in
            try transaction.historyKeyspace().flatMap { try transaction.reader.value(of: key, in: $0) }
        }
        var value = try #require(stored)
        value[value.count - 1] ^= 1
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
            try writer.put(key, value, in: writer.createKeyspace(named: "$history"))
        }
        #expect { try store.history() } throws: { if case TroveError.corruptHistory(entry: 2, _) = $0 { true } else { false } }
        // What comes before it is there, and what comes behind it from its place on, which only the entry itself knows.
        #expect(try store.history(limit: 1).entries.count == 1)
        #expect(try !store.verify().isSound)
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
            try writer.delete(key, in: writer.createKeyspace(named: "$history"))
        }
        #expect { try store.history() } throws: { if case TroveError.corruptHistory(entry: 2, _) = $0 { true } else { false } }
        #expect(try !store.verify().isSound)
        // Objects and their changes are not concerned.
        try store.save(Before.Page(id: 2, title: "d", size: 4))
        #expect(try store.fetch(Before.Page.self).count() == 2)
        try store.deleteHistory()
        #expect(try store.verify().isSound)
    }
}
