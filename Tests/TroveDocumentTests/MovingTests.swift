import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveDocument

/// Documents that move to another place, and copies that go there.
@Suite struct MovingTests {
    /// A document at "one" with an unsaved change, on an engine with hooks.
    private func changed(_ kind: DocumentKind) throws -> (DocumentFolder, EngineHooks, StoreDocument) {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"], "one")
        let hooks = EngineHooks()
        let document = try StoreDocument(at: folder.url("one"), engine: hooks.engine(kind), models: Song.self)
        try document.store.save(Song(id: 1, title: "b"))
        return (folder, hooks, document)
    }

    /// A save that fails when the file is there already leaves the document where it was, with its desk and its store.
    @Test(arguments: DocumentKind.allCases) func failsAtItsEnd(kind: DocumentKind) throws {
        let (folder, hooks, document) = try changed(kind)
        let two = folder.url("two").path
        hooks.beforeWriting {
            guard FileManager.default.fileExists(atPath: two) else { return }
            throw StorageError.timedOut(.init(engine: "hooked", path: two, message: "another writer has not come to its end"))
        }
        #expect(throws: StorageError.self) { try document.save(to: folder.url("two")) }
        hooks.beforeWriting(nil)
        #expect(document.url?.lastPathComponent == "one" && document.hasUnsavedChanges)
        #expect(try folder.names().filter { $0.hasPrefix(".") && $0.hasSuffix(".working") } == [".one.working"])
        try document.save()
        #expect(try folder.songs(kind, "one") == [0: "a", 1: "b"])
        #expect(throws: DocumentError.alreadyOpen(folder.url("one").resolvingSymlinksInPath())) { try folder.open(kind, .ask, "one") }
        // It was written before the transaction that did not come about.
        #expect(try folder.songs(kind, "two") == [0: "a", 1: "b"])
        try document.store.save(Song(id: 2, title: "c"))
        try document.save(to: folder.url("two"), overwriting: true)
        try folder.open(kind, .ask, "one").close()
        #expect(try DocumentFolder.songs(document.store) == [0: "a", 1: "b", 2: "c"] && FileManager.default.fileExists(atPath: document.store.path))
        try document.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// A folder that is reached by a link is one folder: what is saved there is found there, and is the document's own.
    @Test(arguments: DocumentKind.allCases) func theFolderIsALink(kind: DocumentKind) throws {
        let (folder, other) = (try DocumentFolder(), try DocumentFolder())
        try FileManager.default.createSymbolicLink(atPath: folder.url("link").path, withDestinationPath: other.directory.path)
        let url = folder.url("link/library.trove")
        var document: StoreDocument? = try StoreDocument(untitled: kind.engine, in: folder.url(""), models: Song.self)
        try document?.store.save(Song(id: 0, title: "a"))
        try document?.save(to: url)
        try document?.store.save(Song(id: 1, title: "b"))
        try document?.save(to: url, overwriting: true)
        #expect(document?.url?.path == other.url().resolvingSymlinksInPath().path)
        try document?.store.save(Song(id: 2, title: "c"))
        // As a program that ends.
        document = nil
        #expect(StoreDocument.recoverableChanges(of: url) != nil)
        let restored = try StoreDocument(at: url, engine: kind.engine, recovery: .restore, models: Song.self)
        #expect(try DocumentFolder.songs(restored.store) == [0: "a", 1: "b", 2: "c"])
        try restored.close(discardingChanges: true)
        #expect(try other.songs(kind) == [0: "a", 1: "b"])
        #expect(try (folder.names() + other.names()).filter { $0.hasPrefix(".") } == [])
    }

    /// The transaction in which a document moves has nothing to commit: when its commit fails, the document has moved.
    @Test(arguments: DocumentKind.allCases) func itsLastCommitFails(kind: DocumentKind) throws {
        let (folder, hooks, document) = try changed(kind)
        let two = folder.url("two").path
        hooks.afterWriting {
            guard FileManager.default.fileExists(atPath: two) else { return }
            throw StorageError.inputOutput(.init(engine: "hooked", path: two, message: "the commit failed"))
        }
        try document.save(to: folder.url("two"))
        hooks.afterWriting(nil)
        #expect(document.url?.lastPathComponent == "two" && !document.hasUnsavedChanges)
        #expect(try folder.names().filter { $0.hasPrefix(".") && $0.hasSuffix(".working") } == [".two.working"])
        #expect(try folder.songs(kind, "two") == [0: "a", 1: "b"])
        try document.store.save(Song(id: 2, title: "c"))
        try document.save()
        #expect(try folder.songs(kind, "two") == [0: "a", 1: "b", 2: "c"])
        try document.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// What cannot be taken away when the new file is there does not make that one somebody else's.
    @Test(arguments: DocumentKind.allCases) func cannotTidyUp(kind: DocumentKind) throws {
        let (folder, hooks, document) = try changed(kind)
        let obstacle = folder.url(".one.working/new-folder")
        hooks.beforeClosing { try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false) }
        try document.save()
        #expect(FileManager.default.fileExists(atPath: obstacle.path) && !document.hasUnsavedChanges && !document.isChangedOutside)
        try FileManager.default.removeItem(at: obstacle)
        try document.store.save(Song(id: 2, title: "c"))
        try document.save()
        #expect(try folder.songs(kind, "one") == [0: "a", 1: "b", 2: "c"])
        try document.close()
    }

    /// What others write while the new file is written is not overwritten unless that was asked for.
    @Test(arguments: DocumentKind.allCases) func somebodyWritesMeanwhile(kind: DocumentKind) throws {
        let (folder, hooks, document) = try changed(kind)
        let (one, two) = (folder.url("one").resolvingSymlinksInPath(), folder.url("two").resolvingSymlinksInPath())
        // The new file is closed when it has been verified.
        hooks.beforeClosing {
            let store = try ObjectStore(kind.open(one.path), models: Song.self)
            try store.save(Song(id: 8, title: "theirs"))
            try store.close()
            // The file system may tell no commits apart that come one after the other.
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceReferenceDate: 0)], ofItemAtPath: one.path)
        }
        #expect(throws: DocumentError.changedOutside(one)) { try document.save() }
        #expect(try folder.songs(kind, "one") == [0: "a", 8: "theirs"] && document.hasUnsavedChanges && document.isChangedOutside)
        for isCopy in [false, true] {
            hooks.beforeClosing { try folder.make(kind, ["x"], "two") }
            #expect(throws: DocumentError.destinationExists(two)) { if isCopy { try document.exportCopy(to: two) } else { try document.save(to: two) } }
            #expect(try folder.songs(kind, "two") == [0: "x"] && document.url == one)
            for name in try folder.names() where name.hasPrefix("two") { try FileManager.default.removeItem(at: folder.url(name)) }
        }
        try document.save(overwriting: true)
        #expect(try folder.songs(kind, "one") == [0: "a", 1: "b"])
        try document.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    /// A file that somebody has unsaved changes of is theirs: one that was put in its place would look like what they began with.
    @Test(arguments: DocumentKind.allCases) func notOntoADocumentWithRecoverableChanges(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"], "left")
        var left: StoreDocument? = try folder.open(kind, .ask, "left")
        try left?.store.save(Song(id: 1, title: "unsaved"))
        left = nil
        let changes = try #require(StoreDocument.recoverableChanges(of: folder.url("left")))
        try folder.make(kind, ["x"])
        let document = try folder.open(kind)
        #expect(throws: DocumentError.hasRecoverableChanges(changes)) { try document.exportCopy(to: folder.url("left"), overwriting: true) }
        #expect(throws: DocumentError.hasRecoverableChanges(changes)) { try document.save(to: folder.url("left"), overwriting: true) }
        #expect(try folder.songs(kind, "left") == [0: "a"])
        let restored = try folder.open(kind, .restore, "left")
        #expect(try !restored.isChangedOutside && DocumentFolder.songs(restored.store) == [0: "a", 1: "unsaved"])
        try restored.save()
        try restored.close()
        try document.exportCopy(to: folder.url("left"), overwriting: true)
        #expect(try folder.songs(kind, "left") == [0: "x"])
        try document.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }
}
