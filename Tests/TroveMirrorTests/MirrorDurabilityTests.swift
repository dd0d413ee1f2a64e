import Foundation
import Synchronization
import TestSupport
import Testing
import Trove
import TroveBackendKit

@testable import TroveMirror

/// What the ledger says is in the store, also after a power loss.
@Suite struct MirrorDurabilityTests {
    /// The writes of an engine and the times when all of them were to be made durable.
    private final class Log: Sendable {
        struct Lost: Error {}

        enum Call { case write, synchronize }

        private let state = Mutex<(calls: [Call], remaining: Int)>(([], .max))

        /// Lets nothing be made durable after so many times.
        func fail(after count: Int) { state.withLock { $0.remaining = count } }

        func note(_ call: Call) throws {
            try state.withLock { state in
                if call == .synchronize, state.remaining != .max {
                    guard state.remaining > 0 else { throw Lost() }
                    state.remaining -= 1
                }
                state.calls.append(call)
            }
        }

        /// The calls since this was asked last.
        func take() -> [Call] {
            state.withLock { state in
                defer { state.calls = [] }
                return state.calls
            }
        }
    }

    private final class LoggingBackend: ForwardingBackend {
        let wrappedBackend: any StorageBackend
        private let log: Log

        init(_ backend: any StorageBackend, _ log: Log) { (wrappedBackend, self.log) = (backend, log) }

        func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
            try wrappedBackend.write(durability, body)
            try log.note(.write)
        }

        func synchronize() throws {
            try log.note(.synchronize)
            try wrappedBackend.synchronize()
        }
    }

    @Test(arguments: Engine.allCases) func theStoreIsDurableBeforeTheLedger(engine: Engine) throws {
        let log = Log()
        let base = try StoreFixture(engine) { try ObjectStore(LoggingBackend($0, log), durability: .buffered, models: Song.self) }
        let folder = try TemporaryDirectory()
        let mirror = try StoreMirror(base.store, at: URL(filePath: folder.file("mirror")))
        func file(_ path: String) -> URL { mirror.directory.appending(path: path) }
        func ledger() throws -> Data { try Data(contentsOf: file(".trove-mirror/ledger.jsonl")) }
        let store = base.store
        try store.save([Song(id: 1, title: "a"), Song(id: 2, title: "b"), Song(id: 3, title: "c")])
        try mirror.synchronize()
        #expect(log.take().last == .synchronize)

        // What the program, a file, the lack of a file and a blob change: each is in the ledger only when it is durable.
        let changes: [() throws -> Void] = [
            { try store.save(Song(id: 1, title: "new")) },
            { try Data(#"{"$id": 2, "title": "edited", "tags": []}"#.utf8).write(to: file("Song/2.json")) },
            { try FileManager.default.removeItem(at: file("Song/3.json")) },
            { try Data([1]).write(to: file("$blobs/b")) },
        ]
        try FileManager.default.createDirectory(at: file("$blobs"), withIntermediateDirectories: true)
        for (number, change) in changes.enumerated() {
            try change()
            let before = try ledger()
            log.fail(after: 0)
            #expect(throws: (any Error).self, "\(number)") { try mirror.synchronize() }
            #expect(try ledger() == before, "\(number)")
            log.fail(after: .max)
            try mirror.synchronize()
            #expect(log.take().last == .synchronize, "\(number)")
            #expect(try ledger() != before, "\(number)")
        }
        #expect(try store.fetch(Song.self).all().map(\.title) == ["new", "edited"])
        #expect(try store.blob(named: "b") == Data([1]))
    }

    /// A run deletes what is gone, and ends before its last step: the next one does not delete what the program stored meanwhile.
    @Test(arguments: Engine.allCases) func whatIsGoneIsDeletedOnce(engine: Engine) throws {
        let log = Log()
        let base = try StoreFixture(engine) { try ObjectStore(LoggingBackend($0, log), durability: .relaxed, models: Song.self) }
        let folder = try TemporaryDirectory()
        let directory = URL(filePath: folder.file("mirror"))
        var mirror: StoreMirror? = try StoreMirror(base.store, at: directory)
        try base.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b")])
        try mirror?.synchronize()
        try FileManager.default.removeItem(at: directory.appending(path: "Song/7.json"))
        log.fail(after: 1)
        #expect(throws: Log.Lost.self) { try mirror?.synchronize() }
        #expect(try base.store.fetch(Song.self).ids() == [8])
        try base.store.save(Song(id: 7, title: "a"))
        log.fail(after: .max)
        mirror = nil
        let report = try StoreMirror(base.store, at: directory).synchronize()
        #expect(report.deleted.isEmpty && report.written.contains("Song/7.json"), "\(report)")
        #expect(try base.store.fetch(Song.self).ids() == [7, 8])
    }
}
