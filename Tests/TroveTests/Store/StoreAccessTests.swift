import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveLMDB
import TroveSQLite
import TroveTokyoCabinet

@testable import Trove

/// How a store is opened and what becomes of its files: temporary, only if it exists, for reading only, destroyed.
@Suite struct StoreAccessTests {
    @Model struct Item: Equatable {
        let id: Int
        var name: String
    }

    @Model("Item") struct IndexedItem {
        let id: Int
        @Attribute(.indexed) var name: String
    }

    private static func open(_ engine: Engine, _ path: String, createsStore: Bool) throws -> any StorageBackend {
        switch engine {
        case .memory: return MemoryBackend(name: path)
        case .sqlite:
            var options = SQLiteBackend.Options()
            options.createsStore = createsStore
            return try SQLiteBackend(path: path, options: options)
        case .lmdb:
            var options = LMDBBackend.Options()
            options.mapSize = 1 << 30
            options.createsStore = createsStore
            return try LMDBBackend(path: path, options: options)
        case .tokyoCabinet: return try TokyoCabinetBackend(path: path, options: .init(createsStore: createsStore))
        }
    }

    private static func files(in directory: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

    @Test(arguments: Engine.allCases) func aTemporaryStoreGoesWhenItIsClosed(engine: Engine) throws {
        var path = ""
        let store = try ObjectStore(temporary: { path = $0; return try engine.open($0) }, models: Item.self)
        try store.save(Item(id: 1, name: "a"))
        #expect(try store.fetch(Item.self).count() == 1)
        let directory = URL(filePath: path).deletingLastPathComponent().path
        #expect(FileManager.default.fileExists(atPath: directory))
        #expect(engine == .memory || FileManager.default.fileExists(atPath: path))
        #expect(!store.isClosed)
        try store.close()
        #expect(store.isClosed)
        #expect(!FileManager.default.fileExists(atPath: directory))
        try store.close()
        #expect(throws: StorageError.self) { try store.fetch(Item.self).count() }
    }

    @Test(arguments: Engine.allCases) func aTemporaryStoreGoesWhenNobodyHasIt(engine: Engine) throws {
        var path = ""
        do {
            let store = try ObjectStore(temporary: { path = $0; return try engine.open($0) }, models: [Item.self])
            try store.save(Item(id: 1, name: "a"))
        }
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
    }

    /// Files that cannot be removed: the store is closed, says so, wakes who observes it, and removes them at the next attempt.
    @Test(arguments: Engine.allCases) func temporaryFilesThatStay(engine: Engine) async throws {
        var path = ""
        let removal = Removal()
        let store = try ObjectStore(
            TemporaryBackend(removingWith: removal.remove) { path = $0; return try engine.open($0) }, durability: .relaxed, models: [Item.self])
        let directory = URL(filePath: path).deletingLastPathComponent().path
        var observed = store.observe(store.fetch(Item.self)).makeAsyncIterator()
        #expect(try await observed.next()?.isEmpty == true)
        await #expect(throws: StorageError.self) { try await store.read { _ in try store.close() } }
        #expect(!store.isClosed)
        for _ in 0..<2 {
            await #expect { try await store.close() } throws: { error in
                if case StorageError.inputOutput(let details) = error { details.message.contains(directory) } else { false }
            }
            #expect(store.isClosed && FileManager.default.fileExists(atPath: directory))
        }
        do {
            _ = try await observed.next()
            Issue.record("a closed store was observed")
        } catch StorageError.closed {}
        removal.isAllowed.store(true, ordering: .releasing)
        try await store.close()
        #expect(!FileManager.default.fileExists(atPath: directory))
        try await store.close()
    }

    /// Why there is no store counts more than that its directory stays.
    @Test func theErrorOfTheEngineIsNotHidden() throws {
        struct Reason: Error {}
        #expect(throws: Reason.self) { try TemporaryBackend(removingWith: Removal().remove) { _ in throw Reason() } }
    }

    /// Removes files when it may.
    private final class Removal: Sendable {
        struct Refusal: Error {}
        let isAllowed = Atomic(false)

