import Foundation
import Testing
import TroveLMDB
import TroveStorage

@Suite struct CreationTests {
    /// A power loss left half of a new file's first two pages, and nobody had synced its name: found by the crash loop. Since then a
    /// store is made under another name; nothing of that stays, and an empty file keeps its mode.
    @Test func anEmptyFileBecomesAStoreAtOnce() throws {
        let store = try TemporaryStore()
        #expect(FileManager.default.createFile(atPath: store.path, contents: nil, attributes: [.posixPermissions: 0o640]))
        // What a crash has left on the way.
        #expect(FileManager.default.createFile(atPath: store.path + "-new", contents: Data([1, 2, 3])))
        let backend = try store.open()
        try backend.fill(0..<10)
        try backend.close()
        #expect(!FileManager.default.fileExists(atPath: store.path + "-new"))
        let mode = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        let reopened = try store.open()
        #expect(try reopened.numbers() == Array(0..<10))
        try reopened.close()
    }
}
