import TestSupport
import Testing

@Suite struct ObjectProgramTests {
    /// Each engine against the model and, byte for byte, against the engine in memory.
    @Test(arguments: Engine.allCases, [runSeed, 1, 2, 3, 4]) func agreesWithTheModel(engine: Engine, seed: UInt64) throws {
        try ObjectProgram.tester(on: [engine]).test(seed: seed)
    }
}
