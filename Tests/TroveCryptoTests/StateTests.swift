import ProbeKit
import TestSupport
import Testing
import TroveCrypto
import TroveStorage

/// States that are kept elsewhere.
@Suite struct StateTests {
    @Test(arguments: TestShare.engines(1, of: Engine.persistent)) func anOlderStoreIsRolledBack(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        var store = try engine.openSealed(directory.file())
        try store.fill(0..<100)
        let early = try store.sealedState()
        try store.backUp(to: directory.file("copy"))
        try store.fill(0..<100, mark: 1)
        let late = try store.sealedState()
        #expect(early != late)
        try store.close()

        var options = EncryptedBackend.Options()
        for state in [early, late] {
            options.expectedState = SealedState(state.bytes)
            store = try engine.openSealed(directory.file(), options: options)
            #expect(try store.sealedState() == late)
            try store.close()
        }
        // The copy is the store as it was: right for the early state alone.
        #expect { try engine.openSealed(directory.file("copy"), options: options) } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
        options.expectedState = early
        store = try engine.openSealed(directory.file("copy"), options: options)
        // Written on it has as many commits as the original and another last one.
        try store.fill(0..<100, mark: 2)
        try store.close()
        options.expectedState = late
        #expect { try engine.openSealed(directory.file("copy"), options: options) } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
    }

    @Test func aStateIsOfItsStore() throws {
        let (first, second) = (SealedMemory(), SealedMemory())
        let stores = [try first.open(), try second.open()]
        for store in stores { try store.fill(0..<3) }
        var options = EncryptedBackend.Options()
        options.expectedState = try stores[0].sealedState()
        #expect { try second.open(options: options) } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
        // One that was emptied is not made anew.
        let empty = SealedMemory()
        #expect { try empty.open(options: options) } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
        #expect(try empty.values().isEmpty)
        let forged = try stores[0].sealedState().bytes.enumerated().map { $0.offset == 0 ? $0.element &- 1 : $0.element }
        options.expectedState = SealedState(forged)
        #expect { try first.open(options: options) } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
        #expect(SealedState([1, 2, 3]) == nil)
        // Neither opening has changed anything.
        #expect(try stores[0].contents() == stores[1].contents())
    }

    /// Only changes make new states.
    @Test func readingChangesNoState() throws {
        let memory = SealedMemory()
        let store = try memory.open()
        try store.fill(0..<3)
        let state = try store.sealedState()
        _ = try store.contents()
        try store.write { writer in _ = try writer.keyspaceNames() }
        #expect(try store.sealedState() == state)
        #expect(try store.sealingStatus().commitCount == 1)
    }
}
