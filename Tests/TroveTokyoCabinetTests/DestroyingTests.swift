import Foundation
import Testing
import TroveBackendKit
import TroveStorage

@testable import TroveTokyoCabinet

@Suite("Tokyo Cabinet: destroying")
struct DestroyingTests {
    /// Another process may make a store at the path as soon as the file is gone. The end of the destroyed one wrote and removed that one's log, by its name.
    @Test("The log of a store that took the place stays", arguments: [false, true])
    func logOfAnother(countsAreStale: Bool) throws {
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("s", .durable, numbered(300))
        try store.close()
        let file = try StoreFile(engine: Engine.name, path: files.path)
        let engine = try Engine(file: file, options: .init())
        engine.countsAreStale = countsAreStale
        try file.remove(withEndings: [".wal"])
        try files.write([1, 2, 3], to: "store.tcb")
        try files.write([4, 5, 6], to: "store.tcb.wal")
        try engine.shutDownRemoved()
        #expect(try files.bytes() == [1, 2, 3])
        #expect(try files.bytes("store.tcb.wal") == [4, 5, 6])
    }
}
