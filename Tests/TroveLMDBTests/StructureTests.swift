import Foundation
import Testing
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
