import Foundation
import Testing
import TroveBackendKit
import TroveStorage
import TroveTokyoCabinet

@Suite("Tokyo Cabinet: structure") struct StructureTests {
    /// A large file is not walked through when it is opened; before `verify` reads its pages, it has to be.
    @Test func pagesThatOpeningPassesOverAreChecked() throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 8, bucketCount: 61))
        try store.fill("s", .buffered, numbered(2_000))
        try store.checkStructure()
        try store.close()
        var bytes = try files.bytes()
        for index in bytes.count / 2..<bytes.count / 2 + 300 { bytes[index] = 0x55 }
        try files.write(bytes)
        let damaged = try files.open(.init(checkedFileSize: 0))
        let error = #expect(throws: StorageError.self) { try damaged.checkStructure() }
        #expect(error?.suspectsCorruption == true)
        try damaged.close()
        #expect(throws: StorageError.self) { try files.open() }
    }

    /// Changes what the directory has for the keyspace "second", of number 2 and with 3 entries, between two that have numbers 1 and 3.
    private func damageDirectory(_ change: (inout [UInt8], _ value: Int) -> Void) throws -> TemporaryStore {
        let files = try TemporaryStore()
        let store = try files.open()
        for name in ["first", "second", "third"] { try store.fill(name, .buffered, numbered(3)) }
        try store.write(.durable) { writer in try writer.dropKeyspace(#require(try writer.keyspace(named: "third"))) }
        try store.close()
        var bytes = try files.bytes()
        let entry: [UInt8] = [0, 0, 0, 0] + Array("second".utf8) + [0, 0, 0, 2]
        let found = bytes.withUnsafeBytes { bytes in
            (0...bytes.count - entry.count).filter { bytes[$0 + 4] == entry[4] && bytes[$0..<$0 + entry.count].elementsEqual(entry) }
        }
        #expect(!found.isEmpty)
        for place in found { change(&bytes, place + entry.count - 4) }
        try files.write(bytes)
        return files
    }

    /// A keyspace under a number that has no entries would seem to have lost its own.
    @Test func aNumberOfAnotherKeyspaceIsDamage() throws {
        let files = try damageDirectory { bytes, value in bytes[value + 3] = 3 }
        let error = #expect(throws: StorageError.self) { try files.open() }
        #expect(error?.suspectsCorruption == true)
        let unchecked = try files.open(.init(checkedFileSize: 0))
        #expect(throws: StorageError.self) { try unchecked.checkStructure() }
        try unchecked.close()
    }

    /// Opening counts again what it walks through; in a larger file the check finds that the count is wrong.
    @Test func aWrongCountIsDamage() throws {
        let files = try damageDirectory { bytes, value in bytes[value + 11] = 7 }
        let unchecked = try files.open(.init(checkedFileSize: 0))
        #expect(throws: StorageError.self) { try unchecked.checkStructure() }
        try unchecked.close()
        let store = try files.open()
        try store.checkStructure()
        let count = try store.read { reader in try reader.count(in: #require(try reader.keyspace(named: "second"))) }
        #expect(count == 3)
        try store.close()
    }

    /// The pages of what was committed are in the file, also while it is open and written to.
    @Test func anOpenStoreIsSound() throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 8, bucketCount: 61))
        for part in 0..<10 {
            try store.fill("s\(part % 3)", part.isMultiple(of: 2) ? .durable : .relaxed, numbered(300 + 20 * part))
            try store.read { _ in try store.checkStructure() } as Void
        }
        try store.close()
    }
}

/// What a store says of itself that was closed: that its pages were checked.
@Suite("Tokyo Cabinet: marks of checked pages") struct CheckedMarkTests {
    private static let count = 60_000

    /// Large enough for a mark.
    private func filled() throws -> TemporaryStore {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 8, bucketCount: 6_101))
        try store.fill("s", .buffered, numbered(Self.count, value: [UInt8](repeating: 1, count: 150)))
        try store.close()
        return files
    }

    /// How much was checked, by the mark beside the file.
    private func extent(_ files: TemporaryStore) -> CheckedMark.Extent? {
        let descriptor = open(files.path, O_RDONLY)
        defer { close(descriptor) }
        return CheckedMark.extent(of: descriptor, at: files.path, state: 0)
    }

    @Test func aStoreThatWasClosedIsNotCheckedAgain() throws {
        let files = try filled()
        var bytes = try files.bytes()
        for index in bytes.count / 2..<bytes.count / 2 + 300 { bytes[index] = 0x55 }
        try files.write(bytes)
        #expect(throws: StorageError.self) { try files.open() }
        #expect(extent(files) == nil)
        let descriptor = open(files.path, O_RDONLY)
        defer { close(descriptor) }
        // A mark that is wrong: who believes it does not look.
        CheckedMark.leave(for: descriptor, at: files.path, state: 0, extent: .everyPage)
        let believed = try files.open()
        #expect(throws: StorageError.self) { try believed.checkStructure() }
        try believed.close()
    }

    /// Opening writes to the file, so each clean close leaves a mark of its own, and what is written after it counts.
    @Test func aMarkIsOfTheLastClose() throws {
        let files = try filled()
        #expect(extent(files) == .everyPage)
        #expect(try files.open().entries()?.count == Self.count)
        let store = try files.open()
        #expect(extent(files) == nil)
        try store.fill("s", .durable, numbered(10))
        try store.close()
        var bytes = try files.bytes()
        bytes[bytes.count / 2] ^= 0xFF
        try files.write(bytes)
        #expect(extent(files) == nil)
    }

    @Test func destroyingTakesTheMarkAlong() throws {
        let files = try filled()
        #expect(extent(files) == .everyPage)
        try TokyoCabinetBackend.destroy(at: files.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.directory).isEmpty)
    }
}
