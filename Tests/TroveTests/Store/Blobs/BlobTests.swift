import Foundation
import TestSupport
import Testing

@testable import Trove

/// Blobs of any size: whole, in parts, replaced and removed.
@Suite struct BlobTests {
    @Test(arguments: Engine.allCases) func everySize(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        var generator = SeededGenerator(seed: 5)
        for size in BlobFixture.sizes {
            let data = BlobFixture.bytes(size)
            try fixture.store.setBlob(data, named: "of \(size)")
            let other = try fixture.store.setBlob(from: BlobFixture.pieces(data, [1_000, 70_000, 3]), named: "in pieces")
            let info = try #require(try fixture.store.blobInfo(named: "of \(size)"))
            #expect(info.size == size && info.sha256 == other.sha256 && other.size == size)
            for name in ["of \(size)", "in pieces"] {
                #expect(try fixture.store.blob(named: name) == data)
                for _ in 0..<12 {
                    let bounds = [Int.random(in: 0...size + 3, using: &generator), Int.random(in: 0...size + 3, using: &generator)].sorted()
                    let part = (bounds[0]..<bounds[1]).clamped(to: 0..<size)
                    #expect(try fixture.store.blob(named: name, in: bounds[0]..<bounds[1]) == data[part], "\(bounds) of \(size)")
                }
                #expect(try fixture.store.blob(named: name, in: 0..<Int.max) == data)
                #expect(try fixture.store.blob(named: name, in: Int.max - 1..<Int.max) == Data())
            }
        }
        #expect(try fixture.store.blob(named: "none", in: 0..<5) == nil)
        #expect(try fixture.store.blobInfo(named: "none") == nil)
        #expect(try fixture.store.blobInfo(named: "") == nil)
        try fixture.reopenStore()
        #expect(try fixture.store.blobNames() == (["in pieces"] + BlobFixture.sizes.map { "of \($0)" }).sorted())
        let report = try fixture.store.verify()
        #expect(report.isSound && report.blobs == BlobFixture.sizes.count + 1 && report.records == 0, "\(report)")
    }

    /// Random changes against a dictionary, with transactions that are undone; nothing is left of what was replaced.
    @Test(arguments: Engine.allCases) func randomChanges(engine: Engine) throws {
        struct Undone: Error {}
        let fixture = try BlobFixture.open(engine)
        var generator = SeededGenerator(seed: 11)
        var expected: [String: Data] = [:]
        for step in 0..<TestShare.rounds(120) {
            var changed = expected
            do {
                try fixture.store.write { transaction in
                    changed = expected
                    for _ in 0..<Int.random(in: 1...3, using: &generator) {
                        let name = "blob \(Int.random(in: 0..<4, using: &generator))"
                        if Int.random(in: 0..<4, using: &generator) == 0 {
                            #expect(try transaction.deleteBlob(named: name) == (changed.removeValue(forKey: name) != nil))
                        } else {
                            let data = BlobFixture.bytes(BlobFixture.sizes.randomElement(using: &generator) ?? 0, seed: UInt64(step))
                            try transaction.setBlob(data, named: name)
                            changed[name] = data
                        }
                    }
                    if Int.random(in: 0..<5, using: &generator) == 0 { throw Undone() }
                }
                expected = changed
            } catch is Undone {}
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let data = BlobFixture.bytes(BlobFixture.sizes.randomElement(using: &generator) ?? 0, seed: UInt64(step + 1_000))
                try fixture.store.setBlob(from: BlobFixture.pieces(data, [40_000]), named: "blob 1")
                expected["blob 1"] = data
            }
            #expect(try fixture.store.blobNames() == expected.keys.sorted())
            for (name, data) in expected { #expect(try fixture.store.blob(named: name) == data, "step \(step)") }
        }
        let chunked = expected.values.filter { $0.count > BlobFixture.chunk }
        let chunks = chunked.reduce(0) { $0 + ($1.count + BlobFixture.chunk - 1) / BlobFixture.chunk }
        #expect(try fixture.store.blobEntries() == [expected.count - chunked.count, chunked.count, chunks, 0])
        for name in expected.keys { try fixture.store.deleteBlob(named: name) }
        #expect(try fixture.store.blobEntries() == [0, 0, 0, 0])
    }

    @Test(arguments: Engine.allCases) func namesAreRefusedBeforeAnythingIsStored(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        for name in ["", String(repeating: "x", count: 512)] {
            for size in [3, BlobFixture.chunk * 3, BlobUpload.batchSize + 5] {
                let data = BlobFixture.bytes(size)
                #expect(throws: StorageError.self) { try fixture.store.setBlob(data, named: name) }
                #expect(throws: StorageError.self) { try fixture.store.setBlob(from: [data], named: name) }
            }
        }
        #expect(try fixture.store.blobEntries() == [0, 0, 0, 0])
    }

    /// Copies and backups have what lies in chunks.
    @Test(arguments: Engine.allCases) func copies(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let data = BlobFixture.bytes(5 * BlobFixture.chunk + 1)
        try fixture.store.setBlob(data, named: "large")
        let directory = try TemporaryDirectory()
        for target in Engine.allCases {
            let backend = try target.open(directory.file(target.rawValue))
            try fixture.store.copy(to: backend)
            let copy = try ObjectStore(backend)
            #expect(try copy.blob(named: "large") == data && copy.verify().isSound)
            try copy.close()
        }
    }

    @Test(arguments: Engine.allCases) func files(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let (source, target) = (fixture.directory.file("source"), fixture.directory.file("target"))
        let data = BlobFixture.bytes(BlobUpload.batchSize + 2_000_003)
        try data.write(to: URL(filePath: source))
        let info = try fixture.store.setBlob(contentsOf: source, named: "film")
        #expect(try Tool.run("sha256sum", [source]).output.prefix(64) == info.sha256Text)
        try fixture.store.saveBlob(named: "film", to: target)
        #expect(try Tool.run("cmp", [source, target]).status == 0)
        // A link that leads nowhere is there as a file is.
        let link = fixture.directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
        for path in [target, link] {
            #expect { try fixture.store.saveBlob(named: "film", to: path) } throws: { ($0 as? StorageError)?.name == "destinationExists" }
            #expect { try fixture.store.exportJSON(to: path) } throws: { ($0 as? StorageError)?.name == "destinationExists" }
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.directory.file("nowhere")))
        let folder = fixture.directory.file("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for (path, name, words) in [
            (source + "s", "notAFile", "there is no such file"), (folder, "notAFile", "it is a directory; name a file"), (source + "/in", "noSuchDirectory", "a file is in its path"),
        ] {
            #expect { try fixture.store.setBlob(contentsOf: path, named: "film") } throws: { error in
                (error as? StorageError)?.name == name && "\(error)".hasPrefix("'\(path)': \(words)") && !"\(error)".contains("NSCocoa")
            }
        }
        #expect { try fixture.store.importJSON(from: source + "s") } throws: { ($0 as? StorageError)?.name == "notAFile" }
        #expect { try fixture.store.exportJSON(to: folder + "/none/x") } throws: { "\($0)".hasPrefix("'\(folder)/none/x': its directory does not exist") }
        #expect { try fixture.store.saveBlob(named: "none", to: target + "s") } throws: { "\($0)".contains("there is no blob 'none'") }
        #expect(!FileManager.default.fileExists(atPath: target + "s"))
        #expect(try fixture.store.blob(named: "film") == data)
    }
}
