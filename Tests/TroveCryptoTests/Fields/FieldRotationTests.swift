import TestSupport
import Testing
import Trove
import TroveCrypto
import TroveStorage
import TroveTesting

/// Root keys, data keys and closed properties of stores with encrypted properties.
@Suite struct FieldRotationTests {
    private typealias Scene = FieldStoreScene

    private func expected(_ numbers: Range<Int>, mark: String = "text") -> [String] { numbers.map { "\(mark) \($0)" } }

    @Test func rootKeysAreAddedRemovedAndChanged() throws {
        let scene = Scene()
        let store = try scene.open()
        try store.putTexts(0..<30)
        let passphrase = StoreKey.passphrase("correct horse", cost: PassphraseCost(log2Rounds: 10))
        try store.addFieldKey(passphrase)
        #expect(try store.fieldSealingStatus().rootKeyCount == 2)
        #expect(try scene.open(passphrase).texts(0..<30) == expected(0..<30))
        try store.removeFieldKey(passphrase)
        #expect(try errorName { _ = try scene.open(passphrase) } == "wrongKey")
        #expect(try errorName { try store.removeFieldKey(Scene.rootKey) } == "lastKey")
        let values = try store.storedBytes().values
        try store.changeFieldKey(to: Scene.other)
        // No value was rewritten, and this program goes on.
        #expect(try store.storedBytes().values == values)
        #expect(try store.texts(0..<30) == expected(0..<30))
        try store.putTexts(30..<40)
        #expect(try errorName { _ = try scene.open() } == "wrongKey")
        #expect(try scene.open(Scene.other).texts(0..<40) == expected(0..<40))
    }

    @Test func everythingIsSealedAnew() throws {
        let scene = Scene()
        let store = try scene.open()
        try store.putTexts(0..<250)
        try store.putTexts(250..<300, isPlain: true)
        let before = try store.storedBytes()
        var status = try store.fieldSealingStatus()
        #expect(status.dataKeys.map(\.sealedValueCount) == [250] && status.plainValueCounts == [Scene.property: 50])
        var steps: [Int] = []
        try store.rotateFieldKey(stepSize: 40) { steps.append($0) }
        #expect(steps == (1...8).map { $0 * 40 })
        status = try store.fieldSealingStatus()
        #expect(status.dataKeys.map(\.number) == [2] && status.dataKeys.map(\.sealedValueCount) == [300] && status.dataKeys[0].isActive)
        #expect(status.outdatedValueCount == 0 && status.plainValueCounts.isEmpty && status.closedProperties.isEmpty)
        #expect(Set(try store.storedBytes().values).isDisjoint(with: before.values))
        #expect(try scene.open().texts(0..<300) == expected(0..<300))
        // The record that there was does not open what was sealed since.
        let old = try FieldKeys(Scene.rootKey).unlock(before.record, path: "")
        #expect(try store.storedBytes().values.allSatisfy { old.keyNumber($0) == 2 })
    }

    /// All objects in each step, in two passes, since another program begins a rotation meanwhile.
    @Test func theLargestStep() throws {
        let scene = Scene()
        let backend = InterruptedBackend(MemoryBackend(name: scene.name))
        let store = try ObjectStore(backend, fieldKeys: FieldKeys(Scene.rootKey), models: SceneNote.self)
        try store.putTexts(0..<10)
        try store.beginFieldKeyRotation()
        backend.interruptNextWrite { try scene.open().beginFieldKeyRotation() }
        var steps: [Int] = []
        try store.rotateFieldKey(stepSize: .max) { steps.append($0) }
        #expect(steps == [.max, .max])
        #expect(try store.fieldSealingStatus().dataKeys.map(\.number) == [3] && store.texts(0..<10) == expected(0..<10))
    }

    /// The program ends after each step; others write and read meanwhile.
    @Test func aBrokenOffRotationIsFinished() throws {
        let scene = Scene()
        try scene.open().putTexts(0..<60)
        try scene.open().beginFieldKeyRotation()
        var left = try scene.open().fieldSealingStatus().outdatedValueCount
        #expect(left == 60)
        for step in 0..<9 {
            let store = try scene.open()
            #expect(try store.continueFieldKeyRotation(stepSize: 5) != nil)
            let next = try store.fieldSealingStatus().outdatedValueCount
            #expect(next == left - 5)
            left = next
            #expect(try store.texts(0..<60) == expected(0..<60))
            try scene.open().putTexts(60 + step..<61 + step)
        }
        try scene.open().rotateFieldKey(stepSize: 5)
        let status = try scene.open().fieldSealingStatus()
        #expect(status.dataKeys.map(\.number) == [2] && status.outdatedValueCount == 0)
        #expect(try scene.open().texts(0..<69) == expected(0..<69))
        #expect(try scene.open().continueFieldKeyRotation() == nil)
    }

    /// A second rotation begins while the first is on its way: the first goes through the objects once more.
    @Test func rotationsMeet() throws {
        let scene = Scene()
        let (first, second) = (try scene.open(), try scene.open())
        try first.putTexts(0..<30)
        try first.beginFieldKeyRotation()
        var place = try first.continueFieldKeyRotation(stepSize: 10)
        try second.beginFieldKeyRotation()
        while place != nil { place = try first.continueFieldKeyRotation(from: place, stepSize: 10) }
        #expect(try second.fieldSealingStatus().dataKeys.map(\.number) == [3])
        #expect(try second.texts(0..<30) == expected(0..<30))
    }

