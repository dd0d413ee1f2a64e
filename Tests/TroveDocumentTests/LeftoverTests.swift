import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveDocument

/// What programs leave that end in the middle: see also `EndedProcessTests`.
@Suite struct LeftoverTests {
    private static func hidden(_ folder: DocumentFolder) throws -> [String] { try folder.names().filter { $0.hasPrefix(".") } }

    /// Whoever copies a file and ends has not written down yet where to.
    @Test(arguments: DocumentKind.allCases) func endsWhileTheFileIsCopied(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let url = folder.url().resolvingSymlinksInPath()
        func die() throws {
            let copy = try WorkingCopy(desk: WorkingCopy.desk(of: url), for: url)
            try FileManager.default.copyItem(at: url, to: copy.makeStorePlace())
        }
        try die()
        try die()
        #expect(try Self.hidden(folder).count == 3)
        let document = try folder.open(kind)
        #expect(try Self.hidden(folder).count == 2, "a desk and a store")
        try document.close()
        #expect(try Self.hidden(folder) == [])
        // A copy goes to the same desk.
        try die()
        let other = try StoreDocument(untitled: kind.engine, in: folder.url(""), models: Song.self)
        try other.exportCopy(to: url, overwriting: true)
        try other.close()
        #expect(try Self.hidden(folder) == [])
    }

    @Test(arguments: DocumentKind.allCases) func endsWhileItReverts(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        do {
            let copy = try #require(document).openState().workingCopy
            try FileManager.default.copyItem(at: folder.url(), to: copy.makeStorePlace())
        }
        document = nil
        let restored = try folder.open(kind, .restore)
        #expect(try DocumentFolder.songs(restored.store) == [0: "a", 1: "b"])
        #expect(try Self.hidden(folder).count == 2)
        try restored.close(discardingChanges: true)
        #expect(try Self.hidden(folder) == [])
    }

