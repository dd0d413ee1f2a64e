import Crypto
import Synchronization
import TestSupport
import Testing
import Trove

@testable import TroveCrypto

/// The record of keys of encrypted properties: the right key, wrong ones, damage, changes by others.
@Suite struct FieldKeysTests {
    private let other = StoreKey.raw([UInt8](repeating: 8, count: 32))
    private let cost = PassphraseCost(log2Rounds: 10)

    private func outcome(_ bytes: [UInt8], _ keyring: FieldKeys = FieldKeys(.raw(FieldScene.rootKey))) throws -> String? {
        try errorName { _ = try keyring.unlock(bytes, path: "scene") }
    }

    @Test func aWrongKeyIsToldAtOnce() throws {
        let scene = try FieldScene()
        for key in [other, .passphrase("secret", cost: cost), .raw([UInt8](repeating: 7, count: 16))] {
            #expect(try outcome(scene.bytes, FieldKeys(key)) == "wrongKey")
        }
        let refusal = #expect(throws: SealedStoreError.self) { try FieldKeys(other).unlock(scene.bytes, path: "ward.db") }
        #expect(refusal?.details.path == "ward.db" && refusal?.details.message.contains("the encrypted properties are not opened by this raw key") == true)
        #expect(try outcome(scene.bytes) == nil)
    }

    @Test func keysThatAreNoneAreRefused() throws {
        for key in [.raw([1, 2, 3] as [UInt8]), .passphrase(""), .passphrase("a", cost: PassphraseCost(log2Rounds: 40))] as [StoreKey] {
            #expect(try errorName { _ = try FieldKeys(key).makeKeyRecord() } == "invalidKey")
        }
        #expect(!"\(FieldKeys(.passphrase("hunter2")))".contains("hunter") && !String(reflecting: FieldKeys(.passphrase("hunter2"))).contains("104"))
    }

    @Test func aPassphraseOpens() throws {
        let scene = try FieldScene(.passphrase("caf\u{E9}", cost: cost))
        let sealed = try scene.sealer(.passphrase("cafe\u{301}")).sealed([1])
        #expect(try scene.keyring.unlock(scene.bytes, path: "").opened(sealed) == [1])
        #expect(try outcome(scene.bytes, FieldKeys(.passphrase("cafe"))) == "wrongKey")
    }

    /// Each byte changed, each part cut off: with keys that never saw the record, and with those that have it open.
    @Test func damageIsATypedError() throws {
        let scene = try FieldScene()
        try scene.addRootKey(.passphrase("secret", cost: cost))
        try scene.addDataKey()
        try scene.changeRecord { record, ring in
            record.fields?.close(["Patient.name", "Patient.diagnosis"])
            return ring.storeKey
        }
        let bytes = scene.bytes
        for position in bytes.indices {
            for change in [1, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[position] ^= change
                // Costs of a passphrase that are over the limit are refused; below, the raw key is what is tried.
                #expect(["corrupt", "wrongKey", "newerFormat"].contains(try outcome(changed)), "byte \(position)")
                #expect(["corrupt", "wrongKey", "newerFormat"].contains(try outcome(changed, scene.keyring)), "byte \(position), known")
            }
            #expect(try outcome(Array(bytes.prefix(position))) == "corrupt", "\(position) bytes")
            #expect(try outcome(Array(bytes.prefix(position)), scene.keyring) == "corrupt", "\(position) bytes, known")
        }
        #expect(try outcome(bytes + [0]) == "corrupt" && outcome([]) == "corrupt")
        #expect(try outcome(bytes) == nil && outcome(bytes, scene.keyring) == nil)
    }

