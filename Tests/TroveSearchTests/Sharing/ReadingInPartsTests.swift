import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// Work in parts on several threads: every part once, on one thread where the store may use no more, and an end of all with the first error.
@Suite struct ReadingInPartsTests {
    private struct Failed: Error { let part: Int }

    private func fixture(_ engine: Engine, threads: Int) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, scanThreads: threads, models: []) }
    }

    @Test(arguments: Engine.allCases) func everyPartOnce(_ engine: Engine) throws {
        for threads in [1, 4] {
            let fixture = try fixture(engine, threads: threads)
            let store = fixture.store
            for count in [0, 1, 99, 100, 399, 400, 10_000] {
                let parts = try store.inParts(of: count, atLeast: 100) { range in
                    _ = try store.read { try $0.counts() }
                    return range
                }
                #expect(parts.flatMap { Array($0) } == Array(0..<count))
                let most = store.capabilities.sharesSnapshots ? threads : 1
                #expect(parts.count == max(1, min(most, count / 100)))
            }
        }
    }

    @Test(arguments: Engine.allCases) func theErrorOfTheFirstPart(_ engine: Engine) throws {
        let fixture = try fixture(engine, threads: 4)
        #expect {
            try fixture.store.inParts(of: 400, atLeast: 100) { range in throw Failed(part: range.lowerBound) }
        } throws: { ($0 as? Failed)?.part == 0 }
        guard fixture.store.capabilities.sharesSnapshots else { return }
        // Those that go on are told to stop, that of the caller's thread too.
        for failing in [0, 100, 300] {
            let stopped = Mutex(0)
            #expect(throws: Failed.self) {
                try fixture.store.inParts(of: 400, atLeast: 100) { range in
                    if range.lowerBound == failing { throw Failed(part: failing) }
                    let deadline = Date(timeIntervalSinceNow: 60)
                    while Interruption.current?.isRaised != true, Date() < deadline { usleep(500) }
                    stopped.withLock { $0 += 1 }
                    try Interruption.check()
                }
            }
            #expect(stopped.withLock { $0 } == 3)
        }
    }

    /// Threads that work in parts does not need are left to others, and all are given back.
    @Test func threadsThatAreNotNeeded() throws {
        let fixture = try fixture(.memory, threads: 4)
        let threads = fixture.store.core.scanThreads
        for (count, needed) in [(100, 0), (200, 1), (10_000, 3)] {
            let free = try fixture.store.inParts(of: count, atLeast: 100) { range -> Int in
                guard range.lowerBound == 0 else { return 0 }
                let free = threads.take()
                threads.give(free)
                return free
            }
            #expect(free[0] == 3 - needed)
            let all = threads.take()
            threads.give(all)
            #expect(all == 3)
        }
    }

    /// Somebody who stops the work stops it on all threads.
    @Test func stopped() throws {
        let fixture = try fixture(.memory, threads: 3)
        let interruption = Interruption()
        #expect(throws: CancellationError.self) {
            try Interruption.$current.withValue(interruption) {
                try fixture.store.inParts(of: 300, atLeast: 100) { range in
                    if range.lowerBound == 0 { return interruption.raise() }
                    let deadline = Date(timeIntervalSinceNow: 60)
                    while Interruption.current?.isRaised != true, Date() < deadline { usleep(500) }
                    try Interruption.check()
                }
            }
        }
    }
}
