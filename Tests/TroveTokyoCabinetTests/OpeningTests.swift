import EngineSupport
import Foundation
import Testing
import TroveStorage
import TroveTokyoCabinet

@Suite("Tokyo Cabinet: opening")
struct OpeningTests {
    @Test("A file of something else is refused and left as it is")
    func foreignFiles() throws {
        let files = try TemporaryStore()
        let others: [[UInt8]] = [
            Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4_080),
            Array("hello".utf8),
            Array("ToKyO CaBiNeT\n1.0:911\n".utf8) + [UInt8](repeating: 0, count: 300),
        ]
        for bytes in others {
            try files.write(bytes)
            let error = #expect(throws: StorageError.self) { try files.open() }
            #expect(error?.name == "notAStore")
            #expect(error?.details.path.hasSuffix("store.tcb") == true)
            #expect(try files.bytes() == bytes)
        }
    }

    @Test("An empty file becomes a store")
    func emptyFile() throws {
        let files = try TemporaryStore()
        try files.write([])
        let store = try files.open()
        try store.fill("s", .durable, numbered(3))
        try store.close()
        #expect(try files.open().entries()?.count == 3)
    }

    @Test("Files of processes that ended while they made the store are removed, and no others", arguments: [true, false])
    func abandonedFiles(isMade: Bool) throws {
        let files = try TemporaryStore()
        if isMade { try files.open().close() }
        let kept = [".trove-new-", ".trove-new-5.txt", ".trove-newer-5", "2.trove-new-5", ".trove-new-7-x", ".trove-new-feed", ".trove-new--2", ".trove-new-1-2-3", ".trove-new-1-"].map { "store.tcb" + $0 }
        for name in kept + ["store.tcb.trove-new-1", "store.tcb.trove-new-99-fe", "store.tcb.trove-new-6"] { try files.write([1, 2, 3], to: name) }
        try FileManager.default.createDirectory(atPath: files.path("store.tcb.trove-new-3"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: files.path("store.tcb.trove-new-4"), withDestinationPath: files.path(kept[0]))
        // A second name of the store, of a process that ended before it took that away.
        if isMade { #expect(link(files.path, files.path("store.tcb.trove-new-12-a")) == 0) }
        // Somebody is at this one.
        let held = open(files.path("store.tcb.trove-new-6"), O_RDWR | O_CLOEXEC)
        #expect(held >= 0 && flock(held, LOCK_EX | LOCK_NB) == 0)
        let others = kept + ["store.tcb.trove-new-3", "store.tcb.trove-new-4"]
        func expectBeside(_ names: [String], _ location: SourceLocation = #_sourceLocation) throws {
            let found = try FileManager.default.contentsOfDirectory(atPath: files.directory).filter { $0.contains("trove-new") }
            #expect(Set(found) == Set(names), sourceLocation: location)
        }
        if isMade {
            try files.open(.init(isReadOnly: true)).close()
            try expectBeside(others + ["store.tcb.trove-new-1", "store.tcb.trove-new-99-fe", "store.tcb.trove-new-6", "store.tcb.trove-new-12-a"])
        }
        try files.open().close()
        try expectBeside(others + ["store.tcb.trove-new-6"])
        close(held)
        try files.open().close()
        try expectBeside(others)
    }

    @Test("A newer format is refused by name")
    func newerFormat() throws {
        let files = try TemporaryStore()
        try files.open().close()
        var bytes = try files.bytes()
        bytes[11] = bytes[11]
        bytes[192 + 11] = 9
        try files.write(bytes)
        let error = #expect(throws: StorageError.self) { try files.open() }
        #expect(error?.name == "newerFormat")
        #expect(try files.bytes() == bytes)
    }

    @Test("A file of a library with the other byte order is refused by a message that says so")
    func otherByteOrder() throws {
        let files = try TemporaryStore()
        try files.open(.init(leafMembers: 8)).close()
        var bytes = try files.bytes()
        // All numbers of the header: sizes and offsets, then the tree's.
        for offset in [40, 48, 56, 64] + Array(stride(from: 144, to: 192, by: 8)) { bytes[offset..<offset + 8].reverse() }
        for offset in [136, 140] { bytes[offset..<offset + 4].reverse() }
        try files.write(bytes)
        let error = #expect(throws: StorageError.self) { try files.open(.init(checkedFileSize: 0)) }
        #expect(error?.name == "notAStore")
        #expect(error?.details.message.contains("byte order") == true)
    }

    @Test("A damaged or cut-off file is corrupt, by a typed error", arguments: [36, 40, 44, 48, 60, 66, 128, 136, 150, 160, 190])
    func damagedHeader(offset: Int) throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 8))
        try store.fill("s", .buffered, numbered(500))
        try store.close()
        var bytes = try files.bytes()
        bytes[offset] ^= 0x55
        try files.write(bytes)
        let error = #expect(throws: StorageError.self) { try files.open() }
        #expect(error?.suspectsCorruption == true)
        #expect(try files.bytes() == bytes)
    }

    @Test("A cut-off file is corrupt")
    func truncated() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("s", .buffered, numbered(5_000))
        try store.close()
        let bytes = try files.bytes()
        for size in [100, 300, bytes.count / 2, bytes.count - 1] {
            try files.write(Array(bytes[..<size]))
            let error = #expect(throws: StorageError.self) { try files.open() }
            #expect(error?.name == "corrupt", "cut to \(size) bytes")
        }
        try files.write(bytes)
        #expect(try files.open().entries()?.count == 5_000)
    }

    @Test("No damaged page reaches the library: the store opens whole or is corrupt", arguments: 0..<12)
    func damagedPages(seed: Int) throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 8, bucketCount: 61))
        for part in 0..<6 { try store.fill("s\(part % 3)", .buffered, numbered(200, value: [UInt8](repeating: 1, count: part * 40))) }
        try store.write(.buffered) { writer in
            if let keyspace = try writer.keyspace(named: "s1") { try writer.deleteRange(KeyRange(from: [0, 9], upTo: [0, 90]), in: keyspace) }
        }
        try store.close()
        let bytes = try files.bytes()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            var damaged = bytes
            let offset = Int.random(in: 256..<bytes.count - 300, using: &generator)
            for index in offset..<offset + [1, 8, 300][seed % 3] { damaged[index] = UInt8.random(in: 0...255, using: &generator) }
            try files.write(damaged)
            do {
                let store = try files.open()
                for part in 0..<3 { #expect(try store.entries("s\(part)") != nil) }
                try store.fill("s1", .buffered, numbered(300))
                try store.close()
            } catch let error as StorageError {
                #expect(error.suspectsCorruption, "\(error) after damage at \(offset)")
            }
        }
    }

    @Test("A second process is refused while the store is open, also after a recovery")
    func otherProcess() throws {
        let files = try TemporaryStore()
        guard Tool.isInstalled("tcbmgr") else { return }
        var store = try files.open()
        try store.fill("s", .buffered, numbered(10))
        #expect(try Tool.run("tcbmgr", ["put", "-nb", files.path, "x", "y"]).status != 0)
        // A copy of the open file is what a killed process leaves.
        let open = try files.bytes()
        try store.close()
        try files.write(open)
        store = try files.open()
        #expect(try store.entries()?.count == 10)
        #expect(try Tool.run("tcbmgr", ["put", "-nb", files.path, "x", "y"]).status != 0)
        #expect(try Tool.run("flock", ["--nonblock", files.path, "true"]).status != 0)
        try store.fill("s", .durable, numbered(20))
        #expect(try Tool.run("tcbmgr", ["put", "-nb", files.path, "x", "y"]).status != 0)
        try store.close()
        let list = try Tool.run("tcbmgr", ["list", files.path])
        #expect(list.status == 0)
        // The directory's entry and the keyspace's.
        #expect(list.output.split(separator: "\n", omittingEmptySubsequences: false).count >= 21)
        #expect(try Tool.run("tcbmgr", ["inform", files.path]).output.contains("large"))
    }

    @Test("A file that other code of the process has open with the library is refused")
    func hardLink() throws {
        let files = try TemporaryStore()
        let first = try files.open()
        try first.fill("s", .buffered, numbered(1))
        #expect(link(files.path, files.path("hard.tcb")) == 0)
        let second = try TokyoCabinetBackend(path: files.path("hard.tcb"))
        try second.fill("s", .buffered, numbered(2))
        #expect(try first.entries()?.count == 2)
        try first.close()
        #expect(try second.entries()?.count == 2)
        #expect(throws: StorageError.self) { try first.entries() }
        try second.close()
    }

    @Test("Options out of range are refused by name")
    func optionsOutOfRange() throws {
        let refused: [(String, TokyoCabinetBackend.Options)] = [
            ("leafCacheSize", .init(leafCacheSize: 0)), ("leafCacheSize", .init(leafCacheSize: .min)), ("leafCacheSize", .init(leafCacheSize: .max)),
            ("nodeCacheSize", .init(nodeCacheSize: -1)), ("nodeCacheSize", .init(nodeCacheSize: .max)),
            ("leafMembers", .init(leafMembers: 3)), ("leafMembers", .init(leafMembers: .max)), ("bucketCount", .init(bucketCount: 0)),
            ("bucketCount", .init(bucketCount: .max)), ("checkedFileSize", .init(checkedFileSize: -1)),
            ("writerTimeout", .init(writerTimeout: .seconds(Int64.min))), ("readerTimeout", .init(readerTimeout: .nanoseconds(-1))),
        ]
        let files = try TemporaryStore()
        for (name, options) in refused {
            let error = #expect(throws: StorageError.self) { try files.open(options).close() }
            #expect(error?.name == "unsupported")
            #expect(error?.details.message.hasPrefix(name + " must be ") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: files.path))
    }

    @Test("Options at the ends of their ranges work")
    func optionsAtTheEnds() throws {
        let ends: [TokyoCabinetBackend.Options] = [
            .init(leafCacheSize: 64, nodeCacheSize: 64, leafMembers: 4, bucketCount: 1, checkedFileSize: 0, writerTimeout: .zero, readerTimeout: .zero),
            .init(leafCacheSize: 1 << 24, nodeCacheSize: 1 << 24), .init(leafMembers: 65_536), .init(checkedFileSize: .max),
            .init(writerTimeout: .seconds(Int64.max), readerTimeout: .seconds(Int64.max)), .init(bucketCount: 1 << 24),
            .init(writerTimeout: Duration(attoseconds: .max), readerTimeout: Duration(attoseconds: .max)),
        ]
        for options in ends {
            let files = try TemporaryStore()
            let store = try files.open(options)
            try store.fill("s", .buffered, [([1], [2])])
            #expect(try store.read { reader in try reader.keyspace(named: "s").flatMap { try reader.value(of: [1], in: $0) } } == [2])
            try store.close()
        }
    }
}
