import EngineSupport
import Testing

@testable import TroveBackendKit

/// Both gates of a store, for one thread.
struct AloneTests {
    private final class Store: Sendable {
        let writer = WriterGate()
        let readers = SharedExclusiveGate()

        func enterAlone(_ timeout: Duration = .zero) -> WriterGate.AloneEntry { writer.enterAlone(with: readers, until: Deadline(timeout)) }

        func leaveAlone() { writer.leaveAlone(with: readers) }

        /// Whether nobody is inside.
        func isFree() throws -> Bool {
            let isFree = SharedFlag()
            try onThreads(1) { _ in
                guard self.enterAlone() == .entered else { return }
                self.leaveAlone()
                isFree.raise()
            }
            return isFree.isRaised
        }
    }

    @Test func `one thread has both gates, and others neither`() throws {
        let store = Store()
        #expect(store.enterAlone() == .entered)
        #expect(store.writer.isHeldByCurrentThread && store.readers.isExclusiveToCurrentThread)
        try onThreads(1) { _ in
            #expect(store.writer.enter(timeout: .zero) == .timedOut)
            #expect(store.readers.enterShared(timeout: .zero) == .timedOut)
        }
        store.leaveAlone()
        #expect(try store.isFree())
    }

    @Test func `a thread does not wait for itself`() throws {
        let store = Store()
        #expect(store.writer.enter(timeout: .zero) == .entered)
        #expect(store.enterAlone(.seconds(60)) == .insideWrite)
        #expect(store.writer.isHeldByCurrentThread)
        store.writer.leave()
        #expect(store.readers.enterShared(timeout: .zero) == .entered)
        #expect(store.enterAlone(.seconds(60)) == .insideRead)
        #expect(store.readers.isSharedByCurrentThread)
        store.readers.leaveShared()
        #expect(try store.isFree())
    }

    @Test func `the wait ends, and tells who took too long`() throws {
        let store = Store()
        #expect(store.writer.enter(timeout: .zero) == .entered)
        try onThreads(1) { _ in for timeout in [0, 30] { #expect(store.enterAlone(.milliseconds(timeout)) == .writersTookTooLong) } }
        store.writer.leave()
        #expect(store.readers.enterShared(timeout: .zero) == .entered)
        try onThreads(1) { _ in for timeout in [0, 30] { #expect(store.enterAlone(.milliseconds(timeout)) == .readersTookTooLong) } }
        store.readers.leaveShared()
        #expect(try store.isFree())
    }

    @Test func `a reader that is waited for may write`() throws {
        let store = Store()
        #expect(store.readers.enterShared(timeout: .zero) == .entered)
        let join = startThread {
            #expect(store.writer.enterAlone(with: store.readers, until: .never) == .entered)
            store.leaveAlone()
        }
        try blockUntil("the thread that waits for readers") { store.readers.isWanted }
        #expect(store.writer.enter(timeout: .seconds(60)) == .entered)
        store.writer.leave()
        store.readers.leaveShared()
        try join()
        #expect(try store.isFree())
    }
}
