import EngineSupport
import Foundation
import Synchronization
import Testing

@testable import TroveBackendKit
import TroveStorage

struct WriterGateTests {
    @Test func `one thread enters and leaves again and again`() {
        let gate = WriterGate()
        for _ in 0..<3 {
            #expect(gate.enter(timeout: .zero) == .entered)
            #expect(gate.isHeldByCurrentThread)
            gate.leave()
            #expect(!gate.isHeldByCurrentThread)
        }
    }

    @Test func `entering twice on one thread is refused and leaves the gate held`() {
        let gate = WriterGate()
        #expect(gate.enter(timeout: .seconds(60)) == .entered)
        #expect(gate.enter(timeout: .seconds(60)) == .alreadyInside)
        #expect(gate.isHeldByCurrentThread)
        gate.leave()
        #expect(gate.enter(timeout: .zero) == .entered)
        gate.leave()
    }

    @Test func `a thread that waits longer than its timeout gives up and leaves no trace`() throws {
        let gate = WriterGate()
        #expect(gate.enter(timeout: .zero) == .entered)
        try onThreads(1) { _ in
            #expect(gate.enter(timeout: .milliseconds(20)) == .timedOut)
            #expect(gate.enter(timeout: .zero) == .timedOut)
            #expect(!gate.isHeldByCurrentThread)
        }
        #expect(gate.waiterCount == 0)
        gate.leave()
        try onThreads(1) { _ in
            #expect(gate.enter(timeout: .zero) == .entered)
            gate.leave()
        }
    }

    @Test func `waiting threads enter in the order of their arrival`() throws {
        let gate = WriterGate()
        let order = Mutex<[Int]>([])
        #expect(gate.enter(timeout: .zero) == .entered)
        var joins: [() throws -> Void] = []
        for number in 0..<10 {
            joins.append(
                startThread {
                    #expect(gate.enter(timeout: .seconds(60)) == .entered)
                    order.withLock { $0.append(number) }
                    gate.leave()
                })
            try blockUntil("the waiting threads") { gate.waiterCount == number + 1 }
        }
        gate.leave()
        for join in joins { try join() }
        #expect(order.withLock { $0 } == Array(0..<10))
    }

    @Test func `nobody overtakes a thread that waits`() throws {
        let gate = WriterGate()
        #expect(gate.enter(timeout: .zero) == .entered)
        let join = startThread {
            #expect(gate.enter(timeout: .seconds(60)) == .entered)
            gate.leave()
        }
        try blockUntil("the waiting threads") { gate.waiterCount == 1 }
        gate.leave()
        // The gate was handed over: this thread waits, however fast it is.
        #expect(gate.enter(timeout: .seconds(60)) == .entered)
        #expect(gate.waiterCount == 0)
        gate.leave()
        try join()
    }

    @Test func `many threads with and without patience never meet inside and never get stuck`() throws {
        let gate = WriterGate()
        let inside = Atomic<Int>(0)
        let entries = Atomic<Int>(0)
        try onThreads(8) { thread in
            for round in 0..<2_000 {
                let timeout: Duration = (thread + round) % 3 == 0 ? .microseconds(round % 50) : .seconds(60)
                guard gate.enter(timeout: timeout) == .entered else { continue }
                #expect(inside.add(1, ordering: .sequentiallyConsistent).newValue == 1)
                entries.add(1, ordering: .relaxed)
                inside.subtract(1, ordering: .sequentiallyConsistent)
                gate.leave()
            }
        }
        #expect(entries.load(ordering: .relaxed) >= 8 * 2_000 * 2 / 3 - 8)
        #expect(gate.waiterCount == 0)
        #expect(gate.enter(timeout: .zero) == .entered)
        gate.leave()
    }

    @Test func `an endless timeout is no error`() {
        let gate = WriterGate()
        #expect(gate.enter(timeout: .seconds(Int64.max)) == .entered)
        gate.leave()
    }
}
