import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// What a transaction takes down of its changes, against the records before and after.
@Suite struct ChangeJournalTests {
    private struct Refusal: Error {}

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Song.self, Country.self) }
    }

    /// All records, by their types' names and keys.
    private func records(_ transaction: ReadTransaction) throws -> [String: [[UInt8]: [UInt8]]] {
        var all: [String: [[UInt8]: [UInt8]]] = [:]
        for name in try transaction.modelNames() {
            guard let keyspace = try transaction.reader.keyspace(named: name) else { continue }
            try transaction.reader.scan(in: keyspace) { key, record in
                all[name, default: [:]][[UInt8](copying: key)] = [UInt8](copying: record)
                return .next
            }
        }
        return all
    }

    @Test(arguments: Engine.allCases) func everyWayOfChanging(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var songs = (0..<40).map(Song.sample)
        try store.save(songs[..<30])
        try store.save(Country(code: "ch", name: "Switzerland"))
        let before = try store.read(records)
        let journal = ChangeJournal()
        try store.core.write(.buffered, journal: journal) { transaction in
            songs[0].title = "changed"
            try transaction.save(songs[0])
            try transaction.save(songs[25...])
            try transaction.insert(Country(code: "at", name: "Austria"))
            try transaction.delete(songs[1])
            try transaction.delete(Song.self, ids: songs[2..<5].map(\.id))
            try transaction.fetch(Song.self).limit(3).update { $0.title += "!" }
            let key = songs[10].id.keyBytes
            var record = try #require(try transaction.storedRecord(of: "Song", key: key))
            try record.set("title", to: .string("stored"))
            try transaction.save(record)
            try transaction.deleteStoredRecord(of: "Song", key: songs[11].id.keyBytes)
            try transaction.deleteAll(Country.self)
            // Neither what is taken back nor what comes to nothing is a change.
            do {
                try transaction.savepoint {
                    try transaction.deleteAll(Song.self)
                    throw Refusal()
                }
            } catch is Refusal {}
            try transaction.insert(Country(code: "it", name: "Italy"))
            try transaction.delete(Country.self, id: "it")
        }
        var expected = before
        for change in journal.changes {
            #expect(expected[change.modelName]?[change.key] == change.before)
            #expect(change.before != change.after)
            expected[change.modelName, default: [:]][change.key] = change.after
        }
        #expect(try store.read(records).filter { !$0.value.isEmpty } == expected.filter { !$0.value.isEmpty })
        #expect(Set(journal.changes.map { [$0.modelName, "\($0.key)"] }).count == journal.changes.count)
        #expect(journal.changes.first?.key == songs[0].id.keyBytes)
        #expect(!journal.changes.contains { $0.key == "it".keyBytes })
    }

    @Test(arguments: Engine.allCases) func longKeysAreWhole(engine: Engine) throws {
        let fixture = try fixture(engine)
        let code = String(repeating: "long ", count: 200)
        let journal = ChangeJournal()
        try fixture.store.core.write(.buffered, journal: journal) { try $0.save(Country(code: code, name: "long")) }
        #expect(journal.changes.map(\.key) == [code.keyBytes])
        _ = try fixture.store.core.write(.buffered, journal: journal) { try $0.delete(Country.self, id: code) }
        #expect(journal.changes.map(\.key) == [code.keyBytes])
        #expect(journal.changes.map(\.after) == [nil])
    }

    @Test(arguments: Engine.allCases) func recordsOfUnknownTypes(engine: Engine) throws {
        let fixture = try fixture(engine)
        let song = Song.sample(1)
        try fixture.store.save([song, Song.sample(2)])
        try fixture.reopenStore { try ObjectStore($0, durability: .buffered, models: Country.self) }
        let journal = ChangeJournal()
        let before = try fixture.store.read(records)
        try fixture.store.core.write(.buffered, journal: journal) { transaction in
            var record = try #require(try transaction.storedRecord(of: "Song", key: song.id.keyBytes))
            try record.set("title", to: .string("stored"))
            try transaction.save(record)
            try transaction.deleteStoredRecord(of: "Song", key: Song.sample(2).id.keyBytes)
        }
        let after = try fixture.store.read(records)
        #expect(journal.changes.count >= 1)
        for change in journal.changes {
            #expect(change.modelName == "Song")
            #expect(change.before == before["Song"]?[change.key])
            #expect(change.after == after["Song"]?[change.key])
        }
    }
}