    /// However many others begin meanwhile: each of them leaves values behind the pass that is on its way, and none is damaged.
    @Test func manyRotationsMeet() throws {
        let scene = Scene()
        let (first, second) = (try scene.open(), try scene.open())
        try first.putTexts(0..<30)
        try first.beginFieldKeyRotation()
        var place: FieldRotationPlace?
        for _ in 0..<4 {
            place = try first.continueFieldKeyRotation(from: place, stepSize: 10)
            try second.beginFieldKeyRotation()
            for _ in 0..<2 { place = try first.continueFieldKeyRotation(from: place, stepSize: 10) }
            #expect(place != nil)
        }
        while place != nil { place = try first.continueFieldKeyRotation(from: place, stepSize: 10) }
        #expect(try second.fieldSealingStatus().dataKeys.map(\.number) == [6])
        #expect(try second.texts(0..<30) == expected(0..<30))
    }

    /// What this program cannot open any more is no damage, however often it is read in one transaction.
    @Test func keysThatOthersHaveReplacedAreToldEachTime() throws {
        let scene = Scene()
        let (first, second) = (try scene.open(), try scene.open())
        try first.putTexts(0..<3)
        try second.changeFieldKey(to: Scene.other)
        try second.rotateFieldKey()
        let names = try first.read { transaction in
            try (0..<3).map { id in try errorName { _ = try transaction.fetch(SceneNote.self, id: id) } }
        }
        #expect(names == ["wrongKey", "wrongKey", "wrongKey"])
        #expect(try second.texts(0..<3) == expected(0..<3))
    }

    @Test func propertiesAreClosed() throws {
        let scene = Scene()
        let store = try scene.open()
        try store.putTexts(0..<20, isPlain: true)
        try store.putTexts(20..<30)
        #expect(try store.fieldSealingStatus().plainValueCounts == [Scene.property: 20])
        try store.closeEncryptedFields(stepSize: 7)
        let status = try store.fieldSealingStatus()
        #expect(status.plainValueCounts.isEmpty && status.closedProperties == [Scene.property] && status.dataKeys.map(\.sealedValueCount) == [30])
        #expect(try scene.open().texts(0..<30) == expected(0..<30))
        let record = try store.storedBytes().record
        #expect(try FieldKeys(Scene.rootKey).unlock(record, path: "").closedFields == [Scene.property])
        // Nobody without the key takes that back, and nothing is written when it is so already.
        var forged = record
        forged.replaceSubrange(210..<212, with: [0, 0])
        #expect(try errorName { _ = try FieldKeys(Scene.rootKey).unlock(forged, path: "") } == "corrupt")
        try store.closeEncryptedFields()
        #expect(try store.storedBytes().record == record)
    }

    @Test func whatCannotBeIsATypedError() throws {
        let scene = Scene()
        let store = try scene.open()
        #expect(try errorName { _ = try store.continueFieldKeyRotation(stepSize: 0) } == "unsupported")
        let plain = try ObjectStore(MemoryBackend(), models: [])
        #expect(try errorName { try plain.addFieldKey(Scene.other) } == "notSealed")
        #expect(try errorName { _ = try plain.fieldSealingStatus() } == "notSealed")
        for _ in 0..<63 { try store.beginFieldKeyRotation() }
        #expect(try errorName { try store.beginFieldKeyRotation() } == "tooManyKeys")
        try store.rotateFieldKey()
        #expect(try store.fieldSealingStatus().dataKeys.map(\.number) == [64])
    }

    /// Each call of the engine fails once: one of the keys opens the store, every value is there, and the work can be done again.
    @Test func everyFaultLeavesTheValuesReadable() throws {
        let works: [(ObjectStore) throws -> Void] = [
            { try $0.rotateFieldKey(stepSize: 9) }, { try $0.changeFieldKey(to: Scene.other) }, { try $0.addFieldKey(Scene.other) }, { try $0.closeEncryptedFields(stepSize: 9) },
        ]
        for work in works {
            var (number, isDone) = (0, false)
            while !isDone {
                number += 1
                let scene = Scene()
                try scene.open().putTexts(0..<20)
                try scene.open().putTexts(20..<30, isPlain: true)
                let faults = FaultInjector()
                let store = try scene.open(faults: faults)
                faults.arm(FaultPlan(.nth(number), at: Set(FaultPoint.allCases)))
                do {
                    try work(store)
                    isDone = faults.faultCount == 0
                } catch is StorageError {}
                faults.disarm()
                #expect(try store.texts(0..<30) == expected(0..<30))
                let opened = try [Scene.rootKey, Scene.other].filter { key in try errorName { _ = try scene.open(key).texts(0..<30) } == nil }
                #expect(!opened.isEmpty)
                try work(store)
                #expect(try store.texts(0..<30) == expected(0..<30) && store.fieldSealingStatus().dataKeys.count == 1)
            }
            #expect(number > 5)
        }
    }
}
