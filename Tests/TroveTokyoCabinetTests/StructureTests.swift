import Foundation
import Testing
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