    /// A document without a file and without changes is nobody's any more when its program has ended.
    @Test(arguments: DocumentKind.allCases) func untitledAndUnchanged(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        let place = folder.url("").resolvingSymlinksInPath()
        do {
            let copy = try WorkingCopy(desk: WorkingCopy.newDesk(in: place), for: nil)
            let store = try copy.makeStorePlace()
            try kind.open(store.path).close()
            try copy.write(document: nil, engine: kind.rawValue, fileEngine: nil, store: store, original: nil)
        }
        let open = try StoreDocument(untitled: kind.engine, in: place, models: Song.self)
        var left: StoreDocument? = try StoreDocument(untitled: kind.engine, in: place, models: Song.self)
        try left?.store.save(Song(id: 1, title: "a"))
        left = nil
        #expect(try Self.hidden(folder).count == 6)
        #expect(StoreDocument.recoverableChanges(in: place).count == 1)
        #expect(try Self.hidden(folder).count == 4, "the open one and the changed one")
        try open.store.save(Song(id: 2, title: "b"))
        try open.close(discardingChanges: true)
        let recovered = try StoreDocument(recovering: #require(StoreDocument.recoverableChanges(in: place).first), engine: kind.engine, models: Song.self)
        #expect(try DocumentFolder.songs(recovered.store) == [1: "a"])
        try recovered.close(discardingChanges: true)
        #expect(try Self.hidden(folder) == [])
    }

    /// The working copy may be of another engine than the file.
    @Test(arguments: DocumentKind.allCases) func recoveredAsItsOwnEngine(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try StoreDocument(at: folder.url(), engine: kind.engine, workingEngine: kind.other.engine, models: Song.self)
        try document?.store.save(Song(id: 1, title: "b"))
        document = nil
        let left = try #require(StoreDocument.recoverableChanges(of: folder.url()))
        #expect(left.engine == kind.other.rawValue && left.fileEngine == kind.rawValue)
        #expect(throws: DocumentError.otherEngine(name: kind.rawValue)) { try StoreDocument(recovering: left, engine: kind.other.engine, models: Song.self) }
        #expect(throws: DocumentError.otherEngine(name: kind.rawValue)) { try folder.open(kind.other, .restore) }
        let recovered = try StoreDocument(recovering: left, engine: kind.other.engine, fileEngine: kind.engine, models: Song.self)
        try recovered.save()
        try recovered.close()
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
    }

    /// What lies in a copy of a folder is of the document there.
    @Test(arguments: DocumentKind.allCases) func recoveredInACopyOfTheFolder(kind: DocumentKind) throws {
        let (folder, other) = (try DocumentFolder(), try DocumentFolder())
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        document = nil
        for name in try folder.names() { try FileManager.default.copyItem(at: folder.url(name), to: other.url(name)) }
        let recovered = try StoreDocument(
            recovering: #require(StoreDocument.recoverableChanges(in: other.url("")).first), engine: kind.engine, models: Song.self)
        #expect(recovered.url == other.url().resolvingSymlinksInPath())
        #expect(throws: DocumentError.self, "the file is another one") { try recovered.save() }
        try recovered.save(overwriting: true)
        #expect(try folder.songs(kind) == [0: "a"] && other.songs(kind) == [0: "a", 1: "b"])
        try recovered.close()
    }

    /// A document that had no file keeps its working copy where that is, and nobody is told nothing when it is gone with the changes.
    @Test(arguments: DocumentKind.allCases) func theFolderOfAnUntitledDocumentIsEmptied(kind: DocumentKind) throws {
        let (folder, place) = (try DocumentFolder(), try DocumentFolder())
        var document: StoreDocument? = try StoreDocument(untitled: kind.engine, in: place.url(""), models: Song.self)
        try document?.store.save(Song(id: 1, title: "a"))
        try document?.save(to: folder.url())
        try document?.store.save(Song(id: 2, title: "b"))
        document = nil
        for name in try place.names() { try FileManager.default.removeItem(at: place.url(name)) }
        for recovery in [StoreDocument.Recovery.ask, .restore] {
            #expect {
                try folder.open(kind, recovery)
            } throws: { error in
                if case DocumentError.fileSystem(_, let reason) = error { reason.contains("is gone") } else { false }
            }
        }
        let saved = try folder.open(kind, .discard)
        #expect(try DocumentFolder.songs(saved.store) == [1: "a"])
        try saved.close()
        #expect(try Self.hidden(folder) == [])
    }

    /// Changes in memory are gone with their program, and nothing of them stays.
    @Test func whatMemoryLeaves() throws {
        let folder = try DocumentFolder()
        let place = folder.url("").resolvingSymlinksInPath()
        var document: StoreDocument? = try StoreDocument(untitled: .memory, in: place, models: Song.self)
        try document?.store.save(Song(id: 1, title: "a"))
        document = nil
        #expect(try Self.hidden(folder).count == 2)
        #expect(StoreDocument.recoverableChanges(in: place).isEmpty)
        #expect(try Self.hidden(folder) == [])

        document = try StoreDocument(untitled: .memory, in: place, models: Song.self)
        try document?.save(to: folder.url(), as: DocumentKind.sqlite.engine)
        try document?.store.save(Song(id: 1, title: "a"))
        document = nil
        try folder.open(.sqlite).close()
        #expect(try Self.hidden(folder) == [])

        let elsewhere = try DocumentFolder()
        document = try StoreDocument(untitled: .memory, in: elsewhere.url(""), models: Song.self)
        try document?.save(to: folder.url("moved"), as: DocumentKind.sqlite.engine)
        try document?.store.save(Song(id: 1, title: "a"))
        document = nil
        #expect(try Self.hidden(elsewhere).count == 1)
        try folder.open(.sqlite, .ask, "moved").close()
        #expect(try Self.hidden(elsewhere) == [] && Self.hidden(folder) == [])
    }

    /// The note on a desk that a document has left names a store that is in use.
    @Test(arguments: DocumentKind.allCases) func theDeskOfADocumentThatMoved(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"], "one")
        let document = try folder.open(kind, .ask, "one")
        let (desk, aside) = (folder.url(".one.working"), folder.url("aside"))
        try FileManager.default.copyItem(at: desk, to: aside)
        try document.save(to: folder.url("two"))
        try FileManager.default.moveItem(at: aside, to: desk)
        try document.store.save(Song(id: 1, title: "b"))
        try folder.open(kind, .ask, "one").close()
        #expect(FileManager.default.fileExists(atPath: document.store.path))
        try document.save()
        #expect(try folder.songs(kind, "two") == [0: "a", 1: "b"])
        try document.close()
        #expect(try Self.hidden(folder) == [])
    }

    /// The folder of a document is another's by now, to which a link leads: the working copy elsewhere knows it by the link.
    @Test(arguments: DocumentKind.allCases) func theFolderWasMovedAndLinked(kind: DocumentKind) throws {
        let (place, elsewhere) = (try DocumentFolder(), try DocumentFolder())
        try FileManager.default.createDirectory(at: place.url("documents"), withIntermediateDirectories: false)
        let url = place.url("documents/library.trove")
        var document: StoreDocument? = try StoreDocument(untitled: kind.engine, in: elsewhere.url(""), models: Song.self)
        try document?.store.save(Song(id: 0, title: "a"))
        try document?.save(to: url)
        try document?.store.save(Song(id: 1, title: "b"))
        document = nil
        try FileManager.default.moveItem(at: place.url("documents"), to: place.url("moved"))
        try FileManager.default.createSymbolicLink(atPath: place.url("documents").path, withDestinationPath: place.url("moved").path)
        let restored = try StoreDocument(at: url, engine: kind.engine, recovery: .restore, models: Song.self)
        #expect(try DocumentFolder.songs(restored.store) == [0: "a", 1: "b"])
        try restored.close(discardingChanges: true)
        #expect(try Self.hidden(elsewhere) == [])
    }

    /// Whoever asks about one document leaves the others alone.
    @Test(arguments: DocumentKind.allCases) func askedAboutOne(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        for name in ["one", "two"] {
            try folder.make(kind, ["a"], name)
            var document: StoreDocument? = try folder.open(kind, .ask, name)
            try document?.store.save(Song(id: 1, title: name))
            document = nil
        }
        // To take a lock, its file is made: this one is not taken.
        let lock = folder.url(".two.working/lock")
        try FileManager.default.removeItem(at: lock)
        #expect(StoreDocument.recoverableChanges(of: folder.url("one"))?.url?.lastPathComponent == "one")
        #expect(!FileManager.default.fileExists(atPath: lock.path))
        #expect(StoreDocument.recoverableChanges(in: folder.url("")).count == 2)
        #expect(FileManager.default.fileExists(atPath: lock.path))
    }

    /// A note may have come with the document, from whoever made both: what is in the folder that it names is not touched.
    @Test(arguments: DocumentKind.allCases) func theNoteNamesAnotherFolder(kind: DocumentKind) throws {
        let (folder, mine) = (try DocumentFolder(), try TemporaryDirectory())
        try folder.make(kind, ["a"])
        let desk = folder.url(".library.trove.working")
        for name in ["store", "letter"] { try Data(name.utf8).write(to: URL(filePath: mine.file(name))) }
        let note = try JSONEncoder().encode(["document": folder.url().absoluteString, "engine": kind.engine.name, "folder": mine.path])
        for (hasMark, recovery) in [(false, .ask), (true, .ask), (true, .restore), (true, .discard)] as [(Bool, StoreDocument.Recovery)] {
            try FileManager.default.createDirectory(at: desk, withIntermediateDirectories: true)
            try note.write(to: desk.appending(path: "note.json"))
            if hasMark { try Data().write(to: desk.appending(path: "unsaved")) }
            #expect(StoreDocument.recoverableChanges(of: folder.url()) == nil)
            let document = try folder.open(kind, recovery)
            #expect(try DocumentFolder.songs(document.store) == [0: "a"])
            try document.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: mine.path).sorted() == ["letter", "store"], "\(recovery)")
        }
        #expect(try Self.hidden(folder) == [])
    }

    /// Changes that nobody can find by the note are not taken for none.
    @Test(arguments: DocumentKind.allCases) func theNoteIsDamaged(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        try folder.make(kind, ["x"], "other")
        var document: StoreDocument? = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        document = nil
        let note = folder.url(".library.trove.working/note.json")
        let whole = try Data(contentsOf: note)
        for damaged in [Data(), Data("{".utf8), Data(String(decoding: whole, as: UTF8.self).replacing(".working-store", with: ".gone").utf8)] {
            try damaged.write(to: note)
            for recovery in [StoreDocument.Recovery.ask, .restore] {
                #expect {
                    try folder.open(kind, recovery)
                } throws: { error in
                    if case DocumentError.fileSystem(_, let reason) = error { reason.contains(".discard") } else { false }
                }
            }
            let other = try folder.open(kind, .ask, "other")
            #expect(throws: DocumentError.self) { try other.exportCopy(to: folder.url(), overwriting: true) }
            #expect(throws: DocumentError.self) { try other.save(to: folder.url(), overwriting: true) }
            try other.close()
        }
        try whole.write(to: note)
        let restored = try folder.open(kind, .restore)
        #expect(try DocumentFolder.songs(restored.store) == [0: "a", 1: "b"])
        try restored.close(discardingChanges: true)
        #expect(try Self.hidden(folder) == [])

        document = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        document = nil
        try Data().write(to: note)
        let other = try folder.open(kind, .discard)
        #expect(try DocumentFolder.songs(other.store) == [0: "a"])
        try other.close()
        #expect(try Self.hidden(folder) == [])
    }
}