        @Sendable func remove(_ directory: URL) throws {
            guard isAllowed.load(ordering: .acquiring) else { throw Refusal() }
            try FileManager.default.removeItem(at: directory)
        }
    }

    @Test func theWrappersHandEverythingOn() throws {
        #expect(try ForwardingCheck.missing { backend in try TemporaryBackend { _ in backend } } == [])
        // It refuses what comes first of all, so only its type can tell.
        #expect(ReadOnlyBackend(MemoryBackend()) as Any is any ForwardingBackend)
    }

    @Test(arguments: Engine.persistent) func aStoreThatHasToExistIsNotMade(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        func expectNone(_ location: SourceLocation = #_sourceLocation) {
            #expect(sourceLocation: location) { try Self.open(engine, directory.file(), createsStore: false) } throws: { error in
                if case StorageError.noSuchStore(let details) = error { details.path.hasSuffix("/store") } else { false }
            }
        }
        expectNone()
        #expect(try Self.files(in: directory.path) == [])
        // An empty file is none either, and stays.
        #expect(FileManager.default.createFile(atPath: directory.file(), contents: nil))
        expectNone()
        #expect(try Self.files(in: directory.path) == ["store"])
        try FileManager.default.removeItem(atPath: directory.file())
        try ObjectStore(engine.open(directory.file()), models: Item.self).close()
        let store = try ObjectStore(Self.open(engine, directory.file(), createsStore: false), models: Item.self)
        #expect(try store.fetch(Item.self).count() == 0)
        try store.close()
    }

    @Test(arguments: Engine.allCases) func aStoreForReadingIsNotChanged(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        try fixture.store.save([Item(id: 1, name: "a"), Item(id: 2, name: "b")])
        try fixture.store.setMetadata(.int(1), forKey: "version")
        func isRefusal(_ error: any Error) -> Bool { if case StorageError.readOnly = error { true } else { false } }
        try fixture.reopenStore { try ObjectStore($0, access: .readOnly, models: Item.self) }
        let store = fixture.store
        #expect(try store.fetch(Item.self).where { $0.name == "b" }.ids() == [2])
        #expect { try store.save(Item(id: 3, name: "c")) } throws: { isRefusal($0) }
        #expect { try store.delete(Item.self, id: 1) } throws: { isRefusal($0) }
        #expect { try store.compact() } throws: { isRefusal($0) }
        let context = ObjectContext(store)
        #expect(try context.store.fetch(Item.self).count() == 2)
        #expect { try fixture.reopenStore { try ObjectStore($0, access: .readOnly, models: IndexedItem.self) } } throws: { isRefusal($0) }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Item.self).count() == 2)
    }

    /// A backend that only reads is refused where objects are to be changed, and the file is as it was.
    @Test(arguments: Engine.persistent) func aBackendThatOnlyReads(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        #expect { try engine.openReadOnly(path) } throws: { if case StorageError.noSuchStore = $0 { true } else { false } }
        #expect(try Self.files(in: directory.path) == [])
        let made = try ObjectStore(engine.open(path), models: Item.self)
        try made.save([Item(id: 1, name: "a"), Item(id: 2, name: "b")])
        try made.close()
        let before = FileManager.default.contents(atPath: path)
        let refused = try engine.openReadOnly(path)
        #expect { try ObjectStore(refused, models: Item.self) } throws: { if case StorageError.readOnly = $0 { true } else { false } }
        try refused.close()
        let store = try ObjectStore(engine.openReadOnly(path), access: .readOnly, models: Item.self)
        #expect(try store.fetch(Item.self).sorted(by: \.name).all().map(\.id) == [1, 2])
        #expect { try store.save(Item(id: 3, name: "c")) } throws: { if case StorageError.readOnly = $0 { true } else { false } }
        // Whoever opens the file meanwhile in this process has the engine that only reads.
        let second = try engine.open(path)
        #expect(second.isReadOnly)
        try second.close()
        try store.close()
        #expect(FileManager.default.contents(atPath: path) == before)
        // With an index to be built there is something to write; queries do without it.
        #expect { try ObjectStore(engine.openReadOnly(path), access: .readOnly, models: IndexedItem.self) } throws: {
            if case StorageError.readOnly = $0 { true } else { false }
        }
    }

    /// A mistyped path was reported as a store that cannot be written, and in memory too.
    @Test(arguments: Engine.allCases) func thereHasToBeAStoreToRead(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        func isNone(_ error: any Error) -> Bool { if case StorageError.noSuchStore(let details) = error { details.path.hasSuffix("/store") } else { false } }
        // The second time the engine's file is there, without a store of Trove's.
        for _ in 0..<2 {
            let backend = try engine.open(directory.file())
            #expect { try ObjectStore(backend, access: .readOnly, models: Item.self) } throws: { isNone($0) }
            try backend.close()
        }
        let backend = try engine.open(directory.file())
        try backend.write(.relaxed) { _ = try $0.createKeyspace(named: "foreign") }
        #expect(throws: TroveError.self) { try ObjectStore(backend, access: .readOnly, models: Item.self) }
        try backend.close()
    }

    /// A store that is destroyed meanwhile is either open, so that it stays, or none; it was made anew as an empty one.
    @Test(arguments: Engine.persistent) func noStoreIsMadeWhileOneIsDestroyed(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let mistakes = Mutex<[String]>([])
        for _ in 0..<20 {
            try ObjectStore(engine.open(path), models: Item.self).close()
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                do {
                    if number == 0 { return try engine.destroy(path) }
                    let backend = try Self.open(engine, path, createsStore: false)
                    if try backend.read({ try $0.keyspaceNames() }).isEmpty { mistakes.withLock { $0.append("an empty store was made") } }
                    try backend.close()
                } catch StorageError.noSuchStore {
                    // It was too late to open it.
                } catch StorageError.locked {
                    // It was too late to destroy it.
                } catch {
                    mistakes.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(mistakes.withLock { $0 } == [])
    }

    @Test(arguments: Engine.persistent) func destroyingTakesWhatBelongsToTheStore(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let neighbours = ["store.txt", "store-notes", "store2", "other"]
        for name in neighbours { #expect(FileManager.default.createFile(atPath: directory.file(name), contents: Data("mine".utf8))) }
        let store = try ObjectStore(engine.open(directory.file()), models: Item.self)
        try store.save((0..<100).map { Item(id: $0, name: "\($0)") })
        // It is open, in this process.
        #expect { try engine.destroy(directory.file()) } throws: { if case StorageError.locked = $0 { true } else { false } }
        #expect(try store.fetch(Item.self).count() == 100)
        try store.close()
        try engine.destroy(directory.file())
        #expect(try Self.files(in: directory.path) == neighbours.sorted())
        #expect { try engine.destroy(directory.file()) } throws: { if case StorageError.noSuchStore = $0 { true } else { false } }
        // The place is free for another one.
        let next = try ObjectStore(engine.open(directory.file()), models: Item.self)
        #expect(try next.fetch(Item.self).count() == 0)
        try next.close()
    }

    @Test(arguments: Engine.persistent) func nothingElseIsDestroyed(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let text = Data(String(repeating: "a letter, and no store. ", count: 2_000).utf8)
        #expect(FileManager.default.createFile(atPath: directory.file("letter"), contents: text))
        #expect(FileManager.default.createFile(atPath: directory.file("empty"), contents: nil))
        for other in Engine.persistent where other != engine {
            try ObjectStore(other.open(directory.file(other.rawValue)), models: Item.self).close()
        }
        let before = try Self.files(in: directory.path)
        for name in ["letter", "empty"] + Engine.persistent.filter({ $0 != engine }).map(\.rawValue) {
            #expect(throws: StorageError.self, "\(name)") { try engine.destroy(directory.file(name)) }
        }
        #expect(throws: StorageError.self) { try engine.destroy(directory.path) }
        #expect(try Self.files(in: directory.path) == before)
        #expect(try Data(contentsOf: URL(filePath: directory.file("letter"))) == text)
    }
}
