import Foundation
import Synchronization
import TestSupport
import Testing
import Trove
import TroveBackendKit

@testable import TroveMirror

/// The files of blobs.
@Suite struct MirrorBlobTests {
    @Test(arguments: Engine.allCases) func blobsThatPeoplePutThere(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.setBlob(Data([1]), named: "cover.jpg")
        try fixture.mirror.synchronize()
        try fixture.write("photo", "$blobs/Photo.JPG")
        try fixture.write("percent", "$blobs/100%.jpg")
        let report = try fixture.mirror.synchronize()
        #expect(report.saved.map(\.id) == ["\"Photo.JPG\""] && report.problems.map(\.file) == ["$blobs/100%.jpg"], "\(report)")
        #expect(try fixture.store.blob(named: "Photo.JPG") == Data("photo".utf8))
        #expect(try fixture.mirror.synchronize().isUnchanged && fixture.exists("$blobs/Photo.JPG"))
        try fixture.store.setBlob(Data([2]), named: "Photo.JPG")
        #expect(try fixture.mirror.synchronize().written == ["$blobs/Photo.JPG"], "it keeps the name that it has")
        // Two files of one blob are nobody's.
        let other = "$blobs/\(FileName.of("Photo.JPG"))"
        try fixture.write("other", other)
        try fixture.store.setBlob(Data([3]), named: "Photo.JPG")
        let twice = try fixture.mirror.synchronize()
        #expect(twice.problems.count == 2 && twice.isUnchanged, "\(twice)")
        try fixture.remove(other)
        #expect(try fixture.mirror.synchronize().written == ["$blobs/Photo.JPG"])
        // What is no file any more is not gone.
        try fixture.remove("$blobs/cover.jpg")
        try FileManager.default.createDirectory(at: fixture.url("$blobs/cover.jpg"), withIntermediateDirectories: false)
        let folder = try fixture.mirror.synchronize()
        #expect(folder.problems.map(\.file).sorted() == ["$blobs/100%.jpg", "$blobs/cover.jpg"] && folder.isUnchanged, "\(folder)")
        #expect(try fixture.store.blob(named: "cover.jpg") == Data([1]))
        // Both changed.
        try fixture.remove("$blobs/cover.jpg")
        try fixture.write("mine", "$blobs/cover.jpg")
        try fixture.store.setBlob(Data([4]), named: "cover.jpg")
        let both = try fixture.mirror.synchronize()
        #expect(both.conflicts.map(\.properties) == [["contents"]] && both.conflicts.map(\.file) == ["$blobs/cover.conflict.jpg"], "\(both)")
        #expect(try fixture.text("$blobs/cover.conflict.jpg") == "mine")
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    @Test(arguments: Engine.allCases) func manyBlobsAreGone(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        for number in 0..<12 { try fixture.store.setBlob(Data([1]), named: "b\(number)") }
        try fixture.store.save(Song(id: 1, title: "a"))
        try fixture.mirror.synchronize()
        try fixture.remove("$blobs")
        try fixture.edit("Song/1.json", "\"a\"", "\"b\"")
        #expect(throws: MirrorError.manyFilesGone(fixture.mirror.directory, objects: 12)) { try fixture.mirror.synchronize() }
        #expect(try fixture.store.blobNames().count == 12 && fixture.store.fetch(Song.self, id: 1)?.title == "a", "nothing is changed")
        #expect(try fixture.mirror.synchronize(allowingDeletions: true).deleted.count == 12)
    }

    /// Looks, at each read of the store, which files are there that are being written, and who may read them.
    private final class Looking: ForwardingBackend {
        let wrappedBackend: any StorageBackend
        private let folder: String
        private let seen: Seen

        final class Seen: Sendable {
            let files = Mutex<Set<String>>([])
        }

        init(_ backend: any StorageBackend, at folder: String, _ seen: Seen) { (wrappedBackend, self.folder, self.seen) = (backend, folder, seen) }

        func read(_ body: (any StorageReader) throws -> Void) throws {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(DirectoryFiles.writingName) {
                let mode = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
                seen.files.withLock { _ = $0.insert("\(name) \(String(mode ?? 0, radix: 8))") }
            }
            try wrappedBackend.read(body)
        }
    }

    /// While a large blob is written, its file is one that the next run writes over, if this one ends, and that nobody reads who may not read the store.
    @Test(arguments: Engine.persistent) func aBlobThatIsBeingWritten(engine: Engine) throws {
        let (folder, seen) = (try TemporaryDirectory(), Looking.Seen())
        let base = try StoreFixture(engine) { try ObjectStore(Looking($0, at: folder.file("mirror/$blobs"), seen), durability: .relaxed, models: Song.self) }
        defer { withExtendedLifetime(base) {} }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: base.store.path)
        let film = Data((0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 / 251) })
        try base.store.setBlob(film, named: "film")
        let mirror = try StoreMirror(base.store, at: URL(filePath: folder.file("mirror")))
        #expect(try mirror.synchronize().written == ["$blobs/film"])
        #expect(seen.files.withLock { $0 } == ["\(DirectoryFiles.writingName) 600"])
        #expect(try Data(contentsOf: URL(filePath: folder.file("mirror/$blobs/film"))) == film)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("mirror/$blobs")) == ["film"])
    }

    /// What a blob's file had is remembered, so that no run reads it again.
    @Test(arguments: Engine.allCases) func blobsAreReadOnce(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.setBlob(Data([1]), named: "b")
        try fixture.mirror.synchronize()
        let first = try #require(try Ledger.read(in: fixture.mirror.directory, of: fixture.store.identity).blobs["b"])
        #expect(first.stamp.size == -1, "just written, it may change without another time")
        let settled = Date().addingTimeInterval(-10)
        try FileManager.default.setAttributes([.modificationDate: settled], ofItemAtPath: fixture.url("$blobs/b").path)
        #expect(try fixture.mirror.synchronize().isUnchanged)
        let second = try #require(try Ledger.read(in: fixture.mirror.directory, of: fixture.store.identity).blobs["b"])
        #expect(second.stamp == FileStamp(fixture.url("$blobs/b").path) && second.hash == first.hash)
    }
}
