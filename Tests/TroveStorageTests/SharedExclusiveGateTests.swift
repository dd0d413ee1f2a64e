import EngineSupport
import Foundation
import Synchronization
import Testing

@testable import TroveBackendKit
import TroveStorage

struct SharedExclusiveGateTests {
    private let endless = Duration.seconds(60)

    @Test func `many threads share at the same time`() throws {
        let gate = SharedExclusiveGate()
        let inside = Atomic<Int>(0)
        try onThreads(20) { _ in
            #expect(gate.enterShared(timeout: .seconds(60)) == .entered)
            inside.add(1, ordering: .sequentiallyConsistent)
            try blockUntil("20 readers") { inside.load(ordering: .sequentiallyConsistent) == 20 }
            #expect(gate.isSharedByCurrentThread)
            gate.leaveShared()
            #expect(!gate.isSharedByCurrentThread)
        }
        #expect(gate.sharers.count == 0)
        #expect(gate.sharers.oldest == nil)
    }

    @Test func `sharing is re-entrant and counts as one sharer`() {
        let gate = SharedExclusiveGate()
        for _ in 0..<3 { #expect(gate.enterShared(timeout: .zero) == .entered) }
        #expect(gate.sharers.count == 1)
        for _ in 0..<2 { gate.leaveShared() }
        #expect(gate.isSharedByCurrentThread)
        gate.leaveShared()
        #expect(!gate.isSharedByCurrentThread)
        #expect(gate.enterExclusive(timeout: .zero) == .entered)
        gate.leaveExclusive()
    }

    @Test func `entries that would wait for the own thread are refused`() {
        let gate = SharedExclusiveGate()
        #expect(gate.enterShared(timeout: endless) == .entered)
        #expect(gate.enterExclusive(timeout: endless) == .alreadyInside)
        gate.leaveShared()
        #expect(gate.enterExclusive(timeout: endless) == .entered)
        #expect(gate.isExclusiveToCurrentThread)
        #expect(gate.enterExclusive(timeout: endless) == .alreadyInside)
        #expect(gate.enterShared(timeout: endless) == .alreadyInside)
        gate.leaveExclusive()
        #expect(!gate.isExclusiveToCurrentThread)
        #expect(gate.enterShared(timeout: endless) == .entered)
        gate.leaveShared()
    }

    @Test func `the exclusive thread waits for the sharers, who may enter again meanwhile`() throws {
        let gate = SharedExclusiveGate()
        let hasEntered = Mutex(false)
        #expect(gate.enterShared(timeout: .zero) == .entered)
        let exclusive = startThread {
            #expect(gate.enterExclusive(timeout: .seconds(60)) == .entered)
            hasEntered.withLock { $0 = true }
            gate.leaveExclusive()
        }
        try blockUntil("the waiting thread") { gate.isWanted }
        #expect(gate.enterShared(timeout: .zero) == .entered)
        gate.leaveShared()
        #expect(!(hasEntered.withLock { $0 }))
        gate.leaveShared()
        try exclusive()
        #expect(hasEntered.withLock { $0 })
    }

    @Test func `an exclusive thread that gives up opens the gate again`() throws {
        let gate = SharedExclusiveGate()
        #expect(gate.enterShared(timeout: .zero) == .entered)
        try onThreads(1) { _ in
            #expect(gate.enterExclusive(timeout: .milliseconds(20)) == .timedOut)
            #expect(!gate.isExclusiveToCurrentThread)
            #expect(gate.enterShared(timeout: .zero) == .entered)
            gate.leaveShared()
        }
        gate.leaveShared()
        #expect(gate.enterExclusive(timeout: .zero) == .entered)
        gate.leaveExclusive()
    }

    @Test func `a waiting exclusive thread keeps new sharers out`() throws {
        let gate = SharedExclusiveGate()
        let log = Mutex<[String]>([])
        #expect(gate.enterShared(timeout: .zero) == .entered)
        let exclusive = startThread {
            #expect(gate.enterExclusive(timeout: .seconds(60)) == .entered)
            log.withLock { $0.append("exclusive") }
            gate.leaveExclusive()
        }
        try blockUntil("the waiting thread") { gate.isWanted }
        let newcomer = startThread {
            #expect(gate.enterShared(timeout: .seconds(60)) == .entered)
            log.withLock { $0.append("newcomer") }
            gate.leaveShared()
        }
        try blockUntil("the waiting threads") { gate.waiterCount == 1 }
        gate.leaveShared()
        try exclusive()
        try newcomer()
        #expect(log.withLock { $0 } == ["exclusive", "newcomer"])
    }

    @Test func `sharers that waited all come in before the next exclusive thread`() throws {
        let gate = SharedExclusiveGate()
        let log = Mutex<[String]>([])
        #expect(gate.enterExclusive(timeout: .zero) == .entered)
        let sharers = (0..<5).map { _ in
            startThread {
                #expect(gate.enterShared(timeout: .seconds(60)) == .entered)
                log.withLock { $0.append("shared") }
                gate.leaveShared()
            }
        }
        try blockUntil("the waiting threads") { gate.waiterCount == 5 }
        gate.leaveExclusive()
        #expect(gate.enterExclusive(timeout: endless) == .entered)
        log.withLock { $0.append("exclusive") }
        gate.leaveExclusive()
        for join in sharers { try join() }
        #expect(log.withLock { $0 } == Array(repeating: "shared", count: 5) + ["exclusive"])
    }

    @Test func `a sharer that gives up leaves no trace`() throws {
        let gate = SharedExclusiveGate()
        #expect(gate.enterExclusive(timeout: .zero) == .entered)
        try onThreads(3) { _ in
            #expect(gate.enterShared(timeout: .milliseconds(10)) == .timedOut)
            #expect(!gate.isSharedByCurrentThread)
        }
        #expect(gate.waiterCount == 0)
        gate.leaveExclusive()
        #expect(gate.sharers.count == 0)
        #expect(gate.enterExclusive(timeout: .zero) == .entered)
        gate.leaveExclusive()
    }

    @Test func `under load exclusive threads are alone and nobody gets stuck`() throws {
        let gate = SharedExclusiveGate()
        let writers = WriterGate()
        let shared = Atomic<Int>(0)
        let exclusive = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let sharers = (0..<6).map { thread in
            startThread {
                var round = 0
                while !isDone.load(ordering: .relaxed) {
                    round += 1
                    let timeout: Duration = (round + thread) % 4 == 0 ? .microseconds(round % 30) : .seconds(60)
                    guard gate.enterShared(timeout: timeout) == .entered else { continue }
                    shared.add(1, ordering: .sequentiallyConsistent)
                    #expect(exclusive.load(ordering: .sequentiallyConsistent) == 0)
                    if round % 3 == 0 {
                        #expect(gate.enterShared(timeout: .zero) == .entered)
                        gate.leaveShared()
                    }
                    shared.subtract(1, ordering: .sequentiallyConsistent)
                    gate.leaveShared()
                }
            }
        }
        try onThreads(3) { thread in
            for round in 0..<1_500 {
                #expect(writers.enter(timeout: .seconds(60)) == .entered)
                let timeout: Duration = (round + thread) % 5 == 0 ? .microseconds(round % 30) : .seconds(60)
                let entry = gate.enterExclusive(timeout: timeout)
                if timeout > .seconds(1) { #expect(entry == .entered) }
                if entry == .entered {
                    #expect(exclusive.add(1, ordering: .sequentiallyConsistent).newValue == 1)
                    #expect(shared.load(ordering: .sequentiallyConsistent) == 0)
                    exclusive.subtract(1, ordering: .sequentiallyConsistent)
                    gate.leaveExclusive()
                }
                writers.leave()
            }
        }
        isDone.store(true, ordering: .relaxed)
        for join in sharers { try join() }
        #expect(gate.sharers.count == 0)
        #expect(gate.waiterCount == 0)
    }
}
