import TestSupport
import Testing

@Suite struct ObjectProgramTests {
    /// Each engine with a file against the model and, byte for byte, against the engine in memory.
    @Test(arguments: TestShare.trials([runSeed, 1, 2, 3, 4]).filter { $0.0 != .memory }) func agreesWithTheModel(engine: Engine, seed: UInt64) throws {
        try ObjectProgram.tester(on: [engine]).test(seed: seed)
    }
}
