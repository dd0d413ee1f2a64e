import Foundation
import TestSupport
import Testing
import TroveTesting

/// Random programs with fresh seeds for as long as `TROVE_SOAK_MINUTES` says (`make soak MINUTES=`), or those of one seed
/// (`make soak SEED=`).
@Suite struct SoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let minutes = environment["TROVE_SOAK_MINUTES"].flatMap(Double.init)
    private static let seed = environment["TROVE_SOAK_SEED"].flatMap(UInt64.init)

    @Test(.enabled(if: minutes != nil || seed != nil)) func soak() throws {
        let storage = StorageProgram.tester(on: Engine.allCases.map(\.factory))
        let objects = ObjectProgram.tester(on: Engine.allCases)
        if let seed = Self.seed {
            print("soak: seed \(seed)")
            try storage.test(seed: seed)
            try objects.test(seed: seed)
            return
        }
        let start = Date()
        let end = start.addingTimeInterval(60 * (Self.minutes ?? 0))
        var (programs, operations, failures) = (0, 0, 0)
        var shown = start
        // Seeds of runs begun a second apart are a thousand apart, so that runs hardly ever repeat each other.
        var seed = UInt64(start.timeIntervalSince1970) * 1_000
        print("soak: seeds from \(seed) on")
        while Date() < end {
            for run in [storage.test(seed:), objects.test(seed:)] as [(UInt64) throws -> Int] {
                do {
                    operations += try run(seed)
                } catch {
                    failures += 1
                    Issue.record("\(error)\nmake soak SEED=\(seed) repeats it")
                }
                programs += 1
            }
            seed += 1
            if failures >= 10 { break }
            guard Date().timeIntervalSince(shown) > 20 else { continue }
            shown = Date()
            print("soak: \(text(programs, operations, start)); next seed \(seed)")
            fflush(nil)
        }
        print("soak: \(text(programs, operations, start)), \(failures) failures; seeds up to \(seed - 1)")
        #expect(programs > 0)
    }

    private func text(_ programs: Int, _ operations: Int, _ start: Date) -> String {
        let seconds = Date().timeIntervalSince(start)
        return "\(programs) programs on 4 engines, \(operations) operations, \(Int(Double(operations * 4) / seconds)) a second on all engines together"
    }
}
