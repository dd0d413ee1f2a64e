import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveCrypto

@_spi(FieldSealing) @testable import Trove

fileprivate enum Sealed {
    @Model("ClosedNote") struct Note: Equatable {
        var id: Int
        @Attribute(.encrypted) var secret: String
    }
}

fileprivate enum Plain {
    @Model("ClosedNote") struct Note {
        var id: Int
        var secret: String
    }
}

fileprivate enum Indexed {
    @Model("ClosedNote") struct Note {
        var id: Int
        @Attribute(.indexed) var secret: String
    }
}

fileprivate enum FullText {
    @Model("ClosedNote") struct Note {
        var id: Int
        @Attribute(.fullText) var secret: String
    }
}

fileprivate enum Apart {
    @Model("ClosedNote") struct Note {
        var id: Int
        var secret: Lazy<String>
    }
}

fileprivate enum Renamed {
    @Model("ClosedNote") struct Note {
        var id: Int
        @Attribute(originalName: "secret") var other: String
    }
}

fileprivate enum RenamedIndexed {
    @Model("ClosedNote") struct Note {
        var id: Int
        @Attribute(.indexed, originalName: "secret") var other: String
    }
}

fileprivate enum RenamedAgain {
    @Model("ClosedNote") struct Note {
        var id: Int
        @Attribute(originalName: "other") var third = ""
    }
}

fileprivate enum EncryptedRename {
    @Model("ClosedNote") struct Note {
        var id: Int
        @Attribute(.encrypted, originalName: "secret") var other: String?
    }
}

@Model("AdoptedNote") fileprivate struct AdoptedNote: Equatable {
    var id = ObjectID()
    var title: String
    @Attribute(.encrypted) var secret: String
}

/// `closeEncryptedFields()`, and what programs declare and write afterwards.
@Suite struct ClosedPropertyTests {
    private let secrets = ["Zqfirst", "Zqother"]

