import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import TroveCrypto

@testable import Trove

/// Encrypted properties are properties like others to a program with the keys.
@Suite struct EncryptedPropertyTests {
    @Test(arguments: Engine.allCases) func everyKindOfValue(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let patients = (0..<60).map { SealedPatient.made($0) } + [SealedPatient.made(60, image: 0), .made(61, image: 70_000), .made(62, image: 65_400)]
        try fixture.store.save(patients)
        try fixture.reopenStore()
        let store = fixture.store
        #expect(try store.fetch(SealedPatient.self).sorted(by: \.id).all() == patients)
        for patient in patients { #expect(try store.fetch(SealedPatient.self, id: patient.id) == patient) }
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func areAskedForAsOthers(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let store = fixture.store
        let patients = (0..<200).map { SealedPatient.made($0) }
        try store.save(patients)
        func ids(_ passes: (SealedPatient) -> Bool) -> [Int] { patients.filter(passes).map(\.id) }
        #expect(try store.fetch(SealedPatient.self).where { $0.weight > 40 && $0.isAdult == true }.ids() == ids { $0.weight > 40 && $0.isAdult })
        #expect(try store.fetch(SealedPatient.self).where { $0.diagnosis == nil }.ids() == ids { $0.diagnosis == nil })
        #expect(try store.fetch(SealedPatient.self).where { $0.email.contains("1@ex", ignoringCase: true) }.ids() == ids { $0.email.lowercased().contains("1@ex") })
        #expect(try store.fetch(SealedPatient.self).where { $0.name == "Name77" }.all() == [patients[77]])
        #expect(try store.fetch(SealedPatient.self).where { $0.name != "Name77" }.count() == 199)
        #expect(try store.fetch(SealedPatient.self).matching("name = 'Name5' and weight < 100").ids() == [5])
        #expect(try store.fetch(SealedPatient.self).sorted(by: \.fee, .descending).limit(3).all() == Array(patients.reversed().prefix(3)))
        #expect(try store.fetch(SealedPatient.self).sum(\.weight) == patients.reduce(0) { $0 + $1.weight })
        #expect(try store.fetch(SealedPatient.self).maximum(\.fee) == patients.map(\.fee).max())
        #expect(try Set(store.fetch(SealedPatient.self).distinct(\.ward)) == Set(patients.map(\.ward)))
        #expect(try store.fetch(SealedPatient.self).select(\.name, \.ward).all().map { $0.1 } == patients.map(\.ward))
        #expect(try store.fetch(SealedPatient.self).where { $0.year > 1_990 }.count() == ids { $0.year > 1_990 }.count)
        #expect(try store.fetch(SealedPatient.self).where { $0.insurance.at("company", as: String.self) == "Zqmutual" }.count() == 100)
    }

    @Test(arguments: Engine.allCases) func change(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let store = fixture.store
        try store.save((0..<100).map { SealedPatient.made($0) })
        try store.fetch(SealedPatient.self).where { $0.ward == "Zqward3" }.update(\.ward, to: "Zqward4")
        #expect(try store.fetch(SealedPatient.self).where { $0.ward == "Zqward4" }.count() == 20)
        #expect(try store.fetch(SealedPatient.self).where { $0.ward == "Zqward3" }.count() == 0)
        var patient = try #require(try store.fetch(SealedPatient.self, id: 5))
        let firstSeen = patient.firstSeen
        patient.firstSeen = .now
        patient.diagnosis = String(repeating: "Zqlong", count: 20_000)
        try store.save(patient)
        let found = try #require(try store.fetch(SealedPatient.self, id: 5))
        #expect(found.firstSeen == firstSeen && found.diagnosis == patient.diagnosis, "what is written once is compared when it is sealed too")
        try store.fetch(SealedPatient.self).where { $0.weight >= 40 }.delete()
        #expect(try store.fetch(SealedPatient.self).count() == 80)
        #expect(throws: TroveError.self) { try store.insert(SealedPatient.made(5)) }
        try? store.write { transaction in
            try transaction.save(SealedPatient.made(500))
            throw CancellationError()
        }
        #expect(try store.fetch(SealedPatient.self, id: 500) == nil)
        #expect(try store.verify().isSound)
    }

    /// Contexts, relationships, undo and conflicts see plain objects.
    @Test(arguments: Engine.allCases) func ofLiveObjects(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .byProperty, undo: .unlimited))
        let ward = SealedWard(title: "A")
        ward.code = "Zqcode"
        ward.nurses = (0..<5).map { SealedNurse(name: "n\($0)", salary: $0 * 100, team: "Zqteam\($0 % 2)") }
        try context.insert(ward)
        try context.save()
        let other = ObjectContext(fixture.store)
        let found = try #require(try other.fetch(SealedWard.self).first())
        #expect(found.code == "Zqcode" && found.nurses.map(\.salary) == [0, 100, 200, 300, 400])
        #expect(try other.fetch(SealedNurse.self).where { $0.team == "Zqteam1" }.count() == 2)
        found.nurses[1].salary = 111
        found.code = nil
        try other.save()
        ward.nurses[1].name = "changed"
        try context.save()
        #expect(ward.nurses[1].salary == 111, "different properties of one object do not conflict")
        #expect(try context.undo())
        try context.save()
        #expect(ward.nurses[1].name == "n1")
        #expect(try fixture.store.verify().isSound)
        #expect(try !fixture.store.core.backend.contains("Zqteam"))
    }

