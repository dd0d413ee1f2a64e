import EngineSupport
import Foundation
import Testing
import TroveStorage
import TroveTokyoCabinet

@Suite("Tokyo Cabinet: maintenance")
struct MaintenanceTests {
    @Test("A backup opens as a store, also one made inside a read; an existing file is left alone")
    func backup() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("s", .buffered, numbered(3_000))
        try store.backUp(to: files.path("copy.tcb"))
        try store.read { reader in try store.backUp(to: files.path("inside.tcb")) }
        try store.fill("s", .buffered, numbered(4_000))
        for name in ["copy.tcb", "inside.tcb"] {
            let copy = try TokyoCabinetBackend(path: files.path(name))
            #expect(try copy.entries()?.count == 3_000)
            try copy.fill("s", .durable, numbered(3_500))
            #expect(try copy.entries()?.count == 3_500)
            try copy.close()
        }
        let error = #expect(throws: StorageError.self) { try store.backUp(to: files.path("copy.tcb")) }
        #expect(error?.name == "destinationExists")
        #expect(throws: StorageError.self) { try store.backUp(to: files.path("absent/copy.tcb")) }
    }

    @Test("A backup does not give up the file's lock")
    func backupKeepsLock() throws {
        guard Tool.isInstalled("tcbmgr") else { return }
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("s", .buffered, numbered(10))
        try store.backUp(to: files.path("copy.tcb"))
        #expect(try Tool.run("tcbmgr", ["put", "-nb", files.path, "x", "y"]).status != 0)
        try store.compact()
        #expect(try Tool.run("tcbmgr", ["put", "-nb", files.path, "x", "y"]).status != 0)
    }

    @Test("Compaction gives space back and keeps every keyspace")
    func compaction() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        let other = try files.open()
        try store.fill("a", .buffered, numbered(20_000, value: [UInt8](repeating: 1, count: 100)))
        try store.fill("b", .buffered, numbered(100))
        try store.write(.buffered) { writer in
            if let keyspace = try writer.keyspace(named: "a") { try writer.deleteRange(KeyRange(from: [1]), in: keyspace) }
        }
        let before = try store.statistics().fileSize
        try store.compact()
        #expect(try store.statistics().fileSize < before / 2)
        #expect(try store.entries("a")?.count == 256)
        try other.fill("b", .buffered, numbered(200))
        #expect(try store.entries("b")?.count == 200)
        try store.close()
        try other.close()
        let again = try files.open()
        #expect(try again.entries("b")?.count == 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.directory).sorted() == ["store.tcb"])
    }

    /// Get finds every entry by the tree of pages; compaction walks along the leaves.
    @Test("Compaction of a file whose chain of leaves is broken leaves that file in its place", arguments: [0, 1] as [UInt8])
    func brokenChain(next: UInt8) throws {
        let files = try TemporaryStore()
        let options = TokyoCabinetBackend.Options(leafMembers: 8, bucketCount: 61, checkedFileSize: 0)
        let store = try files.open(options)
        let entries = numbered(100)
        try store.fill("s", .buffered, entries)
        try store.close()
        var bytes = try files.bytes()
        // The leaf of the name "2" lies between 1 and 3.
        let links = bytes.indices.dropLast(2).filter { bytes[$0...].starts(with: [UInt8(ascii: "2"), 1, 3]) }
        try #require(!links.isEmpty)
        for link in links { bytes[link + 2] = next }
        try files.write(bytes)
        let damaged = try files.open(options)
        let error = #expect(throws: StorageError.self) { try damaged.compact() }
        #expect(error?.name == "corrupt")
        try damaged.read { reader in
            let keyspace = try #require(try reader.keyspace(named: "s"))
            // Backwards, since the library looks into the last key's leaf first, and takes one without a next for the one of all keys above.
            for entry in entries.reversed() { #expect(try reader.get(entry.key, in: keyspace) { _ in }) }
        }
        try damaged.close()
    }

    @Test("Statistics count readers, entries and pages")
    func statistics() throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 4))
        try store.fill("s", .buffered, numbered(100))
        let idle = try store.statistics()
        #expect(idle.activeReaders == 0 && idle.oldestReaderAge == nil)
        #expect(idle.keyspaceCount == 1 && idle.engineFigures["entries"] == 100)
        #expect(idle.engineFigures["pages"] ?? 0 > 25)
        try store.read { _ in
            let busy = try store.statistics()
            #expect(busy.activeReaders == 1 && busy.oldestReaderAge != nil)
        }
        try store.write(.buffered) { writer in
            _ = try writer.createKeyspace(named: "t")
            #expect(try store.statistics().activeReaders == 0)
        }
    }

    @Test("A full disk is a typed error, and the store stays as it was and goes on")
    func fullDisk() throws {
        let files = try TemporaryStore()
        let mount = files.path("small")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
        // Only where the test may mount a small file system.
        guard Tool.isInstalled("mount"),
            try Tool.run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", mount]).status == 0
        else { return }
        defer { unmount(mount) }
        let path = mount + "/store.tcb"
        let options = TokyoCabinetBackend.Options(leafMembers: 16, bucketCount: 1_021)
        let store = try TokyoCabinetBackend(path: path, options: options)
        try store.fill("s", .durable, numbered(500, value: [UInt8](repeating: 1, count: 300)))
        let expected = try #require(try store.entries())
        // Some transactions find no room for new pages, others none for the log of the pages they replace.
        for round in 1...40 {
            let needsPages = round % 2 == 0
            if !needsPages { try occupy(mount, leaving: 20_000 + round * 2_000) }
            let entries = numbered(500, value: [UInt8](repeating: 2, count: needsPages ? 4_000 + round * 20 : 300))
            let error = #expect(throws: StorageError.self, "round \(round)") {
                try store.fill("s", round % 3 == 0 ? .durable : .buffered, entries)
            }
            #expect(error?.name == "diskFull")
            #expect(try store.entries() == expected, "round \(round)")
            if !needsPages { try FileManager.default.removeItem(atPath: mount + "/rest") }
            // A small change goes through all the same.
            try store.fill("s", .buffered, [(key: [0, 1], value: expected[[0, 1]] ?? [])])
        }
        try occupy(mount, leaving: 50_000)
        let error = #expect(throws: StorageError.self) { try store.backUp(to: mount + "/copy.tcb") }
        #expect(error?.name == "diskFull")
        #expect(!FileManager.default.fileExists(atPath: mount + "/copy.tcb"))
        try FileManager.default.removeItem(atPath: mount + "/rest")
        try store.fill("s", .durable, [(key: [7, 7, 7], value: [1])])
        try store.close()
        let again = try TokyoCabinetBackend(path: path)
        #expect(try again.entries()?.count == 501)
        try again.close()
    }

    /// Fills the file system at `mount` with a file, but for so many bytes.
    private func occupy(_ mount: String, leaving rest: Int) throws {
        let free = try #require(try FileManager.default.attributesOfFileSystem(forPath: mount)[.systemFreeSize] as? Int)
        let size = max(0, free - rest)
        try #require(FileManager.default.createFile(atPath: mount + "/rest", contents: Data(repeating: 1, count: size)))
    }

    private func unmount(_ path: String) {
        // The directory stays behind when the system will not let go of it.
        do { _ = try Tool.run("umount", [path]) } catch {}
    }
}
