import Foundation
import TestSupport
import Testing
import Trove
import TroveDocument

/// What lies beside a document and is not its engine's.
@Suite struct NeighbouringFileTests {
    /// What some engine has beside a file, by the endings of names.
    private static let endings = ["-wal", "-journal", ".wal", "-shm", "-queue", "-lock", "-checked"]

    private static func endings(of kind: DocumentKind) -> [String] {
        switch kind {
        case .sqlite: ["-wal", "-journal", "-shm", "-queue"]
        case .lmdb, .sealed: ["-lock", "-checked"]
        case .tokyoCabinet: [".wal", "-checked"]
        }
    }

    private static func write(_ text: String, _ url: URL) throws { try Data(text.utf8).write(to: url) }
    private static func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    /// A folder is nobody's log, whatever its name is.
    @Test(arguments: DocumentKind.allCases) func folders(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        try document.store.save(Song(id: 1, title: "b"))
        let journal = folder.url("library.trove-journal")
        try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: false)
        try Self.write("dear diary", journal.appending(path: "monday"))
        if kind == .sqlite {
            // It could not open the file beside the folder.
            #expect { try document.save() } throws: { error in
                if case DocumentError.fileSystem(let url, _) = error { url.lastPathComponent == "library.trove-journal" } else { false }
            }
            #expect(document.hasUnsavedChanges && !document.isChangedOutside)
        } else {
            try document.save()
            #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        }
        #expect(Self.text(journal.appending(path: "monday")) == "dear diary")
        try FileManager.default.removeItem(at: journal)
        try document.save()
        #expect(try folder.songs(kind) == [0: "a", 1: "b"])
        try document.close()
    }

    /// The old file is open in the same program, with a snapshot that ends when its owner says so: neither is waited for.
    @Test func aSnapshotOfTheOldFile() throws {
        let folder = try DocumentFolder()
        try folder.make(.sqlite, ["a"])
        let other = try ObjectStore(DocumentKind.sqlite.open(folder.url().path), models: Song.self)
        try other.save(Song(id: 1, title: "b"))
        let snapshot = try other.snapshot()
        let document = try StoreDocument(untitled: DocumentKind.sqlite.engine, in: folder.url(""), models: Song.self)
        try document.store.save(Song(id: 2, title: "c"))
        try document.exportCopy(to: folder.url(), overwriting: true)
        #expect(try folder.songs(.sqlite) == [2: "c"])
        #expect(try snapshot.fetch(Song.self).count() == 2)
        snapshot.close()
        try document.close(discardingChanges: true)
        try? other.close()
    }

    /// Another engine's name for a file says nothing, and where there was no document, neither does its own engine's.
    @Test(arguments: DocumentKind.allCases) func files(kind: DocumentKind) throws {
        let folder = try DocumentFolder()
        try folder.make(kind, ["a"])
        let document = try folder.open(kind)
        let foreign = Self.endings.filter { !Self.endings(of: kind).contains($0) }
        for ending in foreign {
            try Self.write(ending, folder.url("library.trove" + ending))
            try Self.write(ending, folder.url("door" + ending))
        }
        #expect(!document.isChangedOutside)
        try document.store.save(Song(id: 1, title: "b"))
        try document.save()
        try document.save(to: folder.url("door"))
        for ending in foreign {
            #expect(Self.text(folder.url("library.trove" + ending)) == ending && Self.text(folder.url("door" + ending)) == ending)
        }
        #expect(try folder.songs(kind, "door") == [0: "a", 1: "b"])

        for ending in Self.endings(of: kind) {
            let url = folder.url("gate" + ending)
            try Self.write("a letter", url)
            if ["-wal", "-journal", ".wal"].contains(ending) {
                #expect(throws: DocumentError.self) { try document.save(to: folder.url("gate")) }
                #expect(!FileManager.default.fileExists(atPath: folder.url("gate").path) && document.url?.lastPathComponent == "door")
            } else {
                try document.exportCopy(to: folder.url("gate"))
                try FileManager.default.removeItem(at: folder.url("gate"))
            }
            #expect(Self.text(url) == "a letter")
            try FileManager.default.removeItem(at: url)
        }
        try document.store.save(Song(id: 2, title: "c"))
        try document.save()
        #expect(try folder.songs(kind, "door") == [0: "a", 1: "b", 2: "c"])
        try document.close()
    }
}
