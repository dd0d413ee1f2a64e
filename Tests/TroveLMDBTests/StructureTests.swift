import Foundation
import Testing
import TroveBackendKit
import TroveLMDB
import TroveStorage

@Suite struct StructureTests {
    /// Of a large file the pages of entries are not looked at when it is opened; before `verify` reads them, they have to be.
    @Test func pagesThatOpeningPassesOverAreChecked() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<2_000)
        try backend.checkStructure()
        try backend.close()

        var contents = [UInt8](try store.contents)
        // Leaves of many entries: flags 2 at offset 10 of a page, and at 12 where the entries' places end. Where its free space ends is made to lie outside.
        let leaves = stride(from: 4_096 * 2, to: contents.count, by: 4_096).filter { contents[$0 + 10] == 2 && contents[$0 + 12] > 40 }
        #expect(leaves.count > 10)
        for leaf in leaves { contents[leaf + 15] = 0xFF }
        try store.replaceContents(Data(contents))
        let damaged = try store.open { $0.pageCheck = .branchPages }
        #expect {
            try damaged.checkStructure()
        } throws: { error in
            if case StorageError.corrupt = error { true } else { false }
        }
        try damaged.close()
        #expect(throws: StorageError.self) { try store.open { $0.pageCheck = .everyPage } }
    }

    /// The file that is damaged is the store's, not the backup that is given up.
    @Test func aBackupOfADamagedStoreNamesTheStore() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<200)
        try backend.close()

        // Two entries of a leaf change places, which a copy takes along.
        var contents = [UInt8](try store.contents)
        let leaves = stride(from: 4_096 * 2, to: contents.count, by: 4_096).filter { contents[$0 + 10] == 2 && contents[$0 + 12] > 40 }
        #expect(!leaves.isEmpty)
        for leaf in leaves {
            contents.swapAt(leaf + 16, leaf + 18)
            contents.swapAt(leaf + 17, leaf + 19)
        }
        try store.replaceContents(Data(contents))
        let damaged = try store.open { $0.pageCheck = .branchPages }
        let copy = store.directory + "/copy.lmdb"
        #expect {
            try damaged.backUp(to: copy)
        } throws: { error in
            if case StorageError.corrupt(let details) = error { details.path == damaged.path } else { false }
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
        try damaged.close()
    }

    /// A keyspace whose name leads to a slot without entries, or to that of another one, would seem to have lost its own.
    @Test(arguments: [0, 2]) func aNameThatLeadsToAnotherSlotIsDamage(slot: UInt8) throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        for name in ["first", "second", "third"] { try backend.fill(0..<3, in: name) }
        try backend.write(.durable) { writer in try writer.dropKeyspace(#require(try writer.keyspace(named: "third"))) }
        #expect(try backend.numbers(in: "second")?.count == 3)
        try backend.close()

        // An entry of the catalogue is the name, then the slot. There are pages of earlier states too.
        var contents = try store.contents
        let entry = Data("second".utf8) + Data([1, 0, 0, 0])
        var count = 0
        while let found = contents.range(of: entry) {
            contents[found.upperBound - 4] = slot
            count += 1
        }
        #expect(count > 0)
        try store.replaceContents(contents)
        for check in [LMDBBackend.PageCheck.automatic, .branchPages] {
            #expect {
                try store.open { $0.pageCheck = check }
            } throws: { error in
                if case StorageError.corrupt = error { true } else { false }
            }
        }
    }

    /// Writers may go on meanwhile: the check is of one committed state.
    @Test func aStoreThatIsWrittenToIsSound() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        for round in 0..<20 {
            try backend.fill(round * 100..<round * 100 + 300)
            try backend.read { _ in try backend.checkStructure() } as Void
        }
        try backend.close()
    }
}

/// What a store says of itself that was closed: that its pages were checked.
@Suite struct CheckedMarkTests {
    /// A page of entries whose free space ends outside, which reading does not look at.
    private func damage(_ store: TemporaryStore) throws {
        var contents = [UInt8](try store.contents)
        let found = stride(from: 4_096 * 2, to: contents.count, by: 4_096).first { contents[$0 + 10] == 2 && contents[$0 + 12] > 40 }
        contents[try #require(found) + 15] = 0xFF
        try store.replaceContents(Data(contents))
    }

    /// Large enough for a mark.
    private func filled() throws -> TemporaryStore {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<2_000)
        try backend.write(.buffered) { writer in try writer.put([0], [UInt8](repeating: 0, count: 9 << 20), in: writer.createKeyspace(named: "large")) }
        try backend.close()
        return store
    }

    /// Closes the store, which leaves a mark.
    private func mark(_ store: TemporaryStore, _ change: (inout LMDBBackend.Options) -> Void = { _ in }) throws {
        try store.open(change).close()
    }

    @Test func aStoreThatWasClosedIsNotCheckedAgain() throws {
        let store = try filled()
        try mark(store)
        // The damage comes with a mark that says that there is none, so that only who does not look opens it.
        try damage(store)
        #expect(throws: StorageError.self) { try store.open() }
        try mark(store) { $0.pageCheck = .branchPages }
        let trusted = try store.open { $0.pageCheck = .branchPages }
        #expect(throws: StorageError.self) { try trusted.checkStructure() }
        try trusted.close()
        // A mark of the pages that lead to entries is none of all pages.
        #expect(throws: StorageError.self) { try store.open() }
        let descriptor = open(store.path, O_RDONLY)
        defer { close(descriptor) }
        CheckedMark.leave(for: descriptor, at: store.path, state: try state(of: store), extent: .everyPage)
        let believed = try store.open()
        #expect(try believed.numbers()?.count == 2_000)
        try believed.close()
        #expect(throws: StorageError.self) { try store.open { $0.pageCheck = .everyPage } }
    }

    /// The number of the newest state, from the two pages that have them.
    private func state(of store: TemporaryStore) throws -> UInt64 {
        try store.contents.withUnsafeBytes { bytes in
            max(bytes.loadUnaligned(fromByteOffset: 144, as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 4_096 + 144, as: UInt64.self))
        }
    }

    @Test func whoWritesAndIsKilledLeavesNoMark() throws {
        let store = try filled()
        try mark(store)
        let backend = try store.open()
        try backend.fill(2_000..<2_100, .durable)
        // Not closed: the file is as a killed process leaves it.
        let copy = try TemporaryStore()
        try copy.replaceContents(try store.contents)
        try damage(copy)
        #expect(throws: StorageError.self) { try copy.open() }
        let descriptor = open(store.path, O_RDONLY)
        defer { close(descriptor) }
        #expect(CheckedMark.extent(of: descriptor, at: store.path, state: try state(of: store)) == nil)
        try backend.close()
        #expect(CheckedMark.extent(of: descriptor, at: store.path, state: try state(of: store)) == .everyPage)
    }

    @Test func destroyingTakesTheMarkAlong() throws {
        let store = try filled()
        try mark(store)
        #expect(FileManager.default.fileExists(atPath: store.path + CheckedMark.ending))
        try LMDBBackend.destroy(at: store.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).isEmpty)
    }
}
