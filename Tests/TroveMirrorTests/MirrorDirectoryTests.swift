import Foundation
import TestSupport
import Testing
import Trove
import TroveBackendKit

@testable import TroveMirror

/// What people and systems do with the files.
@Suite struct MirrorDirectoryTests {
    /// A file that is put elsewhere, renamed so that it is not read, or evicted by iCloud is not deleted.
    @Test(
        arguments: Engine.allCases,
        [("Song/jazz/7.json", "Song/jazz"), ("Song/jazz/modal/seven.JSON", "Song/jazz"), ("Song/7.JSON", "Song/7.JSON"), ("Song/7.json.bak", "Song/7.json"),
            ("Song/7.json~", "Song/7.json"), ("Song/.7.json.icloud", "Song/7.json"), ("Song/.7.json.swp", "Song/7.json")])
    func aFileIsElsewhere(engine: Engine, place: (path: String, told: String)) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b"), Song(id: 9, title: "c")])
        try fixture.mirror.synchronize()
        let text = try fixture.text("Song/7.json")
        try fixture.remove("Song/7.json")
        try fixture.write(text, place.path)
        // Nor is another one, which may be there too.
        try fixture.remove("Song/8.json")
        for _ in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == [place.told] && report.isUnchanged, "\(report)")
            #expect(try fixture.store.fetch(Song.self).ids() == [7, 8, 9])
        }
        try fixture.remove(place.path)
        if place.told == "Song/jazz" { try fixture.remove("Song/jazz") }
        try fixture.write(text.replacing("\"a\"", with: "\"edited\""), "Song/7.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty && report.deleted.map(\.id) == ["8"], "\(report)")
        #expect(try fixture.store.fetch(Song.self).all().map(\.title) == ["edited", "c"])
    }

    /// Backups beside their files, what is left of files that are no more, and folders of other things keep nothing from being deleted.
    @Test(arguments: Engine.allCases) func whatIsPassedOver(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b")])
        try fixture.mirror.synchronize()
        for path in ["Song/7.json.bak", "Song/7.json~", "Song/6.json.bak", "Song/.5.swp", "Song/.git/x.json", "Song/covers/a.jpg", "Song/notes.txt", "Song/.DS_Store"] {
            try fixture.write("{}", path)
        }
        try fixture.remove("Song/8.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.deleted.map(\.id) == ["8"], "\(report)")
        // The program deletes an object: its backup is nothing that waits.
        try fixture.store.delete(Song.self, id: 7)
        #expect(try fixture.mirror.synchronize().removed == ["Song/7.json"])
        #expect(try fixture.mirror.synchronize() == MirrorReport())
    }

    @Test(arguments: Engine.allCases) func blobsAreElsewhere(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        for name in ["cover.jpg", "b", "c"] { try fixture.store.setBlob(Data(name.utf8), named: name) }
        try fixture.mirror.synchronize()
        for name in ["cover.jpg", "b"] { try fixture.remove("$blobs/\(name)") }
        try fixture.write("", "$blobs/.cover.jpg.icloud")
        for _ in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["$blobs/cover.jpg"] && report.isUnchanged, "\(report)")
            #expect(try fixture.store.blobNames().count == 3)
        }
        try fixture.remove("$blobs/.cover.jpg.icloud")
        try fixture.write("new", "$blobs/cover.jpg")
        #expect(try fixture.mirror.synchronize().deleted.map(\.id) == ["\"b\""])
        #expect(try fixture.store.blob(named: "cover.jpg") == Data("new".utf8))
    }
}
