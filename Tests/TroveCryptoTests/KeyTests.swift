import Crypto
import ProbeKit
import Synchronization
import TestSupport
import Testing
import TroveCrypto
import TroveStorage

/// Root keys: the right one, wrong ones, several, and changing them.
@Suite struct KeyTests {
    private let other = StoreKey.raw([UInt8](repeating: 8, count: 32))
    private let cost = PassphraseCost(log2Rounds: 10)

    private func isWrong(_ memory: SealedMemory, _ key: StoreKey) -> Bool {
        do {
            _ = try memory.open(key: key)
            return false
        } catch { return (error as? SealedStoreError)?.name == "wrongKey" }
    }

    @Test func aWrongKeyIsToldAtOnce() throws {
        let memory = SealedMemory()
        try memory.open().fill(0..<50)
        // Nothing but the record of keys is left to be read.
        try memory.change(memory.values().dropFirst().map { ($0.key, nil) })
        #expect(isWrong(memory, other))
        #expect(isWrong(memory, .passphrase("secret", cost: cost)))
        #expect(isWrong(memory, .raw([UInt8](repeating: 7, count: 16))))
        #expect { try memory.open() } throws: { ($0 as? StorageError)?.name == "corrupt" }
    }

    @Test func aKeyOfAnotherLengthIsToldSo() throws {
        let memory = SealedMemory()
        try memory.open().fill(0..<3)
        #expect { try memory.open(key: .raw([UInt8](repeating: 7, count: 31))) } throws: { error in
            (error as? SealedStoreError)?.name == "wrongKey" && "\(error)".contains("not opened by this raw key, which has 31 bytes and not 32")
        }
        #expect { try memory.open(key: other) } throws: { !"\($0)".contains("bytes and not") }
    }

    @Test func keysThatAreNoneAreRefused() throws {
        for key in [.raw([1, 2, 3] as [UInt8]), .passphrase(""), .passphrase("a", cost: PassphraseCost(log2Rounds: 40))] as [StoreKey] {
            let memory = SealedMemory(key: key)
            #expect { try memory.open() } throws: { ($0 as? SealedStoreError)?.name == "invalidKey" }
            #expect(try memory.values().isEmpty)
        }
        #expect("\(StoreKey.passphrase("hunter2"))" == "a passphrase")
        #expect(!String(reflecting: StoreKey.passphrase("hunter2")).contains("104"))
    }

    @Test func aPassphraseIsOneInAnyNormalForm() throws {
        let memory = SealedMemory(key: .passphrase("caf\u{E9}", cost: cost))
        try memory.open().fill(0..<3)
        #expect(try memory.open(key: .passphrase("cafe\u{301}")).contents()["data"]?.count == 3)
        #expect(isWrong(memory, .passphrase("cafe")))
    }

    @Test func severalKeysOpenAStore() throws {
        let memory = SealedMemory()
        let store = try memory.open()
        try store.fill(0..<20)
        let passphrase = StoreKey.passphrase("correct horse", cost: cost)
        try store.addKey(passphrase)
        try store.addKey(other)
        #expect(try store.sealingStatus().rootKeyCount == 3)
        for key in [memory.key, passphrase, other] { #expect(try memory.open(key: key).contents()["data"]?.count == 20) }
        try store.removeKey(memory.key)
        #expect(isWrong(memory, memory.key))
        try store.removeKey(passphrase)
        #expect { try store.removeKey(other) } throws: { ($0 as? SealedStoreError)?.name == "lastKey" }
        #expect { try store.removeKey(passphrase) } throws: { ($0 as? SealedStoreError)?.name == "wrongKey" }
        #expect(try memory.open(key: other).contents()["data"]?.count == 20)
        for _ in 0..<15 { try store.addKey(other) }
        #expect { try store.addKey(other) } throws: { ($0 as? SealedStoreError)?.name == "tooManyKeys" }
        try store.checkStructure()
    }

    @Test(arguments: TestShare.engines(2)) func theKeyIsChanged(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try engine.openSealed(directory.file())
        try store.fill(0..<500)
        let neighbour = try engine == .tokyoCabinet ? nil : engine.openSealed(directory.file())
        let nodes = try SealedMemory.values(engine.open(directory.file())).filter { $0.key.count == 8 }
        try store.changeKey(to: other)
        #expect(try SealedMemory.values(engine.open(directory.file())).filter { $0.key.count == 8 }.elementsEqual(nodes) { $0 == $1 })
        #expect(try store.contents()["data"]?.count == 500)
        try store.fill(500..<600)
        // One that had the store open is told.
        if let neighbour { #expect { try neighbour.contents() } throws: { ($0 as? SealedStoreError)?.name == "wrongKey" } }
        #expect { try engine.openSealed(directory.file()) } throws: { ($0 as? SealedStoreError)?.name == "wrongKey" }
        let reopened = try engine.openSealed(directory.file(), key: other)
        #expect(try reopened.contents()["data"]?.count == 600)
        try reopened.checkStructure()
        for backend in [store, neighbour, reopened] { try backend?.close() }
    }

    /// An earlier record of keys, with a key that was shut out, does not fit the root.
    @Test func anEarlierRecordOfKeysIsNoticed() throws {
        let memory = SealedMemory()
        let store = try memory.open()
        try store.fill(0..<10)
        let record = try #require(try memory.values().first)
        try store.addKey(other)
        try store.removeKey(memory.key)
        try memory.change([(record.key, record.value)])
        #expect { try memory.open() } throws: { ($0 as? StorageError)?.name == "corrupt" }
        #expect { try memory.open(key: other) } throws: { ($0 as? SealedStoreError)?.name == "wrongKey" }
    }

    @Test func aProviderKeepsTheKey() throws {
        /// A key server in memory.
        final class Server: RootKeyProvider {
            struct Away: Error {}
            let keys = Mutex<[[UInt8]: SymmetricKey]>([:])
            let isAway = Atomic(false)

            func makeKey(forStore identity: [UInt8]) -> RootKey {
                let key = SymmetricKey(size: .bits256)
                let reference = identity + [UInt8(keys.withLock(\.count))]
                keys.withLock { $0[reference] = key }
                return RootKey(key: key, reference: reference)
            }

            func key(reference: [UInt8], forStore identity: [UInt8]) throws -> SymmetricKey? {
                if isAway.load(ordering: .relaxed) { throw Away() }
                return keys.withLock { $0[reference] }
            }
        }
        let (server, stranger) = (Server(), Server())
        let memory = SealedMemory(key: .provider(server))
        let store = try memory.open()
        try store.fill(0..<5)
        #expect(try memory.open().contents()["data"]?.count == 5)
        #expect(isWrong(memory, .provider(stranger)))
        #expect(isWrong(memory, other))
        try store.changeKey(to: .provider(server))
        #expect(try memory.open().contents()["data"]?.count == 5)
        server.isAway.store(true, ordering: .relaxed)
        #expect(throws: Server.Away.self) { try memory.open() }
    }

    /// A provider that names its keys by the store alone keeps the first one: the new one would never be found again.
    @Test func aKeyThatIsNotFoundAgainIsRefused() throws {
        final class Forgetful: RootKeyProvider {
            let keys = Mutex<[[UInt8]: SymmetricKey]>([:])

            func makeKey(forStore identity: [UInt8]) -> RootKey {
                let key = SymmetricKey(size: .bits256)
                keys.withLock { if $0[identity] == nil { $0[identity] = key } }
                return RootKey(key: key, reference: identity)
            }

            func key(reference: [UInt8], forStore identity: [UInt8]) -> SymmetricKey? { keys.withLock { $0[reference] } }
        }
        let memory = SealedMemory(key: .provider(Forgetful()))
        let store = try memory.open()
        try store.fill(0..<5)
        #expect { try store.changeKey(to: memory.key) } throws: { ($0 as? SealedStoreError)?.name == "invalidKey" }
        #expect { try store.addKey(memory.key) } throws: { ($0 as? SealedStoreError)?.name == "invalidKey" }
        #expect(try store.sealingStatus().rootKeyCount == 1)
        #expect(try memory.open().contents()["data"]?.count == 5)
    }

    /// A read that began before the key was changed, and reads the record of keys after: it has the state of its beginning.
    @Test func aReadThatBeganBeforeAChangeOfTheKey() throws {
        let directory = try TemporaryDirectory()
        let interrupted = InterruptedBackend(try Engine.lmdb.open(directory.file()))
        let store = try EncryptedBackend(interrupted, key: Engine.sealingKey)
        try store.fill(0..<50)
        let contents = try store.contents()
        let next = [8, 9].map { StoreKey.raw([UInt8](repeating: $0, count: 32)) }
        interrupted.interruptNextRead {
            for key in next { try store.changeKey(to: key) }
            try store.fill(0..<50, mark: 1)
        }
        #expect(try store.contents() == contents)
        #expect(try store.contents() != contents)
        try store.checkStructure()
        try store.close()
    }

    @Test(arguments: Engine.allCases) func plainAndSealedStoresAreToldApart(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let plain = try engine.open(directory.file("plain"))
        try plain.fill(0..<3)
        #expect { try EncryptedBackend(plain, key: Engine.sealingKey) } throws: { ($0 as? SealedStoreError)?.name == "notSealed" }
        #expect(try plain.contents().keys.sorted() == ["data"])
        var options = EncryptedBackend.Options()
        options.createsStore = false
        #expect { try engine.openSealed(directory.file("new"), options: options) } throws: { ($0 as? SealedStoreError)?.name == "notSealed" }
        options = EncryptedBackend.Options()
        options.nodeSize = 10
        #expect { try engine.openSealed(directory.file("new"), options: options) } throws: { ($0 as? StorageError)?.name == "unsupported" }
        try plain.close()
    }

    /// An engine's file without a store, opened for reading only, was reported as a store that cannot be written.
    @Test(arguments: Engine.persistent) func whatIsOnlyReadIsNotMade(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        func isNone(_ error: any Error) -> Bool { (error as? StorageError)?.name == "noSuchStore" }
        func opened() throws -> EncryptedBackend { try EncryptedBackend(engine.openReadOnly(directory.file()), key: Engine.sealingKey) }
        #expect { try opened() } throws: { isNone($0) }
        try engine.open(directory.file()).close()
        #expect { try opened() } throws: { isNone($0) }
        let plain = try engine.open(directory.file())
        #expect(try plain.contents().isEmpty)
        try plain.close()
    }
}
