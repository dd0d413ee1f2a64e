import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveDocument

/// What other programs do to a document's file while it is open, opened or saved.
@Suite struct OutsideChangeTests {
    @Test(arguments: DocumentKind.allCases) func changedBySomebodyElse(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let url = folder.url().resolvingSymlinksInPath()
        let document = try folder.open(kind)
        try document.store.save(Song(id: 7, title: "mine"))
        let store = try ObjectStore(kind.open(url.path), models: Song.self)
        try store.save(Song(id: 8, title: "theirs"))
        try store.close()
        #expect(document.isChangedOutside)
        #expect(throws: DocumentError.changedOutside(url)) { try document.save() }
        #expect(try folder.songs(kind) == [0: "a", 8: "theirs"] && document.hasUnsavedChanges)
        try document.save(overwriting: true)
        #expect(try folder.songs(kind) == [0: "a", 7: "mine"] && !document.isChangedOutside)
        // Gone, and then something that is no store.
        try FileManager.default.removeItem(at: url)
        #expect(throws: DocumentError.changedOutside(url)) { try document.save() }
        #expect(throws: DocumentError.noSuchDocument(url)) { try document.revert() }
        try Data("no store, and long enough to be taken for something".utf8).write(to: url)
        #expect(throws: (any Error).self) { try document.revert() }
        #expect(try DocumentFolder.songs(document.store) == [0: "a", 7: "mine"], "what cannot be read leaves everything as it is")
        try document.save(overwriting: true)
        #expect(try folder.songs(kind) == [0: "a", 7: "mine"])
    }

    /// A commit of another program beside the copying is in the document, or would be overwritten by its next save. Tokyo Cabinet's files are one program's.
    @Test(arguments: [DocumentKind.sqlite, .lmdb, .sealed], [false, true]) func changedWhileItIsCopied(kind: DocumentKind, isOther: Bool) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let (hooks, path) = (EngineHooks(), folder.url().path)
        func changeBeforeClosing(_ id: Int) throws {
            // The file system may tell no commits apart that come one after the other.
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceReferenceDate: 0)], ofItemAtPath: path)
            hooks.beforeClosing {
                let store = try ObjectStore(kind.open(path), models: Song.self)
                try store.save(Song(id: id, title: "theirs"))
                try store.close()
            }
        }
        try changeBeforeClosing(8)
        let document = try StoreDocument(
            at: folder.url(), engine: hooks.engine(kind), workingEngine: isOther ? kind.other.engine : nil, models: Song.self)
        #expect(try DocumentFolder.songs(document.store) == [0: "a", 8: "theirs"] && !document.isChangedOutside)
        try changeBeforeClosing(9)
        try document.revert()
        try document.store.save(Song(id: 7, title: "mine"))
        try document.save()
        #expect(try folder.songs(kind) == [0: "a", 7: "mine", 8: "theirs", 9: "theirs"])
        try document.close()
    }

    /// A file that others change again and again is copied all the same, and the next save says that they did.
    @Test(arguments: [DocumentKind.sqlite, .lmdb, .sealed]) func changedEachTimeItIsCopied(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let (hooks, url) = (EngineHooks(), folder.url().resolvingSymlinksInPath())
        // The file system may tell no commits apart that come one after the other. This counts where the file is not open, as when a copy is given up.
        @Sendable func setBack(_ count: Int) throws {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceReferenceDate: Double(count))], ofItemAtPath: url.path)
        }
        @Sendable func changeBeforeEachClosing(_ count: Int) {
            hooks.beforeClosing {
                let store = try ObjectStore(kind.open(url.path), models: Song.self)
                try store.save(Song(id: count, title: "theirs"))
                try store.close()
                try setBack(count)
                changeBeforeEachClosing(count + 1)
            }
        }
        try setBack(0)
        changeBeforeEachClosing(1)
        let document = try StoreDocument(at: url, engine: hooks.engine(kind), models: Song.self)
        hooks.beforeClosing {}
        #expect(document.isChangedOutside)
        try document.store.save(Song(id: 100, title: "mine"))
        #expect(throws: DocumentError.changedOutside(url)) { try document.save() }
        #expect(try folder.songs(kind).count > 3)
        try document.revert()
        #expect(try !document.isChangedOutside && DocumentFolder.songs(document.store) == folder.songs(kind))
        try document.close()
    }

    /// A log in which there is room for commits to come is as long after them as before.
    @Test func commitsIntoALogOfTheSameLength() throws {
        let folder = try DocumentFolder()
        try folder.make(.sqlite, ["a"])
        let url = folder.url().resolvingSymlinksInPath()
        let other = try ObjectStore(DocumentKind.sqlite.open(url.path), models: Song.self)
        for number in 1...40 { try other.save(Song(id: number, title: "\(number)")) }
        let document = try folder.open(.sqlite)
        try document.store.save(Song(id: 100, title: "mine"))
        func size() throws -> Int? { try FileManager.default.attributesOfItem(atPath: url.path + "-wal")[.size] as? Int }
        let before = try size()
        try other.save(Song(id: 101, title: "theirs"))
        #expect(try before == size() && before != nil)
        #expect(document.isChangedOutside)
        #expect(throws: DocumentError.changedOutside(url)) { try document.save() }
        try other.close()
    }

    /// A log that a program left belongs to the file that it was written for; with another it would be damage.
    @Test(arguments: [DocumentKind.sqlite, .tokyoCabinet]) func logsOfOthers(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        try document.store.save(Song(id: 7, title: "mine"))
        let url = folder.url().resolvingSymlinksInPath()
        let log = URL(filePath: url.path + (kind == .sqlite ? "-wal" : ".wal"))
        // A log that is one, of another program that was killed.
        let backend = try kind.open(url.path)
        let store = try ObjectStore(backend, models: Song.self)
        try store.save(Song(id: 8, title: "theirs"))
        let aside = folder.url("aside")
        if FileManager.default.fileExists(atPath: log.path) { try FileManager.default.copyItem(at: log, to: aside) } else { try Data(repeating: 3, count: 5_000).write(to: aside) }
        try store.close()
        try? FileManager.default.removeItem(at: log)
        try FileManager.default.copyItem(at: aside, to: log)
        #expect(throws: DocumentError.changedOutside(url)) { try document.save() }
        try document.save(overwriting: true)
        #expect(try folder.songs(kind) == [0: "a", 7: "mine"])
        let size = (try? FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int) ?? 0
        #expect(size == 0)
    }

    /// A file that goes away while the document is opened, or between two tries to copy it, is not made anew.
    @Test(arguments: DocumentKind.allCases) func theFileGoesAway(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        let url = folder.url().resolvingSymlinksInPath()
        let copy = try WorkingCopy(desk: WorkingCopy.desk(of: url), for: url)
        let opener = StoreOpener(durability: .buffered, fieldKeys: nil, models: [Song.self])
        #expect(throws: DocumentError.noSuchDocument(url)) { try StoreDocument.copied(url, kind.engine, kind.engine, opener, ChangeCounter(copy), copy) }
        copy.remove()
        #expect(try folder.names() == [], "nothing is left")
    }
}
