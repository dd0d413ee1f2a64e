import Foundation
import ProbeKit
import TestSupport
import Testing

/// A child that was forked while a store was open is refused, and whatever it does, its parent's store stays whole.
@Suite struct ForkTests {
    @Test(arguments: Engine.persistent, ForkedUse.allCases) func aChildLeavesTheStoreAlone(engine: Engine, use: ForkedUse) throws {
        // Tokyo Cabinet keeps no snapshots.
        if use == .besideASnapshot, engine == .tokyoCabinet { return }
        let directory = try TemporaryDirectory()
        let met = try ProbeProgram.run(["fork", engine.rawValue, directory.file(), use.rawValue, "20"])
        #expect(met == (use == .insideARead ? "nothing" : "openedBeforeFork"))
    }
}