    @Test func randomBytesAreATypedError() throws {
        let scene = try FieldScene()
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<3_000 {
            var bytes = scene.bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let start = Int.random(in: 8..<bytes.count, using: &generator)
                let end = min(bytes.count, start + Int.random(in: 0...4, using: &generator))
                bytes.replaceSubrange(start..<end, with: (0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(in: 0 ... .max, using: &generator) })
            }
            if bytes == scene.bytes { continue }
            #expect(["corrupt", "wrongKey", "newerFormat"].contains(try outcome(bytes)))
        }
    }

    /// What somebody forged who has the store's key, so that the code at the end is right.
    @Test func forgedNumbersAreATypedError() throws {
        let scene = try FieldScene()
        let storeKey = try scene.keys().ring.storeKey
        let store = Array(scene.bytes[10..<26])
        let codeKey = HKDF<SHA256>.deriveKey(inputKeyMaterial: storeKey, salt: store, info: Array("trove record of keys".utf8), outputByteCount: 32)
        func forged(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var bytes = Array(scene.bytes.dropLast(32))
            change(&bytes)
            return bytes + HMAC<SHA256>.authenticationCode(for: bytes, using: codeKey)
        }
        func closed(_ names: [[UInt8]]) -> [UInt8] {
            forged { bytes in
                bytes.removeLast(2)
                bytes.append(littleEndian: UInt16(names.count))
                for name in names {
                    bytes.append(littleEndian: UInt16(name.count))
                    bytes += name
                }
            }
        }
        #expect(try outcome(forged { _ in }) == nil)
        #expect(try FieldKeys(.raw(FieldScene.rootKey)).unlock(closed([[65], [66]]), path: "").closedFields == ["A", "B"])
        for names in [[[66], [65]], [[65], [65]], [[0xFF]]] as [[[UInt8]]] { #expect(try outcome(closed(names)) == "corrupt") }
        #expect(try outcome(forged { $0[212 - 2] = 1 }) == "corrupt")
        #expect(try outcome(forged { $0[180] ^= 1 }) == "corrupt")
        #expect(try outcome(forged { $0[140] ^= 1 }) == "corrupt")
        #expect(try outcome(forged { $0.replaceSubrange(26..<34, with: [UInt8](repeating: 255, count: 8)) }) == "corrupt")
        #expect(try outcome(forged { $0.replaceSubrange(126..<130, with: [UInt8](repeating: 255, count: 4)) }) == "corrupt")
        #expect(try outcome(forged { $0[8] = 2 }) == "newerFormat")
    }

    /// The record of a store that is sealed as a whole is none of encrypted properties, nor the other way round.
    @Test func recordsOfTheTwoKindsAreToldApart() throws {
        let memory = SealedMemory()
        _ = try memory.open()
        let sealed = try #require(try memory.values().first)
        #expect(try outcome(sealed.value) == "corrupt")
        #expect(try outcome(Array("TroveFld".utf8) + sealed.value.dropFirst(8)) == "corrupt")
        let scene = try FieldScene()
        for bytes in [scene.bytes, Array("TroveSea".utf8) + scene.bytes.dropFirst(8)] {
            try memory.change([(sealed.key, bytes)])
            #expect(try errorName { _ = try memory.open() } == "corrupt")
        }
    }

    // MARK: Changes

    @Test func severalKeysOpen() throws {
        let scene = try FieldScene()
        let sealed = try scene.sealer().sealed([5])
        let passphrase = StoreKey.passphrase("correct horse", cost: cost)
        try scene.addRootKey(passphrase)
        try scene.addRootKey(other)
        for key in [.raw(FieldScene.rootKey), passphrase, other] { #expect(try scene.sealer(key).opened(sealed) == [5]) }
        try scene.removeRootKey(.raw(FieldScene.rootKey))
        #expect(try outcome(scene.bytes) == "wrongKey")
        try scene.removeRootKey(passphrase)
        #expect(try errorName { try scene.removeRootKey(other) } == "lastKey")
        #expect(try errorName { try scene.removeRootKey(passphrase) } == "wrongKey")
        for _ in 0..<15 { try scene.addRootKey(other) }
        #expect(try errorName { try scene.addRootKey(other) } == "tooManyKeys")
        #expect(try scene.sealer(other).opened(sealed) == [5])
    }

    @Test func theKeyIsChanged() throws {
        let scene = try FieldScene()
        try scene.addDataKey()
        let neighbour = FieldKeys(.raw(FieldScene.rootKey))
        let sealed = try neighbour.unlock(scene.bytes, path: "").sealed([5])
        try scene.replaceRootKeys(with: other)
        #expect(try scene.sealer(other).opened(sealed) == [5])
        // One that had it open is told; the one that made the change goes on.
        #expect(try outcome(scene.bytes) == "wrongKey" && outcome(scene.bytes, neighbour) == "wrongKey")
        #expect(try scene.keyring.unlock(scene.bytes, path: "").opened(sealed) == [5])
        // At each moment one of the keys opens it.
        #expect(scene.history.count == 3)
        #expect(try outcome(scene.history[2]) == nil && outcome(scene.history[2], FieldKeys(other)) == nil)
        // Nothing of the old wraps is left.
        let old = try KeyRecord(scene.history[1], in: scene.place), new = try KeyRecord(scene.bytes, in: scene.place)
        #expect(Set(old.dataKeys.map(\.wrapped)).isDisjoint(with: new.dataKeys.map(\.wrapped)) && old.dataKeys.map(\.number) == new.dataKeys.map(\.number))
        #expect(old.fields?.wrappedIndexKey != new.fields?.wrappedIndexKey && new.generation == old.generation + 2)
    }

    /// Counts what it is asked, as making a key of a passphrase would take time.
    private final class Server: RootKeyProvider {
        let key = SymmetricKey(size: .bits256)
        let questions = Atomic(0)

        func makeKey(forStore identity: [UInt8]) -> RootKey { RootKey(key: key, reference: [1]) }

        func key(reference: [UInt8], forStore identity: [UInt8]) -> SymmetricKey? {
            questions.add(1, ordering: .relaxed)
            return key
        }
    }

    @Test func theRootKeyIsAskedForOnce() throws {
        let server = Server()
        let scene = try FieldScene(.provider(server))
        let keyring = FieldKeys(.provider(server))
        let before = server.questions.load(ordering: .relaxed)
        let sealed = try keyring.unlock(scene.bytes, path: "").sealed([5])
        #expect(server.questions.load(ordering: .relaxed) == before + 1)
        // Another program changes the record.
        try scene.addRootKey(other)
        try scene.addDataKey()
        try scene.removeRootKey(other)
        let asked = server.questions.load(ordering: .relaxed)
        #expect(try keyring.unlock(scene.bytes, path: "").opened(sealed) == [5])
        // Nor does the one that made it ask.
        #expect(try scene.keyring.unlock(scene.bytes, path: "").activeKey == 2)
        #expect(server.questions.load(ordering: .relaxed) == asked)
    }

    /// A store whose root key was changed is open still, however many others the program opens with the keyring.
    @Test func otherStoresTakeNoKeysAway() throws {
        let scene = try FieldScene()
        let sealed = try scene.sealer().sealed([5])
        try scene.replaceRootKeys(with: other)
        for _ in 0..<40 { _ = try scene.keyring.unlock(FieldScene().bytes, path: "") }
        #expect(try scene.keyring.unlock(scene.bytes, path: "").opened(sealed) == [5])
    }

    @Test func oneKeyringOpensSeveralStores() throws {
        let scenes = try (0..<20).map { _ in try FieldScene() }
        let keyring = FieldKeys(.raw(FieldScene.rootKey))
        for _ in 0..<2 {
            for scene in scenes { #expect(try keyring.unlock(scene.bytes, path: "").opened(scene.sealer().sealed([1])) == [1]) }
        }
    }
}
