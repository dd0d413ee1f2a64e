import Foundation
import Synchronization

/// Makes ascending ids for ``ObjectID/init()``.
final class ObjectIDGenerator: Sendable {
    static let shared = ObjectIDGenerator()

    private struct State {
        var milliseconds: UInt64 = 0
        /// 74 random bits of the id that follow the time: 12 and 62.
        var counter: UInt128 = 0
        /// Steps are drawn from these bits, eight for each id.
        var steps: UInt64 = 0
        var stepsLeft = 0
        var forks = 0
    }

    private let state = Mutex(State())
    /// A forked child shares its parent's state and must not go on from there.
    private static let forks = Atomic<Int>(0)

    private init() {
        pthread_atfork(nil, nil) { ObjectIDGenerator.forks.add(1, ordering: .relaxed) }
    }

    func next() -> (high: UInt64, low: UInt64) {
        let now = Self.milliseconds()
        let forks = Self.forks.load(ordering: .relaxed)
        return state.withLock { state in
            if now > state.milliseconds || forks != state.forks {
                state.milliseconds = max(now, state.milliseconds)
                state.forks = forks
                // The top bit stays free, so that a millisecond has room for 2^73 steps.
                state.counter = UInt128.random(in: 0..<(1 << 73))
            } else {
                if state.stepsLeft == 0 {
                    state.steps = .random(in: 0...UInt64.max)
                    state.stepsLeft = 8
                }
                state.counter += UInt128(state.steps & 0xFF) + 1
                state.steps >>= 8
                state.stepsLeft -= 1
            }
            let high = state.milliseconds << 16 | 0x7000 | UInt64(truncatingIfNeeded: state.counter >> 62) & 0xFFF
            let low = 0x8000_0000_0000_0000 | UInt64(truncatingIfNeeded: state.counter) & 0x3FFF_FFFF_FFFF_FFFF
            return (high, low)
        }
    }

    private static func milliseconds() -> UInt64 {
        var time = timespec()
        #if os(Linux)
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        #else
        clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return UInt64(max(0, time.tv_sec)) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
