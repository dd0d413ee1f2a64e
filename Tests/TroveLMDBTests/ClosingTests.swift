import Dispatch
import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveBackendKit
@testable import TroveLMDB

/// Calls beside `close()`, and what it brings to the disk.
@Suite struct ClosingTests {
    /// Both wait for the reader, in turns. Whichever is let in first, the other one ends too: `close()` must not wait for the compaction with the lock on
    /// all open stores, which that needs to replace the file.
    @Test func compactionBesideTheLastCloseEnds() throws {
        for round in 0..<20 {
            let store = try TemporaryStore()
            let backend = try store.open()
            try backend.fill(0..<10)
            let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let reader = Worker {
                try backend.read { _ -> Void in
                    isReading.signal()
                    try mayEnd.waitPatiently()
                }
            }
            try isReading.waitPatiently()
            let compaction = Worker { try backend.compact() }
            // Whoever has the gate of writers has found the store open.
            try blockUntil("the compaction") {
                guard backend.engine.writerGate.enter(timeout: .zero) == .entered else { return true }
                backend.engine.writerGate.leave()
                return false
            }
            let closing = Worker { try backend.close() }
            try blockUntil("the closing") { backend.isClosed.load(ordering: .acquiring) }
            // So that each of the two is the one who is inside in some rounds.
            Thread.sleep(forTimeInterval: Double(round) * 0.003)
            mayEnd.signal()
            try reader.join()
            try closing.join()
            do {
                try compaction.join()
            } catch StorageError.closed {}
            let reopened = try store.open()
            #expect(try reopened.numbers() == Array(0..<10))
            try reopened.close()
        }
    }

    /// Another backend may keep the file open.
    @Test func whoWaitsWhileItsStoreIsClosedIsRefused() throws {
        let store = try TemporaryStore()
        let (backend, other) = (try store.open(), try store.open())
        try other.fill(0..<10)
        let gate = backend.engine.writerGate
        try #require(gate.enter(timeout: .zero) == .entered)
        let calls = [Worker { try backend.fill([10]) }, Worker { try backend.compact() }]
        try blockUntil("the calls") { gate.waiterCount == 2 }
        let closing = Worker { try backend.close() }
        try blockUntil("the closing") { backend.isClosed.load(ordering: .acquiring) }
        gate.leave()
        try closing.join()
        for call in calls {
            #expect { try call.join() } throws: { error in
                if case StorageError.closed = error { true } else { false }
            }
        }
        #expect(try other.numbers() == Array(0..<10))
        try other.close()
    }

    /// The commit is not on the disk then, so that closing has to bring it there.
    @Test func aSyncBesideACommitDoesNotCountForIt() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        let environment = try backend.engine.openEnvironment()
        // A commit may be over before the sync begins, on a busy machine; not one after the other.
        var isUnsynced = false
        for _ in 0..<20 where !isUnsynced {
            try backend.synchronize()
            let isLeft = environment.hasUnsyncedCommits.load(ordering: .acquiring)
            try #require(!isLeft)
            let writer = Worker { try backend.fill(0..<48, valueSize: 1 << 20) }
            try blockUntil("the commit") { environment.hasUnsyncedCommits.load(ordering: .acquiring) }
            try backend.synchronize()
            try writer.join()
            isUnsynced = environment.hasUnsyncedCommits.load(ordering: .acquiring)
        }
        #expect(isUnsynced)
        try backend.close()
    }
}
