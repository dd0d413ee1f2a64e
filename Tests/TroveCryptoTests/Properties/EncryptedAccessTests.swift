import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveCrypto

@_spi(FieldSealing) @testable import Trove

/// Who may open what: programs with the keys, without them, with others, and properties that were plain before.
@Suite struct EncryptedAccessTests {
    private func visits(_ count: Int = 30) -> [SealedVisit] { (0..<count).map { SealedVisit(id: $0, place: "p\($0 % 3)", reason: "Zqreason\($0 % 5)") } }

    /// A store in which another program has encrypted a property.
    private func sealed(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedVisit.self) }
        try fixture.store.save(visits())
        return fixture
    }

    @Test(arguments: Engine.allCases) func withoutKeys(engine: Engine) throws {
        let fixture = try sealed(engine)
        func isRefused(_ model: any Model.Type) throws -> Bool {
            do {
                try fixture.reopenStore { try ObjectStore($0, models: [model]) }
                return false
            } catch TroveError.fieldKeysMissing(model: "SealedVisit", property: "reason") {
                return true
            }
        }
        #expect(try isRefused(SealedVisit.self))
        #expect(try isRefused(PlainVisit.self), "a program that declares it in the clear could store it so")
        // Without the property, and without the model.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed) }
        var store = fixture.store
        let record = try #require(try store.read { try $0.storedRecord(of: "SealedVisit", key: 4.keyBytes) })
        #expect(record["place"] == .string("p1") && record["reason"] == .null && record.sealedFields == ["reason"])
        #expect("\(record)".contains("reason = encrypted"))
        #expect(try store.fetchRecords(of: ["SealedVisit"]).matching("place = 'p1'").all().count == 10)
        #expect(throws: TroveError.self) { try store.fetchRecords(of: ["SealedVisit"]).matching("reason = 'Zqreason1'").all() }
        #expect(throws: TroveError.self) { try store.write { try $0.save(record) } }
        #expect(throws: TroveError.self) { try store.write { try $0.fieldlessExport() } }
        let documents = store.documents(of: "SealedVisit")
        let document = try #require(try documents.fetch("place = 'p1'").first())
        #expect(throws: TroveError.self) { try documents.save(document) }
        let other = ModelDocument(["place": .string("p1"), "reason": .string("Zqplain")], id: .int(99))
        #expect(throws: TroveError.self) { try documents.insert(other) }
        #expect(try !store.core.backend.contains("Zqplain"))
        #expect(try store.verify().isSound, "what cannot be read is not damaged")
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: PublicVisit.self) }
        store = fixture.store
        #expect(try store.fetch(PublicVisit.self).where { $0.place == "p2" }.count() == 10)
        #expect(try store.fetch(PublicVisit.self, id: 5) == PublicVisit(id: 5, place: "p2"))
        try store.fetch(PublicVisit.self).where { $0.place == "p2" }.delete()
        // The owner of the keys has all the rest.
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(SealedVisit.self).all() == visits().filter { $0.place != "p2" })
        #expect(try fixture.store.fetch(SealedVisit.self).where { $0.reason == "Zqreason1" }.count() == visits().filter { $0.place != "p2" && $0.reason == "Zqreason1" }.count)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func withOtherKeys(engine: Engine) throws {
        let fixture = try sealed(engine)
        try fixture.store.close()
        let backend = try engine.open(fixture.directory.file())
        #expect {
            _ = try ObjectStore(backend, fieldKeys: FieldKeys(.raw([UInt8](repeating: 9, count: 32))), models: SealedVisit.self)
        } throws: { error in
            if case SealedStoreError.wrongKey = error { true } else { false }
        }
        let store = try ObjectStore(backend, access: .readOnly, fieldKeys: SealedFixture.keys, models: SealedVisit.self)
        #expect(try store.fetch(SealedVisit.self).all() == visits())
        #expect(throws: StorageError.self) { try store.save(visits()[0]) }
        try store.close()
        try fixture.reopenIfClosed()
    }

    /// Properties become encrypted, and plain again, with the objects that are saved.
    @Test(arguments: Engine.allCases) func adoption(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainVisit.self) }
        let plain = (0..<30).map { PlainVisit(id: $0, place: "p\($0 % 3)", reason: "Zqreason\($0 % 5)") }
        try fixture.store.save(plain)
        func reopenSealed() throws {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedVisit.self) }
        }
        try reopenSealed()
        #expect(try fixture.store.fetch(SealedVisit.self).all() == visits(), "what is plain still is read")
        #expect(try fixture.store.fetch(SealedVisit.self).where { $0.reason == "Zqreason1" }.count() == 6, "and found by the new index")
        #expect(try fixture.store.core.backend.contains("Zqreason"))
        try fixture.store.save(Array(visits()[..<10]))
        #expect(try fixture.store.sealedValues() == (10, 20))
        try fixture.store.fetch(SealedVisit.self).update(\.place, to: "moved")
        #expect(try fixture.store.sealedValues() == (30, 0))
        #expect(try !fixture.store.core.backend.contains("Zqreason"))
        try reopenSealed()
        #expect(try fixture.store.verify().isSound)
        // And back.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: PlainVisit.self) }
        #expect(try fixture.store.fetch(PlainVisit.self).where { $0.reason == "Zqreason1" }.count() == 6)
        try fixture.store.fetch(PlainVisit.self).update(\.place, to: "back")
        #expect(try fixture.store.sealedValues() == (0, 0))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: PlainVisit.self) }
        #expect(try fixture.store.fetch(PlainVisit.self).count() == 30)
        #expect(try fixture.store.verify().isSound)
    }

    /// The number of a layout that is undone may become another's.
    @Test(arguments: Engine.allCases) func layoutsThatAreUndone(engine: Engine) throws {
        let fixture = try sealed(engine)
        let store = fixture.store
        try store.closeEncryptedFields()
        for round in 0..<3 {
            try store.write { transaction in
                try? transaction.savepoint {
                    try transaction.documents("undone \(round)").save(["title": "a"] as Document)
                    try transaction.save(SealedVisit(id: 100, place: "", reason: "Zqundone"))
                    throw CancellationError()
                }
                try transaction.documents("kept \(round)").save(["other": 7] as Document)
                try transaction.save(SealedVisit(id: 200 + round, place: "", reason: "Zqkept"))
            }
            #expect(try store.documents("kept \(round)").fetch("other = 7").count() == 1)
            #expect(try store.fetch(SealedVisit.self).where { $0.reason == "Zqkept" }.count() == round + 1)
        }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(SealedVisit.self, id: 100) == nil && !fixture.store.core.backend.contains("Zqkept"))
        #expect(try fixture.store.verify().isSound)
    }

    /// An import stores what is to be encrypted encrypted, or not at all.
    @Test(arguments: Engine.allCases) func imports(engine: Engine) throws {
        let fixture = try sealed(engine)
        let file = fixture.directory.file("export.jsonl")
        try fixture.store.exportJSON(to: file)
        let other = try ObjectStore(engine.open(fixture.directory.file("other")), durability: .relaxed, fieldKeys: SealedFixture.keys)
        try other.importJSON(from: file)
        #expect(try other.read { try $0.storedRecord(of: "SealedVisit", key: 3.keyBytes) }?["reason"] == .string("Zqreason3"))
        #expect(try !other.core.backend.contains("Zqreason"))
        let keyless = try ObjectStore(engine.open(fixture.directory.file("keyless")), durability: .relaxed)
        let report = try? keyless.importJSON(from: file)
        #expect(try !keyless.core.backend.contains("Zqreason"), "\(report.map { "\($0)" } ?? "refused")")
        try other.close()
        try keyless.close()
    }
}

extension WriteTransaction {
    /// Fails where a record has what cannot be read.
    fileprivate func fieldlessExport() throws { for record in try fetchRecords(of: ["SealedVisit"]).all() { try save(record) } }
}

extension StoreFixture {
    /// Opens the store again after a test has closed it.
    func reopenIfClosed() throws { try reopenStore() }
}

extension ObjectStore {
    /// How many values are sealed, and how many should be and are not.
    func sealedValues() throws -> (sealed: Int, plain: Int) {
        let counts = try read { try $0.sealedFieldCounts() }
        return (counts.sealed.values.reduce(0, +), counts.plain.values.reduce(0, +))
    }
}
