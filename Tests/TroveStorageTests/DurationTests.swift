import Dispatch
import EngineSupport
import Testing

@testable import TroveBackendKit

/// Durations of a caller, which may be longer than clocks can count.
struct DurationTests {
    private static let endless = [Duration(attoseconds: .max), .seconds(Int64.max), .seconds(4_000_000_000)]

    @Test func `a duration beyond what Dispatch counts is never over`() {
        for duration in Self.endless { #expect(duration.dispatchInterval == .never) }
        #expect(Duration.milliseconds(1_500).dispatchInterval == .nanoseconds(1_500_000_000))
        #expect(DispatchTime.now() + Duration(attoseconds: .min).dispatchInterval <= .now())
    }

    @Test func `an instant can be moved by any duration within a century`() {
        let now = ContinuousClock.now
        for duration in Self.endless {
            #expect(now + duration.withinACentury > now + .seconds(3_000_000_000))
            #expect(now - duration.withinACentury < now)
        }
        #expect(now + Duration(attoseconds: .min).withinACentury < now)
        #expect(Duration.milliseconds(7).withinACentury == .milliseconds(7))
    }

    @Test func `gates wait for as long as it takes`() throws {
        let (writers, sharers) = (WriterGate(), SharedExclusiveGate())
        try onThreads(4) { _ in
            #expect(writers.enter(timeout: Duration(attoseconds: .max)) == .entered)
            #expect(sharers.enterExclusive(timeout: Duration(attoseconds: .max)) == .entered)
            sharers.leaveExclusive()
            writers.leave()
            #expect(sharers.enterShared(timeout: Duration(attoseconds: .max)) == .entered)
            sharers.leaveShared()
        }
    }
}