    private func open(_ backend: any StorageBackend, _ models: any Model.Type...) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, fieldKeys: SealedFixture.keys, models: models)
    }

    /// A store with a closed property.
    private func closed(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try open($0, Sealed.Note.self) }
        try fixture.store.save(Sealed.Note(id: 1, secret: secrets[0]))
        try fixture.store.closeEncryptedFields()
        return fixture
    }

    private func isInTheClear(_ store: ObjectStore) throws -> Bool { try secrets.contains { try store.core.backend.contains($0) } }

    @Test(arguments: Engine.allCases) func whatWouldShowTheValuesIsRefused(engine: Engine) throws {
        let fixture = try closed(engine)
        for model in [Indexed.Note.self, FullText.Note.self, RenamedIndexed.Note.self, Apart.Note.self] as [any Model.Type] {
            do {
                try fixture.reopenStore { try open($0, model) }
                Issue.record("\(model) was opened")
            } catch TroveError.invalidIndex(model: "ClosedNote", _, let reason) {
                #expect(reason.contains("is encrypted"))
            } catch TroveError.invalidEncryption(model: "ClosedNote", property: "secret", _) {
                #expect("\(model)" == "\(Apart.Note.self)")
            }
        }
        try fixture.reopenStore()
        #expect(try !isInTheClear(fixture.store) && fixture.store.fetch(Sealed.Note.self, id: 1)?.secret == secrets[0])
    }

    /// Without `.encrypted`, and under other names.
    @Test(arguments: Engine.allCases) func staysEncrypted(engine: Engine) throws {
        let fixture = try closed(engine)
        func isRefusedWithoutKeys(_ model: any Model.Type) throws {
            #expect(throws: TroveError.self) { try fixture.reopenStore { try ObjectStore($0, models: model) } }
        }
        try fixture.reopenStore { try open($0, Plain.Note.self) }
        try fixture.store.save(Plain.Note(id: 2, secret: secrets[1]))
        #expect(try !isInTheClear(fixture.store))
        try isRefusedWithoutKeys(Plain.Note.self)
        try fixture.reopenStore { try open($0, Renamed.Note.self) }
        try fixture.store.save(Renamed.Note(id: 2, other: secrets[1]))
        try fixture.store.upgrade(Renamed.Note.self)
        #expect(try !isInTheClear(fixture.store))
        #expect(try fixture.store.fetch(Renamed.Note.self).where { $0.other == secrets[1] }.ids() == [2])
        try isRefusedWithoutKeys(Renamed.Note.self)
        try fixture.reopenStore { try open($0, RenamedAgain.Note.self) }
        try fixture.store.upgrade(RenamedAgain.Note.self)
        #expect(try !isInTheClear(fixture.store) && fixture.store.fetch(RenamedAgain.Note.self).all().map(\.third) == secrets)
        try fixture.store.closeEncryptedFields()
        #expect(try fixture.store.fieldSealingStatus().closedProperties.isSuperset(of: ["ClosedNote.secret", "ClosedNote.third"]))
        #expect(try fixture.store.verify().isSound)
    }

    /// A program that has the store open without keys while another one encrypts a property that it writes.
    @Test(arguments: Engine.allCases) func aProgramWithoutKeysIsTold(engine: Engine) throws {
        for model in [Sealed.Note.self, EncryptedRename.Note.self] as [any Model.Type] {
            let directory = try TemporaryDirectory()
            let keyless = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Plain.Note.self)
            defer { try? keyless.close() }
            let store = try open(engine.open(directory.file()), model)
            defer { try? store.close() }
            try store.closeEncryptedFields()
            do {
                try keyless.save(Plain.Note(id: 1, secret: secrets[0]))
                Issue.record("it was saved")
            } catch TroveError.changedByAnotherProgram(model: "ClosedNote", let reason) {
                #expect(reason.contains("'secret'"))
            }
            #expect(try !isInTheClear(store))
            do {
                _ = try ObjectStore(engine.open(directory.file()), models: Plain.Note.self)
                Issue.record("it was opened")
            } catch TroveError.fieldKeysMissing(model: "ClosedNote", property: "secret") {}
        }
    }

    /// One with the keys, that has an index of the property.
    @Test(arguments: Engine.allCases) func aProgramWithAnIndexIsTold(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let indexing = try open(engine.open(directory.file()), Indexed.Note.self)
        defer { try? indexing.close() }
        let store = try open(engine.open(directory.file()), Sealed.Note.self)
        defer { try? store.close() }
        try store.closeEncryptedFields()
        #expect(throws: TroveError.self) { try indexing.save(Indexed.Note(id: 1, secret: secrets[0])) }
        #expect(throws: TroveError.self) { try indexing.createIndex("later", on: Indexed.Note.self, \.secret) }
        try store.save(Sealed.Note(id: 1, secret: secrets[0]))
        try? indexing.createIndex("later", on: Indexed.Note.self, \.secret)
        try? indexing.buildIndexes()
        #expect(try !isInTheClear(store))
    }

    /// A value in the clear that somebody has put there is damage, with an error that says so.
    @Test(arguments: Engine.allCases) func aPlainValueIsCorrupt(engine: Engine) throws {
        let fixture = try closed(engine)
        let store = fixture.store
        let key = RecordKey(1.keyBytes).bytes
        var plain: [UInt8] = []
        try store.read { transaction in
            let reader = try transaction.reader
            guard let keyspace = try reader.keyspace(named: "ClosedNote") else { return }
            _ = try reader.get(key.span.bytes, in: keyspace) { plain = [UInt8](copying: $0) }
        }
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in try writer.put(key, plain, in: writer.createKeyspace(named: "ClosedNote")) }
        #expect(try isInTheClear(store))
        let works: [(ObjectStore) throws -> Void] = [{ _ = try $0.fetch(Sealed.Note.self, id: 1) }, { _ = try $0.fetch(Sealed.Note.self).all() }, { try $0.rotateFieldKey() }]
        for work in works {
            do {
                try work(store)
                Issue.record("it was read")
            } catch TroveError.corruptRecord(model: "ClosedNote", _, let reason) {
                #expect(reason.contains("encrypted properties cannot be opened"))
            }
        }
        try store.save(Sealed.Note(id: 1, secret: secrets[1]))
        #expect(try store.fetch(Sealed.Note.self, id: 1)?.secret == secrets[1])
        try store.rotateFieldKey()
        #expect(try !isInTheClear(store))
    }

    /// A long read has the keys of its snapshot, and nobody else gets them from it.
    @Test(arguments: Engine.allCases) func aLongReadKeepsItsKeysToItself(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try open($0, Sealed.Note.self) }
        let store = fixture.store
        guard store.core.capabilities.readersDuringWrite == .proceed else { return }
        try await store.save(Sealed.Note(id: 1, secret: secrets[0]))
        let key = RecordKey(1.keyBytes).bytes
        let plain = try await store.read { transaction in
            let reader = try transaction.reader
            return try reader.keyspace(named: "ClosedNote").flatMap { try reader.value(of: key, in: $0) }
        }
        let long = try await HeldTransactions { hold in
            try await store.read { transaction in
                try hold()
                #expect(try transaction.fetch(Sealed.Note.self).where { $0.secret == "Zqfirst" }.count() == 1)
            }
        }
        try await store.closeEncryptedFields()
        // The store knows the indexes as they are now.
        #expect(try await store.fetch(Sealed.Note.self).where { $0.secret == "Zqfirst" }.count() == 1)
        try await long.end()
        let forged = try #require(plain)
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in try writer.put(key, forged, in: writer.createKeyspace(named: "ClosedNote")) }
        await #expect(throws: TroveError.self) { try await store.fetch(Sealed.Note.self, id: 1) }
    }

    /// The threads that help with a long read have its keys; a write that is taken back leaves none.
    @Test func readersHaveTheKeysOfTheirSnapshot() throws {
        let (older, newer) = (MemoryBackend(), MemoryBackend())
        let sealing = try FieldSealing.create(SealedFixture.keys, in: older)
        let record = try SealedFixture.keys.makeKeyRecord()
        try newer.write(.relaxed) { (writer: any StorageWriter) throws -> Void in try FieldSealing.write(record, writer) }
        let catalogue = Catalogue()
        try older.read { (reader: any StorageReader) throws -> Void in
            let reader = SealingReader(reader, sealing, catalogue, begunAfter: sealing.newest.replacements)
            let own = reader.sealer
            try newer.write(.relaxed) { (writer: any StorageWriter) throws -> Void in _ = try SealingWriter(writer, sealing, catalogue) }
            #expect(sealing.sealer.keyRecord == record)
            try reader.withConcurrentReaders(upTo: 2) { readers in
                #expect(!readers.isEmpty && readers.allSatisfy { ($0 as? SealingReader)?.sealer === own })
            }
            #expect(try !reader.renewKeys())
            #expect(sealing.sealer.keyRecord == record)
        }
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try newer.write(.relaxed) { (writer: any StorageWriter) throws -> Void in
                let writer = try SealingWriter(writer, sealing, catalogue)
                try FieldSealing.write(SealedFixture.keys.makeKeyRecord(), writer)
                try writer.changeKeys()
                #expect(writer.sealer.keyRecord != record)
                throw Stop()
            }
        }
        #expect(sealing.sealer.keyRecord == record)
    }

    /// A write that is committed and has not returned yet brings back no keys that the next one has changed.
    @Test(arguments: Engine.allCases) func aWriteBringsNoOldKeysBack(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let interrupted = InterruptedBackend(try engine.open(directory.file()))
        let store = try open(interrupted, Sealed.Note.self)
        let records = try (0..<4).map { _ in try SealedFixture.keys.makeKeyRecord() }
        interrupted.interruptNextWrite { try store.core.write(.relaxed) { try $0.setFieldKeyRecord(records[0]) } }
        try store.core.write(.relaxed) { _ in }
        #expect(store.core.sealing?.sealer.keyRecord == records[0])
        // The first one has changed the keys itself.
        interrupted.interruptNextWrite { try store.core.write(.relaxed) { try $0.setFieldKeyRecord(records[2]) } }
        try store.core.write(.relaxed) { try $0.setFieldKeyRecord(records[1]) }
        #expect(store.core.sealing?.sealer.keyRecord == records[2])
        try store.core.write(.relaxed) { try $0.setFieldKeyRecord(records[3]) }
        #expect(store.core.sealing?.sealer.keyRecord == records[3])
        try store.save(Sealed.Note(id: 1, secret: secrets[0]))
        #expect(try store.fetch(Sealed.Note.self, id: 1)?.secret == secrets[0])
        try store.close()
    }

    /// A read whose snapshot is older than the newest keys, which were changed before it looked for them.
    @Test(arguments: Engine.allCases) func aReadBringsNoOldKeysBack(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let interrupted = InterruptedBackend(try engine.open(directory.file()))
        let store = try open(interrupted, Sealed.Note.self)
        guard store.core.capabilities.readersDuringWrite == .proceed else { return }
        // So many that the first keys have been forgotten.
        let records = try (0..<6).map { _ in try SealedFixture.keys.makeKeyRecord() }
        interrupted.interruptNextRead {
            for record in records { try store.core.write(.relaxed) { try $0.setFieldKeyRecord(record) } }
        }
        try store.core.read { _ = try store.core.sealing?.sealer(of: $0.reader) }
        #expect(store.core.sealing?.sealer.keyRecord == records.last)
        try store.close()
    }

    /// Documents that a model has adopted have its properties inside one field, which is sealed as a whole.
    @Test(arguments: Engine.allCases) func adoptedDocuments(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed) }
        let note = AdoptedNote(title: "first", secret: secrets[0])
        try fixture.store.documents("AdoptedNote").save(Document(["title": .string(note.title), "secret": .string(note.secret)], id: note.id))
        #expect(try fixture.store.adopt(AdoptedNote.self, from: "AdoptedNote").isAdopted)
        func reopen() throws { try fixture.reopenStore { try open($0, AdoptedNote.self) } }
        try reopen()
        try fixture.store.dropUndeclaredIndexes()
        #expect(try isInTheClear(fixture.store) && fixture.store.fieldSealingStatus().plainValueCounts == ["AdoptedNote.secret": 1])
        try fixture.store.closeEncryptedFields()
        try fixture.store.rotateFieldKey()
        #expect(try !isInTheClear(fixture.store) && fixture.store.sealedValues() == (1, 0))
        #expect(try fixture.store.fieldSealingStatus().closedProperties == ["AdoptedNote.secret"])
        try reopen()
        #expect(try fixture.store.fetch(AdoptedNote.self).where { $0.title == "first" }.all() == [note] && fixture.store.verify().isSound)
        // Nobody reads any of it without the keys, until it is in the model's layout.
        func titles() throws -> [StoredValue?] {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed) }
            return try fixture.store.documents(of: "AdoptedNote").fetch("title = 'first'").all().map { $0["title"] }
        }
        #expect(throws: TroveError.self) { try titles() }
        try reopen()
        try fixture.store.upgrade(AdoptedNote.self)
        #expect(try !isInTheClear(fixture.store) && fixture.store.fetch(AdoptedNote.self, id: note.id) == note)
        #expect(try titles() == [.string("first")])
    }
}
