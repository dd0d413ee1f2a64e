import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveDocument

@Suite struct ClosingTests {
    /// A commit between the look and the closing is found by the next opening, which need not wait for the closed document to be let go.
    @Test(arguments: DocumentKind.allCases) func besideACommit(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let hooks = EngineHooks()
        let document = try StoreDocument(at: folder.url(), engine: hooks.engine(kind), models: Song.self)
        let backend = CountedBackend(document.state.withLock { $0.backend }, document.counter)
        hooks.beforeClosing {
            try backend.write(.buffered) { writer in
                // As the store names what the application calls "late".
                let keyspace = try writer.createKeyspace(named: "$app/late")
                try writer.put([1], [2], in: keyspace)
            }
        }
        #expect(throws: DocumentError.hasUnsavedChanges) { try document.close() }
        #expect(throws: DocumentError.closed) { try document.save() }
        let changes = try #require(StoreDocument.recoverableChanges(of: folder.url()))
        #expect(throws: DocumentError.hasRecoverableChanges(changes)) { try folder.open(kind) }
        let restored = try folder.open(kind, .restore)
        #expect(try restored.hasUnsavedChanges && DocumentFolder.songs(restored.store) == [0: "a"])
        #expect(try restored.store.read { try $0.keyspaceNames() } == ["late"])
        try restored.close(discardingChanges: true)
        withExtendedLifetime(document) {}
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// Whoever closes the document or reverts it waits for the transaction, which would wait for them.
    @Test(arguments: DocumentKind.allCases) func notInsideATransaction(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        let store = document.store
        try store.save(Song(id: 1, title: "b"))
        func expectRefusals() {
            #expect(throws: DocumentError.insideTransaction) { try document.save() }
            #expect(throws: DocumentError.insideTransaction) { try document.save(to: folder.url("two")) }
            #expect(throws: DocumentError.insideTransaction) { try document.exportCopy(to: folder.url("two")) }
            #expect(throws: DocumentError.insideTransaction) { try document.revert() }
            #expect(throws: DocumentError.insideTransaction) { try document.close(discardingChanges: true) }
        }
        try store.read { _ in expectRefusals() }
        try store.write { _ in expectRefusals() }
        if store.capabilities.maxSnapshots > 0 {
            let snapshot = try store.snapshot()
            try snapshot.read { _ in expectRefusals() }
            #expect(!snapshot.isClosed)
            snapshot.close()
        }
        #expect(document.store === store && document.hasUnsavedChanges)
        // The transaction of another store is none of this one's.
        let other = try ObjectStore(MemoryBackend(), models: Song.self)
        try other.read { _ in try document.exportCopy(to: folder.url("two")) }
        #expect(try folder.songs(kind, "two") == [0: "a", 1: "b"])
        try document.save()
        try document.close()
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
    }

    /// A store that could not be closed after a revert goes on, with its files.
    @Test(arguments: DocumentKind.allCases) func theStoreBeforeARevertStaysOpen(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let hooks = EngineHooks()
        let document = try StoreDocument(at: folder.url(), engine: hooks.engine(kind), models: Song.self)
        let old = document.store
        // The first closing is that of the file, which has been copied.
        hooks.beforeClosing { hooks.beforeClosing { throw StorageError.timedOut(.init(engine: "hooked", path: "", message: "it is still read")) } }
        try document.revert()
        #expect(document.store !== old && !old.isClosed && FileManager.default.fileExists(atPath: old.path))
        #expect(try DocumentFolder.songs(old) == [0: "a"])
        try old.close()
        try document.close()
        try folder.open(kind).close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [], "the next opening takes them away")
    }

    /// Who keeps the store of a document that is gone has a closed one, and keeps nobody from the document.
    @Test(arguments: DocumentKind.allCases) func letGoWithoutItsStore(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try folder.open(kind)
        let store = try #require(document?.store)
        try store.save(Song(id: 1, title: "b"))
        document = nil
        #expect(throws: StorageError.self) { try store.save(Song(id: 2, title: "c")) }
        let restored = try folder.open(kind, .restore)
        #expect(try DocumentFolder.songs(restored.store) == [0: "a", 1: "b"])
        try restored.close(discardingChanges: true)
        withExtendedLifetime(store) {}
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }
}
