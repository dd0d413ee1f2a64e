import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveCrypto

@_spi(FieldSealing) @testable import Trove

fileprivate enum First {
    @Model("EvolvingPatient") struct Patient {
        var id: Int
        var name: String
        @Attribute(.encrypted) var secret: String
    }
}

fileprivate enum Plain {
    @Model("EvolvingPatient") struct Patient {
        var id: Int
        var name: String
        var secret: String
    }
}

fileprivate enum Dropped {
    @Model("EvolvingPatient") struct Patient {
        var id: Int
        var name: String
    }
}

fileprivate enum Raised {
    @Model("EvolvingPatient", version: 2) struct Patient {
        var id: Int
        var name: String
    }
}

fileprivate enum Renamed {
    @Model("EvolvingPatient") struct Patient {
        var id: Int
        var name: String
        @Attribute(.encrypted, originalName: "secret") var second: String?
    }
}

fileprivate enum RenamedAgain {
    @Model("EvolvingPatient") struct Patient {
        var id: Int
        var name: String
        @Attribute(.encrypted, originalName: "second") var third: String?
    }
}

/// Models change around encrypted properties: what is encrypted stays so unless a program declares the very property in the clear.
@Suite struct EncryptedEvolutionTests {
    private static let secret = "Zqflu"
    private static let later: [any Model.Type] = [Dropped.Patient.self, Raised.Patient.self, Renamed.Patient.self, RenamedAgain.Patient.self]

