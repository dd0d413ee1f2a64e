import Foundation
import Synchronization
import TestSupport
import Testing
import Trove

@testable import TroveDocument

@Suite struct StoreDocumentTests {
    @Test(arguments: DocumentKind.allCases) func theFileChangesWhenItIsSaved(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a", "b"])
        let before = try Data(contentsOf: folder.url())
        let document = try folder.open(kind)
        #expect(!document.hasUnsavedChanges && document.url == folder.url().resolvingSymlinksInPath())
        #expect(try DocumentFolder.songs(document.store) == [0: "a", 1: "b"])
        try document.store.save(Song(id: 2, title: "c"))
        #expect(document.hasUnsavedChanges && !document.isChangedOutside)
        #expect(try Data(contentsOf: folder.url()) == before, "nothing writes the file before a save")
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        try document.save()
        #expect(!document.hasUnsavedChanges)
        #expect(try folder.songs(kind) == [0: "a", 1: "b", 2: "c"])
        try document.store.delete(Song.self, id: 0)
        try document.save()
        try document.save()
        #expect(try folder.songs(kind) == [1: "b", 2: "c"])
        try document.close()
        try document.close()
        #expect(throws: DocumentError.closed) { try document.save() }
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [], "nothing is left")
        let again = try folder.open(kind)
        #expect(try DocumentFolder.songs(again.store) == [1: "b", 2: "c"])
    }

    /// Only commits that change something are changes.
    @Test(arguments: DocumentKind.allCases) func whatIsAChange(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        struct Refused: Error {}
        try document.store.write { _ in }
        #expect(try document.store.upsert(Song(id: 0, title: "a")) == .unchanged)
        try document.store.delete(Song.self, id: 77)
        #expect(throws: Refused.self) {
            try document.store.write { transaction in
                try transaction.save(Song(id: 5, title: "e"))
                throw Refused()
            }
        }
        _ = try document.store.fetch(Song.self).all()
        #expect(!document.hasUnsavedChanges)
        try document.store.setMetadata(.int(1), forKey: "x")
        #expect(document.hasUnsavedChanges)
        try document.save()
        try document.store.setBlob(Data([1]), named: "b")
        #expect(document.hasUnsavedChanges)
        try document.revert()
        #expect(!document.hasUnsavedChanges)
        #expect(try document.store.blob(named: "b") == nil && document.store.metadata(forKey: "x") == .int(1))
        #expect(throws: DocumentError.isUntitled) { try StoreDocument(untitled: kind.engine, in: URL(filePath: folder.directory.path), models: Song.self).save() }
    }

    @Test(arguments: DocumentKind.allCases) func elsewhereAndAsAnotherEngine(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        let document = try StoreDocument(untitled: kind.engine, in: URL(filePath: folder.directory.path), models: Song.self)
        #expect(document.url == nil && !document.hasUnsavedChanges)
        let store = document.store
        try store.save(Song(id: 1, title: "a"))
        try document.save(to: folder.url("one"))
        #expect(try folder.songs(kind, "one") == [1: "a"])
        try store.save(Song(id: 2, title: "b"))
        #expect(throws: DocumentError.destinationExists(folder.url("one").resolvingSymlinksInPath())) { try document.save(to: folder.url("one")) }
        try document.exportCopy(to: folder.url("copy"), as: kind.other.engine)
        #expect(document.hasUnsavedChanges && document.store === store)
        #expect(try folder.songs(kind.other, "copy") == [1: "a", 2: "b"] && folder.songs(kind, "one") == [1: "a"])
        try document.save(to: folder.url("two"), as: kind.other.engine)
        #expect(document.url?.lastPathComponent == "two" && !document.hasUnsavedChanges && document.store === store)
        #expect(try folder.songs(kind.other, "two") == [1: "a", 2: "b"] && folder.songs(kind, "one") == [1: "a"])
        try store.save(Song(id: 3, title: "c"))
        try document.save()
        #expect(try folder.songs(kind.other, "two") == [1: "a", 2: "b", 3: "c"])
        // The first place is free again.
        try folder.open(kind, .ask, "one").close()
        #expect(throws: DocumentError.alreadyOpen(folder.url("two").resolvingSymlinksInPath())) { try folder.open(kind.other, .ask, "two") }
        try document.save(to: folder.url("one"), as: kind.engine, overwriting: true)
        #expect(try folder.songs(kind, "one") == [1: "a", 2: "b", 3: "c"])
        try store.save(Song(id: 4, title: "d"))
        try document.revert()
        #expect(try DocumentFolder.songs(document.store) == [1: "a", 2: "b", 3: "c"])
        try document.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test func memoryHasNoFile() throws {
        let folder = try DocumentFolder()
        let document = try StoreDocument(untitled: .memory, in: URL(filePath: folder.directory.path), models: [Song.self])
        try document.store.save(Song(id: 1, title: "a"))
        #expect(throws: DocumentError.keepsNoFile(engine: "memory")) { try document.save(to: folder.url()) }
        #expect(document.url == nil && document.hasUnsavedChanges)
        for kind in DocumentKind.allCases {
            try document.exportCopy(to: folder.url(kind.rawValue), as: kind.engine)
            #expect(try folder.songs(kind, kind.rawValue) == [1: "a"])
        }
        try document.save(to: folder.url(), as: DocumentKind.sqlite.engine)
        try document.store.save(Song(id: 2, title: "b"))
        try document.save()
        #expect(try folder.songs(.sqlite) == [1: "a", 2: "b"])
    }

    /// What keeps no file has the copy of the document only as long as it is open.
    @Test(arguments: DocumentKind.allCases) func workedOnInMemory(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try StoreDocument(at: folder.url(), engine: kind.engine, workingEngine: .memory, models: Song.self)
        #expect(try DocumentFolder.songs(document.store) == [0: "a"] && !document.hasUnsavedChanges)
        try document.store.save(Song(id: 1, title: "b"))
        try document.save()
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        try document.close()

        let untitled = try StoreDocument(untitled: .memory, in: folder.url(""), models: Song.self)
        try untitled.store.save(Song(id: 2, title: "c"))
        try untitled.save(to: folder.url("other"), as: kind.engine)
        try untitled.store.save(Song(id: 3, title: "d"))
        try untitled.revert()
        #expect(try DocumentFolder.songs(untitled.store) == [2: "c"] && !untitled.hasUnsavedChanges)
        try untitled.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test(arguments: DocumentKind.allCases) func oneHasIt(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try folder.open(kind)
        #expect(throws: DocumentError.alreadyOpen(folder.url().resolvingSymlinksInPath())) { try folder.open(kind) }
        #expect(StoreDocument.recoverableChanges(of: folder.url()) == nil)
        document = nil
        document = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        #expect(throws: DocumentError.hasUnsavedChanges) { try document?.close() }
        // Given away without being closed, as by a program that forgets it.
        document = nil
        let left = try #require(StoreDocument.recoverableChanges(of: folder.url()))
        #expect(left.engine == kind.rawValue && abs(left.date.timeIntervalSinceNow) < 600)
        #expect(throws: DocumentError.hasRecoverableChanges(left)) { try folder.open(kind) }
        #expect(throws: DocumentError.otherEngine(name: kind.rawValue)) {
            try StoreDocument(at: folder.url(), engine: kind.engine, workingEngine: .memory, recovery: .restore, models: Song.self)
        }
        let restored = try folder.open(kind, .restore)
        #expect(restored.hasUnsavedChanges && !restored.isChangedOutside)
        #expect(try DocumentFolder.songs(restored.store) == [0: "a", 1: "b"] && folder.songs(kind) == [0: "a"])
        try restored.save()
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        try restored.store.save(Song(id: 2, title: "c"))
        try restored.close(discardingChanges: true)
        let again = try folder.open(kind)
        #expect(try DocumentFolder.songs(again.store) == [0: "a", 1: "b"])
    }

    /// A program that dies between putting the new file in its place and writing that down has changed the file itself.
    @Test(arguments: DocumentKind.allCases) func diesWhenTheNewFileIsThere(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        try document?.exportCopy(to: folder.url("new"))
        do {
            let dying = try #require(document)
            let state = try dying.openState()
            try dying.put(folder.url("new"), state.original?.kind, at: folder.url(), insteadOf: state.engine, on: state.workingCopy)
        }
        document = nil
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        let restored = try folder.open(kind, .restore)
        #expect(restored.hasUnsavedChanges && !restored.isChangedOutside)
        try restored.store.save(Song(id: 2, title: "c"))
        try restored.save()
        #expect(try folder.songs(kind) == [0: "a", 1: "b", 2: "c"])
        // Somebody else's file is still told from it.
        try restored.store.save(Song(id: 3, title: "d"))
        try FileManager.default.removeItem(at: folder.url())
        try folder.make(kind, ["x"])
        #expect(restored.isChangedOutside)
        #expect(throws: DocumentError.changedOutside(folder.url().resolvingSymlinksInPath())) { try restored.save() }
        try restored.close(discardingChanges: true)
    }

    @Test(arguments: DocumentKind.allCases) func readAfterASaveThatWasNotVerified(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        try document.store.save(Song(id: 1, title: "b"))
        try document.save(verifying: false)
        let store = try ObjectStore(kind.open(folder.url().path), access: .readOnly, models: Song.self)
        #expect(try DocumentFolder.songs(store) == [0: "a", 1: "b"])
        try store.close()
        // Tokyo Cabinet writes into a file whenever it opens it.
        #expect(document.isChangedOutside == (kind == .tokyoCabinet))
        try document.store.save(Song(id: 2, title: "c"))
        try document.save(overwriting: kind == .tokyoCabinet)
        try document.close()
    }

    @Test(arguments: DocumentKind.allCases) func discarded(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        var document: StoreDocument? = try folder.open(kind)
        try document?.store.save(Song(id: 1, title: "b"))
        document = nil
        let other = try folder.open(kind, .discard)
        #expect(try DocumentFolder.songs(other.store) == [0: "a"])
        #expect(!other.hasUnsavedChanges)
        try other.close()
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test(arguments: DocumentKind.allCases) func withoutAFile(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        let place = URL(filePath: folder.directory.path)
        var document: StoreDocument? = try StoreDocument(untitled: kind.engine, in: place, models: Song.self)
        try document?.store.save(Song(id: 1, title: "a"))
        document = nil
        let left = try #require(StoreDocument.recoverableChanges(in: place).first)
        #expect(left.url == nil)
        let recovered = try StoreDocument(recovering: left, engine: kind.engine, models: [Song.self])
        #expect(recovered.hasUnsavedChanges && StoreDocument.recoverableChanges(in: place).isEmpty)
        try recovered.save(to: folder.url())
        #expect(try folder.songs(kind) == [1: "a"])
        try recovered.close()
        #expect(throws: DocumentError.self) { try StoreDocument(recovering: left, engine: kind.engine, models: Song.self) }
    }

    @Test(arguments: DocumentKind.allCases) func filesBadAndFar(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        #expect(throws: DocumentError.noSuchDocument(folder.url().resolvingSymlinksInPath())) { try folder.open(kind) }
        try Data("no store, and long enough to be taken for something".utf8).write(to: folder.url())
        #expect(throws: (any Error).self) { try folder.open(kind) }
        #expect(try Data(contentsOf: folder.url()).count == 51)
        #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
        // By a link, whose target is replaced; its permissions stay.
        try folder.make(kind, ["a"], "target")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.url("target").path)
        try FileManager.default.createSymbolicLink(at: folder.url("link"), withDestinationURL: folder.url("target"))
        let document = try folder.open(kind, .ask, "link")
        try document.store.save(Song(id: 1, title: "b"))
        try document.save()
        #expect(try folder.songs(kind, "target") == [0: "a", 1: "b"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.url("link").path).hasSuffix("target"))
        #expect(try FileManager.default.attributesOfItem(atPath: folder.url("target").path)[.posixPermissions] as? Int == 0o640)
        #expect(throws: (any Error).self) { try document.save(to: folder.url("no/such/folder/x")) }
        #expect(document.url?.lastPathComponent == "target")
        try document.store.save(Song(id: 2, title: "c"))
        try document.save()
        #expect(try folder.songs(kind, "target") == [0: "a", 1: "b", 2: "c"])
    }

    /// Each commit is in the file or unsaved, whenever a save comes.
    @Test(arguments: DocumentKind.allCases) func savesBesideWriters(kind: DocumentKind) async throws {
        let folder = try DocumentFolder()
        try folder.make(kind, [])
        let document = try folder.open(kind)
        let store = document.store
        async let writing: Void = { for id in 0..<120 { try await store.save(Song(id: id, title: "\(id)")) } }()
        var seen = 0
        for _ in 0..<4 {
            try await document.save(verifying: false)
            let saved = try folder.songs(kind)
            #expect(saved.keys.sorted() == Array(0..<saved.count) && saved.count >= seen)
            seen = saved.count
        }
        try await writing
        if document.hasUnsavedChanges { try await document.save() }
        #expect(try folder.songs(kind).count == 120)
        try document.close()
    }

    /// Closing waits for a transaction that asks for the document's store.
    @Test(arguments: DocumentKind.allCases) func closedBesideATransaction(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let found = Mutex<[Int: String]>([:])
        Thread.detachNewThread {
            try? document.store.read { transaction in
                began.signal()
                // Closing has begun by then, or begins later; either way nobody waits for the other.
                Thread.sleep(forTimeInterval: 0.05)
                let songs = try transaction.fetch(Song.self).all()
                found.withLock { $0 = document.store.path.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: songs.map { ($0.id, $0.title) }) }
            }
            ended.signal()
        }
        began.wait()
        try document.close()
        ended.wait()
        #expect(found.withLock { $0 } == [0: "a"])
    }

    @Model("Song") fileprivate struct OldSong {
        var id: Int
        var title: String
    }

    /// What the program's models add to a store, such as an index, is no reason to refuse a file of another engine.
    @Test(arguments: DocumentKind.allCases) func aFileOfAnOlderProgram(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        let store = try ObjectStore(kind.open(folder.url().path), models: OldSong.self)
        try store.save((0..<3).map { OldSong(id: $0, title: "t\($0)") })
        try store.close()
        let document = try StoreDocument(at: folder.url(), engine: kind.engine, workingEngine: kind.other.engine, models: Song.self)
        #expect(try document.store.fetch(Song.self).where { $0.title == "t1" }.ids() == [1])
        try document.store.save(Song(id: 3, title: "t3"))
        try document.save()
        try document.close()
        #expect(try folder.songs(kind) == [0: "t0", 1: "t1", 2: "t2", 3: "t3"])
    }

    @Test(arguments: DocumentKind.allCases) func itTellsAndSavesByItself(kind: DocumentKind) async throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        var answers = document.unsavedChanges.makeAsyncIterator()
        #expect(await answers.next() == false)
        document.autosave(every: .milliseconds(20)) { Issue.record("\($0)") }
        try await document.store.save(Song(id: 1, title: "b"))
        // A listener that comes late may see the last answer alone.
        while let isUnsaved = await answers.next(), isUnsaved {}
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        document.stopAutosaving()
        try await document.store.save(Song(id: 2, title: "c"))
        #expect(await answers.next() == true)
        try await document.revert()
        #expect(await answers.next() == false)
        try document.close()
    }

    /// Who waits for answers is not kept waiting by a document that has none any more.
    @Test(arguments: [true, false]) func itTellsNothingMoreWhenItIsClosed(isClosed: Bool) async throws {
        let folder = try DocumentFolder()
        try folder.make(.sqlite, ["a"])
        var document: StoreDocument? = try folder.open(.sqlite)
        let answers = try #require(document).unsavedChanges
        let waiting = Task {
            var seen: [Bool] = []
            for await answer in answers { seen.append(answer) }
            return seen
        }
        let ended = SharedFlag()
        Task {
            _ = await waiting.value
            ended.raise()
        }
        if isClosed { try document?.close() } else { document = nil }
        try await waitUntil("the end of the answers") { ended.isRaised }
        #expect(await waiting.value == [false])
        if let document {
            // Who asks later gets the last one.
            var seen: [Bool] = []
            for await answer in document.unsavedChanges { seen.append(answer) }
            #expect(seen == [false])
        }
    }

    /// An engine would make a store of an empty file, and of a document that a crash has cut to nothing a new one.
    @Test(arguments: DocumentKind.allCases) func anEmptyFileIsNoDocument(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try Data().write(to: folder.url())
        #expect { try folder.open(kind) } throws: { if case TroveError.notAStore(_, let reason) = $0 { reason.contains("empty") } else { false } }
        #expect(try Data(contentsOf: folder.url()).isEmpty)
        #expect(try folder.names() == [folder.url().lastPathComponent], "nothing is left")

        try FileManager.default.removeItem(at: folder.url())
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        try document.store.save(Song(id: 1, title: "b"))
        try Data().write(to: folder.url())
        #expect(throws: TroveError.self) { try document.revert() }
        #expect(try DocumentFolder.songs(document.store) == [0: "a", 1: "b"])
        try document.close(discardingChanges: true)
    }
}
