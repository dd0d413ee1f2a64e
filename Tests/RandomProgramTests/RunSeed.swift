import Foundation
import TestSupport

/// The seed that this run adds to the fixed ones: `TROVE_SEED`; with `make test-all` one of the clock, which is printed so that a failure can be had
/// again; otherwise one more fixed seed.
let runSeed: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["TROVE_SEED"], let seed = UInt64(text) { return seed }
    guard TestShare.isWhole else { return 5 }
    let seed = UInt64(Date().timeIntervalSince1970)
    print("random programs: this run's seed is \(seed) (TROVE_SEED=\(seed) repeats it)")
    return seed
}()
