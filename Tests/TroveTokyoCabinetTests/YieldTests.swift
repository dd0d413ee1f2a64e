#if os(Linux)
import EngineSupport
import Foundation
import SchedulerProbe
import Synchronization
import Testing
import TroveStorage

@Suite("Tokyo Cabinet: the processor")
struct YieldTests {
    /// The packaged library yields after every 256 branches, and beside a busy thread each yield is a switch to it.
    @Test("A write keeps the processor beside a busy thread")
    func writes() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        // With the library's yields there are some 5,000; a write this long has a few of its own.
        #expect(try switchesBesideBusyThread { _ in try store.fill("s", .relaxed, numbered(4_000)) } < 2_500)
        #expect(try store.entries()?.count == 4_000)
    }

    @Test("Other code yields as before")
    func otherCallers() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        #expect(try store.entries() == nil)
        // How soon a yield becomes a switch is the scheduler's affair, so the thread yields until it has seen some.
        #expect(try switchesBesideBusyThread { before in
            for _ in 0..<1_000_000 where scheduler_switches() - before < 40 { sched_yield() }
        } >= 40)
    }

    /// How often a thread that runs `body` loses its processor, which it shares with a thread that never waits.
    ///
    /// - Parameter body: is given the switches before it.
    private func switchesBesideBusyThread(_ body: @escaping @Sendable (_ before: Int) throws -> Void) throws -> Int {
        let isBusy = SharedFlag()
        let isDone = SharedFlag()
        let switches = Mutex(0)
        try Threads.run(2) { thread in
            defer { isDone.raise() }
            try #require(scheduler_stay_on_first_processor() == 0)
            if thread == 0 {
                isBusy.raise()
                while !isDone.isRaised {}
                return
            }
            try blockUntil("the busy thread runs") { isBusy.isRaised }
            let before = scheduler_switches()
            try #require(before >= 0)
            try body(before)
            switches.withLock { $0 = scheduler_switches() - before }
        }
        return switches.withLock { $0 }
    }
}
#endif
