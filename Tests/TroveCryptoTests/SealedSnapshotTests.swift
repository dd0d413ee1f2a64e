import ProbeKit
import TestSupport
import Testing
import Trove
import TroveCrypto

/// Snapshots of stores that are encrypted as a whole or in part, whose keys are changed while they are open.
@Suite struct SealedSnapshotTests {
    @Test(arguments: TestShare.engines(0, of: Engine.allCases.filter { $0 != .tokyoCabinet })) func dataKeysAreRotated(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.openSealed(directory.file())
        let store = try ObjectStore(backend, models: ZqPatient.self)
        let patients = (0..<60).map {
            ZqPatient(zqNumber: "\($0)", zqName: "Zq\($0 % 5)", zqHistory: "Zq cough \($0)", zqStreet: "Zq street \($0)", zqYear: 1950 + $0, zqImage: nil)
        }
        try store.save(patients)
        let snapshot = try store.snapshot()
        try store.delete(ZqPatient.self, ids: patients[..<40].map(\.id))
        try backend.rotateDataKey(stepSize: 10)
        // What the reader has not opened yet is sealed with the old key.
        #expect(try snapshot.fetch(ZqPatient.self).where { $0.zqName == "Zq3" }.count() == 12)
        #expect(try snapshot.fetch(ZqPatient.self).ids() == patients.map(\.id))
        #expect(try store.fetch(ZqPatient.self).count() == 20)
        snapshot.close()
        try store.close()
    }

    @Test func fieldKeysAreRotatedAndChanged() throws {
        let scene = FieldStoreScene()
        let store = try scene.open()
        try store.putTexts(0..<30)
        let snapshot = try store.snapshot()
        try store.putTexts(0..<30, mark: "later")
        try store.rotateFieldKey(stepSize: 7)
        try store.changeFieldKey(to: FieldStoreScene.other)
        #expect(try snapshot.fetch(SceneNote.self).all().map(\.text) == (0..<30).map { "text \($0)" })
        #expect(try snapshot.fetch(SceneNote.self, id: 4)?.text == "text 4")
        #expect(try store.texts(0..<30) == (0..<30).map { "later \($0)" })
    }
}