    private func open(_ backend: any StorageBackend, _ models: any Model.Type...) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, fieldKeys: SealedFixture.keys, models: models)
    }

    private func made(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try open($0, First.Patient.self) }
        try fixture.store.save(First.Patient(id: 1, name: "Ada", secret: Self.secret))
        return fixture
    }

    private func isInTheClear(_ store: ObjectStore) throws -> Bool { try store.core.backend.contains(Self.secret) }

    private func secret(_ store: ObjectStore) throws -> StoredValue? { try store.read { try $0.storedRecord(of: "EvolvingPatient", key: 1.keyBytes) }?["secret"] }

    @Test(arguments: Engine.allCases) func passesOverTheObjectsKeepWhatIsSealed(engine: Engine) throws {
        let passes: [(ObjectStore) throws -> Void] = [
            { try $0.rotateFieldKey() }, { try $0.closeEncryptedFields() },
            { store in
                try store.beginFieldKeyRotation()
                var place = try store.continueFieldKeyRotation(stepSize: 1)
                while let next = place { place = try store.continueFieldKeyRotation(from: next, stepSize: 1) }
            },
        ]
        for model in Self.later + [Plain.Patient.self] {
            for pass in passes {
                let fixture = try made(engine)
                try fixture.reopenStore { try open($0, model) }
                try pass(fixture.store)
                #expect(try !isInTheClear(fixture.store), "\(model)")
                #expect(try fixture.store.sealedValues() == (1, 0) && secret(fixture.store) == .string(Self.secret))
                #expect(try fixture.store.fieldSealingStatus().dataKeys.count == 1 && fixture.store.verify().isSound)
            }
        }
    }

    @Test(arguments: Engine.allCases) func recordsInOldLayoutsAreSavedSealed(engine: Engine) throws {
        for model in Self.later {
            let fixture = try made(engine)
            try fixture.reopenStore { try open($0, model) }
            try fixture.store.write { transaction in
                var record = try #require(try transaction.storedRecord(of: "EvolvingPatient", key: 1.keyBytes))
                try record.set("name", to: "Bob")
                try transaction.save(record)
            }
            #expect(try !isInTheClear(fixture.store) && secret(fixture.store) == .string(Self.secret), "\(model)")
            #expect(try fixture.store.sealedValues() == (1, 0))
        }
    }

    /// A backup comes back into the store of a program that has gone on.
    @Test(arguments: Engine.allCases) func imports(engine: Engine) throws {
        let fixture = try made(engine)
        let file = fixture.directory.file("export.jsonl")
        try fixture.store.exportJSON(to: file)
        for (number, model) in Self.later.enumerated() {
            let other = try open(engine.open(fixture.directory.file("keys \(number)")), model)
            try other.importJSON(from: file)
            #expect(try !isInTheClear(other) && secret(other) == .string(Self.secret), "\(model)")
            try other.close()
        }
        // Those that do not declare the property open without keys.
        for (number, model) in Self.later[..<2].enumerated() {
            let keyless = try ObjectStore(engine.open(fixture.directory.file("keyless \(number)")), durability: .relaxed, models: model)
            let report = try? keyless.importJSON(from: file)
            #expect(try !isInTheClear(keyless), "\(report.map { "\($0)" } ?? "refused")")
            try keyless.close()
        }
    }

    /// The property was in the clear first, and got `.encrypted` with another name.
    @Test(arguments: Engine.allCases) func whatWasPlainBeforeARenameIsSealed(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Plain.Patient.self) }
        try fixture.store.save(Plain.Patient(id: 1, name: "Ada", secret: Self.secret))
        try fixture.reopenStore { try open($0, Renamed.Patient.self) }
        // A program that declares it in the clear, under its old name, would store it so.
        let isRefused: (StoreFixture) throws -> Bool = { fixture in
            do {
                try fixture.reopenStore { try ObjectStore($0, models: Plain.Patient.self) }
                return false
            } catch TroveError.fieldKeysMissing(model: "EvolvingPatient", property: "secret") {
                return true
            }
        }
        #expect(try isRefused(fixture))
        for models in [[], [Dropped.Patient.self], [RenamedAgain.Patient.self]] as [[any Model.Type]] {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: models) }
            #expect(try fixture.store.fieldSealingStatus().plainValueCounts == (models.isEmpty ? ["EvolvingPatient.secret": 1] : [:]))
            try fixture.store.closeEncryptedFields()
            #expect(try !isInTheClear(fixture.store))
        }
        #expect(try fixture.store.fieldSealingStatus().closedProperties.contains("EvolvingPatient.secret"))
    }

    /// A property that is declared in the clear again is so with each object that is saved.
    @Test(arguments: Engine.allCases) func aDeclarationInTheClear(engine: Engine) throws {
        let fixture = try made(engine)
        try fixture.reopenStore { try open($0, Plain.Patient.self) }
        try fixture.store.rotateFieldKey()
        #expect(try !isInTheClear(fixture.store))
        try fixture.store.save(Plain.Patient(id: 1, name: "Ada", secret: Self.secret))
        #expect(try isInTheClear(fixture.store))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Plain.Patient.self) }
        #expect(try fixture.store.fetch(Plain.Patient.self, id: 1)?.secret == Self.secret)
    }

    /// Objects that are the same are stored again where that encrypts them.
    @Test(arguments: Engine.allCases) func upsertsEncryptWhatWasPlain(engine: Engine) throws {
        for match in [UpsertMatch.id, .uniqueValues] {
            let fixture = try StoreFixture(engine) { try open($0, Plain.Patient.self) }
            try fixture.store.save(Plain.Patient(id: 1, name: "Ada", secret: Self.secret))
            try fixture.reopenStore { try open($0, First.Patient.self) }
            let store = fixture.store
            let patient = First.Patient(id: 1, name: "Ada", secret: Self.secret)
            #expect(try store.upsert([patient], matching: match) == [.updated])
            #expect(try store.sealedValues() == (1, 0) && secret(store) == .string(Self.secret))
            #expect(try store.upsert([patient], matching: match) == [.unchanged])
            withExtendedLifetime(fixture) {}
        }
    }

    /// Of a model without encrypted properties nothing else is looked at.
    @Test(arguments: Engine.allCases) func upsertsOfPlainModelsLookOnce(engine: Engine) throws {
        let (fixture, backend) = try StoreFixture.counting(engine) { try open($0, Plain.Patient.self) }
        let patient = Plain.Patient(id: 1, name: "Ada", secret: Self.secret)
        try fixture.store.save(patient)
        let counts = backend.counts
        counts.reset()
        #expect(try fixture.store.upsert(patient) == .unchanged)
        #expect(counts[.get] == 1)
    }

    /// A program without keys and without the property cannot write what is sealed in a record, so it leaves the record alone.
    @Test(arguments: Engine.allCases) func updatesWithoutKeysAreRefused(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: First.Patient.self) }
        try fixture.store.save(First.Patient(id: 1, name: "a", secret: Self.secret))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Dropped.Patient.self) }
        #expect { try fixture.store.fetch(Dropped.Patient.self).update(\.name, to: "b") } throws: { if case TroveError.encryptedRecord = $0 { true } else { false } }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: Dropped.Patient.self) }
        #expect(try fixture.store.fetch(Dropped.Patient.self).update(\.name, to: "c") == 1)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: First.Patient.self) }
        let patient = try #require(try fixture.store.fetch(First.Patient.self, id: 1))
        #expect(patient.name == "c" && patient.secret == Self.secret)
        #expect(try !fixture.store.core.backend.contains(Self.secret))
    }
}
