import TestSupport
import Testing
import TroveTesting

extension Engine {
    /// The engine as programs of storage operations take it.
    var factory: BackendFactory {
        BackendFactory(name: rawValue, kind: self == .memory ? .inMemory : .files) { try open($0) }
    }
}

@Suite struct StorageProgramTests {
    /// All engines side by side, answer by answer. The specification has more seeds.
    @Test(arguments: TestShare.isWhole ? [runSeed, 1, 2, 3] : [runSeed]) func enginesAgree(seed: UInt64) throws {
        try StorageProgram.tester(on: Engine.allCases.map(\.factory)).test(seed: seed)
    }
}