    @Test(arguments: Engine.allCases) func withIDsThatAreCut(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedPage.self) }
        let ids = (0..<6).map { String(repeating: "x", count: 600) + "\($0)" } + ["short"]
        for (number, id) in ids.enumerated() { try fixture.store.save(SealedPage(id: id, text: "Zq\(number)", size: number)) }
        try fixture.reopenStore()
        for (number, id) in ids.enumerated() { #expect(try fixture.store.fetch(SealedPage.self, id: id)?.text == "Zq\(number)") }
        #expect(try fixture.store.fetch(SealedPage.self).where { $0.size > 2 }.ids() == ["short"] + ids[3...5])
        #expect(try fixture.store.fetch(SealedPage.self).where { $0.text > "Zq2" }.count() == 4)
        #expect(try fixture.store.verify().isSound)
    }

    /// No feature writes what is encrypted, but for what says that it may.
    @Test(arguments: Engine.allCases) func nothingCanBeRead(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let store = fixture.store
        try store.save((0..<300).map { SealedPatient.made($0) })
        #expect(try store.fetch(SealedPatient.self).where { $0.ward == "Zqward1" }.sorted(by: \.diagnosis).page(10).objects.count == 10)
        try store.fetch(SealedPatient.self).where { $0.ward == "Zqward2" }.update(\.diagnosis, to: "Zqother")
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: try store.fetch(SealedPatient.self).limit(5).all())
        try bag.save()
        try store.rebuildIndexes(of: SealedPatient.self)
        for secret in SealedFixture.secrets { #expect(try !store.core.backend.contains(secret), "\(secret)") }
        #expect(try store.core.backend.contains("Name7"))
        if engine != .memory {
            try store.compact()
            try store.close()
            for file in try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.directory.file(file)))
                for secret in SealedFixture.secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file) has \(secret)") }
            }
            try fixture.reopenStore()
        }
    }

    /// A copy has the record of keys, and opens with the same keys on another engine; backups too.
    @Test(arguments: Engine.allCases) func copies(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let patients = (0..<50).map { SealedPatient.made($0) }
        try fixture.store.save(patients)
        let name = fixture.directory.file("copy")
        for target in Engine.allCases {
            let backend = try target.open(name + "-\(target.rawValue)")
            try fixture.store.copy(to: backend)
            for secret in SealedFixture.secrets { #expect(try !backend.contains(secret), "\(secret)") }
            #expect(throws: SealedStoreError.self) { try ObjectStore(backend, fieldKeys: FieldKeys(.raw([UInt8](repeating: 1, count: 32))), models: SealedPatient.self) }
            let copy = try ObjectStore(backend, fieldKeys: SealedFixture.keys, models: SealedPatient.self)
            #expect(try copy.fetch(SealedPatient.self).all() == patients)
            #expect(try copy.fetch(SealedPatient.self).where { $0.ward == "Zqward3" }.count() == 5)
            #expect(try copy.verify().isSound)
            try copy.close()
        }
    }

    /// What leaves the store to come back has no values in the clear, and is of this store alone.
    @Test(arguments: Engine.allCases) func tokens(engine: Engine) throws {
        let fixture = try SealedFixture.open(engine)
        let patients = (0..<30).map { SealedPatient.made($0) }
        try fixture.store.save(patients)
        func page(_ token: ContinuationToken?) throws -> (objects: [SealedPatient], next: ContinuationToken?) {
            let (objects, next) = try fixture.store.fetch(SealedPatient.self).where { $0.weight > 1 }.sorted(by: \.email, .descending).page(10, after: token)
            return (objects, next)
        }
        var (objects, token) = try page(nil)
        while let next = token {
            let standard = next.text.replacing("-", with: "+").replacing("_", with: "/")
            let bytes = try #require(Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)))
            // Two letters are among random bytes now and then; every value that is sealed has three more behind them.
            let text = String(decoding: bytes, as: Unicode.ASCII.self)
            #expect(!text.contains("Example") && !text.contains(#/Zq[a-z]{3}/#))
            try fixture.reopenStore()
            let (more, last) = try page(next)
            objects += more
            token = last
        }
        #expect(objects == patients.filter { $0.weight > 1 }.sorted { $0.email > $1.email })
        let other = try SealedFixture.open(engine)
        try other.store.save(patients)
        let foreign = try #require(try other.store.fetch(SealedPatient.self).where { $0.weight > 1 }.sorted(by: \.email, .descending).page(10).next)
        #expect(throws: TroveError.self) { try page(foreign) }
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try SealedFixture.open(engine)
        let store = fixture.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { try await store.save(SealedPatient.made(number)) } }
            try await group.waitForAll()
        }
        let all = try await store.fetch(SealedPatient.self).all()
        #expect(all == (0..<40).map { SealedPatient.made($0) })
        let report = try await store.leakage(of: SealedPatient.self)
        #expect(report.count == 5)
        let passphrase = StoreKey.passphrase("correct horse", cost: PassphraseCost(log2Rounds: 10))
        try await store.addFieldKey(passphrase)
        #expect(try await store.fieldSealingStatus().rootKeyCount == 2)
        try await store.removeFieldKey(passphrase)
        let steps = Mutex<[Int]>([])
        try await store.rotateFieldKey(stepSize: 30) { count in steps.withLock { $0.append(count) } }
        #expect(steps.withLock { $0.first == 30 && $0.count > 1 })
        try await store.beginFieldKeyRotation()
        #expect(try await store.continueFieldKeyRotation() == nil)
        try await store.closeEncryptedFields()
        let status = try await store.fieldSealingStatus()
        #expect(status.dataKeys.map(\.number) == [3] && status.rootKeyCount == 1 && !status.closedProperties.isEmpty)
        try await store.changeFieldKey(to: passphrase)
        #expect(try await store.fetch(SealedPatient.self).all() == all)
        // It is the only key now; before the change it was none.
        await #expect { try await store.removeFieldKey(passphrase) } throws: { error in
            if case SealedStoreError.lastKey = error { true } else { false }
        }
    }

    /// Cancelled while the first objects are sealed anew, a rotation ends after them, and the next one goes on with the same key.
    @Test(arguments: Engine.allCases) func aCancelledRotation(engine: Engine) async throws {
        let fixture = try SealedFixture.open(engine)
        let store = fixture.store
        try await store.save((0..<40).map { SealedPatient.made($0) })
        let steps = Mutex<[Int]>([])
        let (mayCancel, wasCancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let rotation = Task {
            try await store.rotateFieldKey(stepSize: 10) { count in
                steps.withLock { $0.append(count) }
                mayCancel.signal()
                _ = wasCancelled.wait(timeout: .now() + 60)
            }
        }
        DispatchQueue.global().async {
            _ = mayCancel.wait(timeout: .now() + 60)
            rotation.cancel()
            wasCancelled.signal()
        }
        await #expect(throws: CancellationError.self) { try await rotation.value }
        #expect(steps.withLock { $0 } == [10])
        #expect(try await store.fieldSealingStatus().dataKeys.map(\.number) == [1, 2])
        try await store.rotateFieldKey()
        #expect(try await store.fieldSealingStatus().dataKeys.map(\.number) == [2])
        #expect(try await store.fetch(SealedPatient.self).all() == (0..<40).map { SealedPatient.made($0) })
    }
}

@Model struct SealedPage {
    var id: String
    @Attribute(.encrypted) var text: String
    var size: Int
}
