import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct StoreMaintenanceTests {
    private func open(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, models: Song.self, Country.self)
    }

    @Test(arguments: Engine.allCases) func blobs(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        #expect(try fixture.store.blob(named: "none") == nil)
        #expect(try fixture.store.blobNames().isEmpty)
        let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try fixture.store.setBlob(large, named: "large")
        try fixture.store.setBlob(Data(), named: "empty 🎷")
        try fixture.reopenStore()
        #expect(try fixture.store.blob(named: "large") == large)
        #expect(try fixture.store.blob(named: "empty 🎷") == Data())
        #expect(try fixture.store.blobNames() == ["empty 🎷", "large"])
        #expect(try fixture.store.deleteBlob(named: "large"))
        #expect(try !fixture.store.deleteBlob(named: "large"))
        #expect(throws: StorageError.self) { try fixture.store.setBlob(Data(), named: "") }
        #expect(throws: StorageError.self) { try fixture.store.setBlob(Data(), named: String(repeating: "x", count: 512)) }
        #expect(try fixture.store.verify().blobs == 1)
    }

    /// From each engine to each other one, everything arrives as it was.
    @Test(arguments: Engine.allCases, Engine.allCases) func copying(from: Engine, to: Engine) throws {
        let fixture = try StoreFixture(from, open)
        let songs = (0..<500).map(Song.sample)
        try fixture.store.save(songs)
        try fixture.store.save(Country(code: String(repeating: "x", count: 600), name: "long"))
        try fixture.store.setBlob(Data([1, 2, 3]), named: "blob")
        let directory = try TemporaryDirectory()
        let target = try to.open(directory.file("copy"))
        var last: StoreProgress?
        try fixture.store.copy(to: target) { last = $0 }
        #expect(last?.fraction == 1)
        let copy = try open(target)
        #expect(try copy.fetch(Song.self).all() == songs)
        #expect(try copy.blob(named: "blob") == Data([1, 2, 3]))
        #expect(copy.identity == fixture.store.identity)
        #expect(try copy.dump(withHeader: false) == fixture.store.dump(withHeader: false), "byte for byte")
        #expect(try copy.verify().isSound)
        #expect { try fixture.store.copy(to: target) } throws: { error in
            guard case TroveError.destinationNotEmpty = error else { return false }
            return true
        }
        try copy.close()
    }

    /// A copy that broke off does not open as a store, and can be made again.
    @Test(arguments: Engine.allCases) func brokenCopy(engine: Engine) throws {
        struct Interruption: Error {}
        let fixture = try StoreFixture(engine, open)
        try fixture.store.save((0..<100).map(Song.sample))
        let directory = try TemporaryDirectory()
        let target = try engine.open(directory.file("copy"))
        #expect(throws: Interruption.self) { try fixture.store.copy(to: target) { _ in throw Interruption() } }
        #expect { try open(target) } throws: { error in
            guard case TroveError.incompleteCopy = error else { return false }
            return true
        }
        try fixture.store.copy(to: target)
        let copy = try open(target)
        #expect(try copy.dump(withHeader: false) == fixture.store.dump(withHeader: false))
        try copy.close()
    }

    @Test(arguments: Engine.persistent) func backingUpAndCompacting(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let songs = (0..<5_000).map(Song.sample)
        try fixture.store.save(songs)
        let path = fixture.directory.file("backup")
        try fixture.store.backUp(to: path)
        try fixture.store.delete(Song.self, ids: songs[100...].map(\.id))
        let before = try fixture.store.dump()
        try fixture.store.compact()
        #expect(try fixture.store.dump() == before)
        let backup = try open(engine.open(path))
        #expect(try backup.fetch(Song.self).all() == songs)
        #expect(try backup.verify().isSound)
        try backup.close()
        #expect(throws: StorageError.self) { try fixture.store.backUp(to: path) }
        #expect(try fixture.store.statistics().fileSize > 0)
    }

    /// Two stores on one path share the engine; closing one leaves the other open.
    @Test(arguments: Engine.allCases) func openingTwice(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let second = try ObjectStore(engine.open(fixture.directory.file()), models: Country.self)
        let song = Song.sample(1)
        try fixture.store.save(song)
        try second.save(Country(code: "ch", name: "Switzerland"))
        #expect(try fixture.store.fetch(Country.self).count() == 1)
        try second.close()
        #expect(throws: StorageError.self) { try second.fetch(Country.self).count() }
        #expect(try fixture.store.fetch(Song.self).all() == [song])
    }

    @Test(arguments: Engine.allCases) func verifyNamesWhatIsDamaged(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let songs = (0..<50).map(Song.sample)
        try fixture.store.save(songs)
        try fixture.store.setBlob(Data([1, 2, 3]), named: "blob")
        let key = songs[20].id.keyBytes
        var bytes = try #require(try fixture.store.bytes(of: "Song", key: key))
        bytes[bytes.count - 1] ^= 4
        try fixture.store.setBytes(bytes, of: "Song", key: key)
        try fixture.store.setBytes([9, 9, 9, 9, 9, 9, 9, 9, 1], of: "$blobs", key: Array("blob".utf8))
        let report = try fixture.store.verify()
        #expect(report.records == 50 && report.blobs == 1)
        #expect(report.problems.map(\.key) == [Array("blob".utf8), key])
        #expect { try fixture.store.fetch(Song.self).all() } throws: { error in
            guard case TroveError.corruptRecord("Song", _, _) = error else { return false }
            return true
        }
        #expect(try fixture.store.fetch(Song.self, id: songs[21].id) == songs[21], "others can be read")
    }

    /// A file with other data in it is not taken for an empty store.
    @Test(arguments: Engine.allCases) func foreignKeyspaces(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.open(directory.file())
        try backend.write { try $0.put([1], [2], in: $0.createKeyspace(named: "other")) }
        #expect { try open(backend) } throws: { error in
            guard case TroveError.notAStore = error else { return false }
            return true
        }
        #expect(try backend.read { try $0.keyspaceNames() } == ["other"])
        try backend.close()
    }

    @Test(arguments: Engine.allCases) func newerFormatIsRefused(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        try fixture.store.save(Song.sample(1))
        let newer = StoreHeader.currentFormat + 1
        let header = StoreHeader(format: newer, identity: fixture.store.identity)
        try fixture.store.setBytes(try header.encode(), of: "$catalogue", key: Array("store".utf8))
        let before = try fixture.store.dump()
        #expect { try open(fixture.store.core.backend) } throws: { error in
            guard case TroveError.newerFormat(stored: newer, supported: StoreHeader.currentFormat) = error else { return false }
            return true
        }
        #expect(try fixture.store.dump() == before)
    }
}

extension ObjectStore {
    /// Every entry of every keyspace.
    ///
    /// - Parameter withHeader: whether with the store's header, in which a copy is another replica.
    func dump(withHeader: Bool = true) throws -> [String: [[UInt8]]] {
        try core.backend.read { (reader: any StorageReader) -> [String: [[UInt8]]] in
            var dump: [String: [[UInt8]]] = [:]
            for name in try reader.keyspaceNames() {
                guard let keyspace = try reader.keyspace(named: name) else { continue }
                var entries: [[UInt8]] = []
                try reader.scan(in: keyspace) { key, value in
                    if !withHeader, name == Catalogue.keyspaceName, [UInt8](copying: key) == Array(StoreHeader.name.utf8) { return .next }
                    entries.append([UInt8](copying: key))
                    entries.append([UInt8](copying: value))
                    return .next
                }
                dump[name] = entries
            }
            return dump
        }
    }
}
