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

    // MARK: - Files that cannot be written

    /// Keeps files from being written in a folder: folders are where they are written first, by their numbers in the run.
    private func obstruct(_ fixture: MirrorFixture, _ folder: String, _ numbers: ClosedRange<Int>) throws {
        for number in numbers { try fixture.write("", "\(folder)/.trove-writing-\(number)/x") }
    }

    private func clear(_ fixture: MirrorFixture, _ folder: String, _ numbers: ClosedRange<Int>) throws {
        for number in numbers { try fixture.remove("\(folder)/.trove-writing-\(number)") }
    }

    /// One file that cannot be written keeps nothing from the others, is tried again, and makes no more files.
    @Test(arguments: Engine.allCases) func aFileCannotBeWritten(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 1, title: "a"), Song(id: 2, title: "b")])
        try fixture.store.save(Line(id: 1, text: "line"))
        try fixture.mirror.synchronize()
        try fixture.store.save([Song(id: 1, title: "store"), Song(id: 2, title: "new")])
        try fixture.edit("Song/1.json", "\"a\"", "\"file\"")
        // The first file of the run is one of another folder, and what lost is written alone, before.
        try obstruct(fixture, "Song", 1...9)
        for line in 2...3 {
            try fixture.store.save(Line(id: line, text: "line"))
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["Song/1.json", "Song/2.json"] && report.written == ["Line/\(line).json"], "\(report)")
            #expect(report.conflicts.map(\.file) == ["Song/1.conflict.json"], "\(report)")
            #expect(try fixture.text("Song/1.conflict.json").contains("\"file\"") && fixture.text("Song/1.json").contains("\"file\""))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.url("Song").path)
        #expect(names.filter { $0.contains("conflict") } == ["1.conflict.json"] && !names.contains(".trove-writing-0"))
        try clear(fixture, "Song", 1...9)
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.written == ["Song/1.json", "Song/2.json"], "\(report)")
        #expect(try fixture.text("Song/1.json").contains("\"store\""))
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// What loses cannot be put aside: it stays where it is.
    @Test(arguments: Engine.allCases) func aVersionCannotBePutAside(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 1, title: "a"), Song(id: 2, title: "b")])
        try fixture.mirror.synchronize()
        try fixture.store.save(Song(id: 1, title: "store"))
        try fixture.edit("Song/1.json", "\"a\"", "\"file\"")
        try fixture.edit("Song/2.json", "\"b\"", "\"edited\"")
        try obstruct(fixture, "Song", 0...0)
        let waiting = try fixture.mirror.synchronize()
        #expect(waiting.problems.map(\.file) == ["Song/1.json"] && waiting.conflicts.isEmpty && waiting.saved.map(\.id) == ["2"], "\(waiting)")
        #expect(try fixture.text("Song/1.json").contains("\"file\"") && fixture.store.fetch(Song.self, id: 1)?.title == "store")
        try clear(fixture, "Song", 0...0)
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.map(\.file) == ["Song/1.conflict.json"], "\(report)")
        #expect(try fixture.text("Song/1.conflict.json").contains("\"file\"") && fixture.text("Song/1.json").contains("\"store\""))
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// A folder for which something else is there, and blobs.
    @Test(arguments: Engine.allCases) func aFolderCannotBeWritten(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.write("mine", "Line")
        try fixture.write("mine", "$blobs")
        try fixture.store.save(Line(id: 1, text: "line"))
        try fixture.store.save(Song(id: 1, title: "a"))
        try fixture.store.setBlob(Data([1]), named: "b")
        for number in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["Line/1.json", "$blobs/b"] && report.written == (number == 0 ? ["Song/1.json"] : []), "\(report)")
        }
        for name in ["Line", "$blobs"] { try fixture.remove(name) }
        #expect(try fixture.mirror.synchronize().written == ["$blobs/b", "Line/1.json"])
    }

    /// What would be too large to be read again is not written.
    @Test(arguments: Engine.allCases) func aFileIsTooLarge(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 1, title: "a"), Song(id: 2, title: "b")])
        try fixture.mirror.synchronize()
        try DirectorySide.$maxSize.withValue(1_000) {
            let title = String(repeating: "long ", count: 400)
            try fixture.store.save([Song(id: 1, title: title), Song(id: 2, title: "new"), Song(id: 3, title: title)])
            for number in 0..<2 {
                let report = try fixture.mirror.synchronize()
                #expect(report.problems.map(\.file) == ["Song/1.json", "Song/3.json"] && report.written == (number == 0 ? ["Song/2.json"] : []), "\(report)")
            }
            #expect(try fixture.text("Song/1.json").contains("\"a\"") && !fixture.exists("Song/3.json"))
            // The file is read still, and merged.
            try fixture.edit("Song/1.json", "\"tags\"", "\"year\": 1959,\n  \"tags\"")
            #expect(try fixture.mirror.synchronize().saved.map(\.id) == ["1"])
            #expect(try fixture.store.fetch(Song.self, id: 1)?.year == 1959)
            try fixture.store.save([Song(id: 1, title: "short"), Song(id: 3, title: "short")])
            #expect(try fixture.mirror.synchronize().problems.isEmpty)
        }
        #expect(try fixture.text("Song/1.json").contains("short") && fixture.text("Song/3.json").contains("short"))
    }

    /// Many files are on the disk by one call.
    @Test(arguments: Engine.allCases) func manyFiles(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((0..<40).map { Song(id: $0, title: "a") })
        try fixture.store.save((0..<5).map { Line(id: $0, text: "a") })
        #expect(try fixture.mirror.synchronize().written.count == 45)
        #expect(try fixture.mirror.synchronize().isUnchanged && fixture.paths().count == 45)
    }

    // MARK: - Permissions

    /// What a person made unreadable for others stays so, and new files are as readable as the store.
    @Test(arguments: Engine.allCases) func permissions(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
        func set(_ mode: Int, _ path: String) throws { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
        var isFolder: ObjCBool = false
        let hasFile = FileManager.default.fileExists(atPath: fixture.store.path, isDirectory: &isFolder) && !isFolder.boolValue
        if hasFile { try set(0o600, fixture.store.path) }
        try fixture.store.save(Song(id: 1, title: "a"))
        try fixture.store.setBlob(Data([1]), named: "b")
        try fixture.mirror.synchronize()
        let paths = ["Song/1.json", "$blobs/b", ".trove-mirror/ledger.jsonl"]
        if hasFile { #expect(try paths.allSatisfy { try mode(fixture.url($0).path) == 0o600 }) }
        for path in paths { try set(0o640, fixture.url(path).path) }
        try fixture.store.save(Song(id: 1, title: "b"))
        try fixture.store.setBlob(Data([2]), named: "b")
        #expect(try fixture.mirror.synchronize().written.count == 2)
        for path in paths { #expect(try mode(fixture.url(path).path) == 0o640, "\(path)") }
    }
}
