import Foundation
import TestSupport
import Testing
import Trove
import TroveCrypto

/// Encrypted stores that earlier versions have written are opened with their key, verified, read and written to.
@Suite struct GoldenSealedStoreTests {
    private static let key = StoreKey.raw((0..<32).map { UInt8($0) })

    /// The folder of the format of sealed values, nodes, roots and records of keys.
    private static func file(_ engine: Engine) -> URL {
        GoldenStores.folder.appendingPathComponent("sealed-1/" + engine.fileName)
    }

    /// Writes a store where there is none, when `TROVE_GOLDEN=1` asks for it.
    private static func makeMissing(_ engine: Engine) throws {
        let file = file(engine)
        guard ProcessInfo.processInfo.environment["TROVE_GOLDEN"] != nil, !FileManager.default.fileExists(atPath: file.path) else { return }
        let directory = try TemporaryDirectory()
        try GoldenContents.writeAll { try EncryptedBackend(GoldenStores.openSmall(engine, directory.file()), key: key) }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: directory.file(), toPath: file.path)
    }

    @Test(arguments: Engine.persistent) func itOpensAndIsWrittenTo(engine: Engine) throws {
        try Self.makeMissing(engine)
        let directory = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: Self.file(engine).path, toPath: directory.file())
        func open(_ key: StoreKey = Self.key) throws -> EncryptedBackend { try EncryptedBackend(engine.open(directory.file()), key: key) }
        func store(_ backend: EncryptedBackend) throws -> ObjectStore {
            try ObjectStore(backend, models: GoldenThing.self, GoldenTrack2.self, GoldenAlbum.self, GoldenPress2.self)
        }
        do {
            try open().close()
        } catch StorageError.notAStore(let details) where engine == .tokyoCabinet && details.message.contains("byte order") {
            print("Tokyo Cabinet, sealed: not tried, since \(details.message)")
            return
        }
        let next = StoreKey.raw([UInt8](repeating: 8, count: 32))
        #expect { try open(next) } throws: { ($0 as? SealedStoreError)?.name == "wrongKey" }

        let backend = try open()
        #expect(try backend.sealingStatus().dataKeys.map(\.number) == [1] && backend.sealingStatus().rootKeyCount == 1)
        let golden = try store(backend)
        #expect(try golden.verify().isSound)
        #expect(try golden.fetch(GoldenThing.self).all() == GoldenContents.things())
        #expect(try golden.fetch(GoldenTrack2.self).all().map(\.title) == ["So What", "Freddie Freeloader", "All Blues"])
        #expect(try golden.fetch(GoldenAlbum.self).search("runs").map(\.object.title) == ["Running Water"])
        #expect(try golden.blob(named: "cover") == Data((0...255).map { UInt8($0) }))

        let new = GoldenTrack2(id: 4, title: "Flamenco Sketches", duration: 566, artist: "Miles Davis", year: 1959)
        try golden.save(new)
        try backend.rotateDataKey()
        try backend.changeKey(to: next)
        try golden.close()
        let again = try store(open(next))
        #expect(try again.verify().isSound)
        #expect(try again.fetch(GoldenTrack2.self, id: 4) == new)
        try again.close()
    }
}
