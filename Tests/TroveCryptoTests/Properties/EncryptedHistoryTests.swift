import Foundation
import TestSupport
import Testing
import TroveCrypto

@testable import Trove

fileprivate enum Sealed {
    @Model("HistoryPatient") struct Patient: Equatable {
        let id: Int
        @Attribute(.encrypted) var illness: String
    }
}

fileprivate enum Plain {
    @Model("HistoryPatient") struct Patient: Equatable {
        let id: Int
        var illness: String
    }
}

fileprivate enum Shorter {
    @Model("HistoryPatient") struct Patient: Equatable {
        let id: Int
    }
}

@Model("HistoryWard") private struct Ward: Equatable {
    let id: Int
    var name: String
}

/// The history keeps nothing in the clear that is encrypted in the store.
@Suite struct EncryptedHistoryTests {
    private func isInTheClear(_ store: ObjectStore) throws -> Bool { try store.core.backend.contains("secret") }

    @Test(arguments: Engine.allCases) func ofEncryptedModelsOnlyIDsAreKept(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Sealed.Patient.self, Ward.self)
        }
        let store = fixture.store
        try store.keepHistory(.values)
        try store.save(Ward(id: 1, name: "openward"))
        try store.save(Sealed.Patient(id: 1, illness: "secretflu"))
        try store.save(Sealed.Patient(id: 1, illness: "othersecret"))
        let entries = try store.history().entries
        #expect(try entries[0].changes[0].new(Ward.self) == Ward(id: 1, name: "openward"))
        #expect(entries[1...].allSatisfy { $0.changes[0].newRecord == nil && $0.changes[0].oldRecord == nil })
        #expect(try entries[2].changes(of: Sealed.Patient.self).updated == [1])
        #expect(try !isInTheClear(store))
    }

    /// A program whose model has the property no more, and one that lacks the model, put nothing of the records that have it into the history.
    @Test(arguments: Engine.allCases) func aPropertyThatIsGoneStaysSecret(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Sealed.Patient.self, Ward.self)
        }
        try fixture.store.save((1...4).map { Sealed.Patient(id: $0, illness: "secretflu \($0)") })
        try fixture.store.keepHistory(.values)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Shorter.Patient.self) }
        try fixture.store.save(Shorter.Patient(id: 1))
        try fixture.store.delete(Shorter.Patient.self, id: 2)
        #expect(try fixture.store.history().entries.count == 2)
        #expect(try !isInTheClear(fixture.store))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Ward.self) }
        #expect(try fixture.store.documents(of: "HistoryPatient").delete(id: .int(3)))
        #expect(try fixture.store.history().entries.count == 3)
        #expect(try !isInTheClear(fixture.store))
    }

    /// A layout that no record has any more comes back with a record that is saved, in a transaction that has changed other objects of the model.
    @Test(arguments: Engine.allCases) func aLayoutThatComesBackStaysSecret(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Sealed.Patient.self)
        }
        try fixture.store.save(Sealed.Patient(id: 1, illness: "secretflu"))
        let record = try #require(try fixture.store.read { try $0.storedRecord(of: "HistoryPatient", key: 1.keyBytes) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Shorter.Patient.self) }
        let store = fixture.store
        #expect(try store.upgrade(Shorter.Patient.self) == 1)
        try store.keepHistory(.values)
        try store.write { transaction in
            try transaction.save(Shorter.Patient(id: 2))
            try transaction.save(record)
        }
        let changes = try store.history().entries.flatMap(\.changes)
        #expect(changes.map { $0.newRecord == nil } == [false, true])
        #expect(try !isInTheClear(store))
    }

    /// What was kept before the property was encrypted goes when it is closed.
    @Test(arguments: Engine.allCases) func closingRemovesWhatWasKept(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Plain.Patient.self, Ward.self) }
        try fixture.store.keepHistory(.values)
        try fixture.store.write { transaction in
            try transaction.save(Ward(id: 1, name: "openward"))
            for id in 1...2_000 { try transaction.save(Plain.Patient(id: id, illness: "secretflu number \(id)")) }
        }
        for id in 1...600 { try fixture.store.save(Plain.Patient(id: id, illness: "othersecret \(id)")) }
        let before = try fixture.store.history(limit: 10_000).entries
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Sealed.Patient.self, Ward.self) }
        let store = fixture.store
        #expect(try isInTheClear(store))
        try store.closeEncryptedFields()
        #expect(try !isInTheClear(store))
        let entries = try store.history(limit: 10_000).entries
        #expect(entries.map(\.token) == before.map(\.token) && entries.map(\.date) == before.map(\.date))
        #expect(entries.map { $0.changes.map(\.reference) } == before.map { $0.changes.map(\.reference) })
        #expect(entries.map { $0.changes.map(\.kind) } == before.map { $0.changes.map(\.kind) })
        #expect(try entries[0].changes[0].new(Ward.self) == Ward(id: 1, name: "openward"))
        #expect(entries[1].changes[0].newRecord == nil)
        #expect(try store.verify().isSound)
        #expect(try store.fetch(Sealed.Patient.self, id: 7)?.illness == "othersecret 7")
    }
}
