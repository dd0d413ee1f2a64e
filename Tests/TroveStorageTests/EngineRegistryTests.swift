import Foundation
import Synchronization
import Testing

@testable import TroveBackendKit
import TroveStorage

struct EngineRegistryTests {
    private final class Engine: Sendable {}
    private struct Refused: Error {}

    @Test func `a file that is open gives the same engine, another file another one`() throws {
        try withFiles(["a", "b"]) { files in
            let registry = EngineRegistry<StoreFile.Identity, Engine>()
            let first = try registry.engine(for: files[0]) { Engine() }
            let again = try registry.engine(for: files[0]) { throw Refused() }
            let other = try registry.engine(for: files[1]) { Engine() }
            #expect(first === again)
            #expect(first !== other)
        }
    }

    @Test func `an engine closes with its last use, and the file can be opened anew`() throws {
        try withFiles(["a"]) { files in
            let registry = EngineRegistry<StoreFile.Identity, Engine>()
            var closed = 0
            let engine = try registry.engine(for: files[0]) { Engine() }
            _ = try registry.engine(for: files[0]) { Engine() }
            try registry.release(engine) { closed += 1 }
            #expect(closed == 0)
            try registry.release(engine) { closed += 1 }
            #expect(closed == 1)
            try registry.release(engine) { closed += 1 }
            #expect(closed == 1)
            let next = try registry.engine(for: files[0]) { Engine() }
            #expect(next !== engine)
        }
    }

    @Test func `an engine whose opening or closing fails can be tried again`() throws {
        try withFiles(["a"]) { files in
            let registry = EngineRegistry<StoreFile.Identity, Engine>()
            #expect(throws: Refused.self) { try registry.engine(for: files[0]) { throw Refused() } }
            let engine = try registry.engine(for: files[0]) { Engine() }
            #expect(throws: Refused.self) { try registry.release(engine) { throw Refused() } }
            #expect(try registry.engine(for: files[0]) { throw Refused() } === engine)
            try registry.release(engine) { throw Refused() }
            var isClosed = false
            try registry.release(engine) { isClosed = true }
            #expect(isClosed)
        }
    }

    /// Nobody else could close it: no backend has it and the registry forgets it.
    @Test func `an engine whose file was removed while it was opened is closed`() throws {
        try withFiles(["a"]) { files in
            let registry = EngineRegistry<StoreFile.Identity, Engine>()
            for closeFails in [false, true] {
                var (opened, closed): (Engine?, [Engine]) = (nil, [])
                let error = #expect(throws: StorageError.self) {
                    try registry.engine(for: files[0]) {
                        let engine = Engine()
                        opened = engine
                        try FileManager.default.removeItem(atPath: files[0].path)
                        return engine
                    } close: {
                        closed.append($0)
                        if closeFails { throw Refused() }
                    }
                }
                #expect(error?.name == "inputOutput")
                #expect(closed.count == 1 && closed.first === opened)
                #expect(FileManager.default.createFile(atPath: files[0].path, contents: nil))
            }
            let next = try registry.engine(for: files[0]) { Engine() } close: { _ in Issue.record("it is in use") }
            #expect(try registry.engine(for: files[0]) { throw Refused() } === next)
        }
    }

    @Test func `an engine follows its file when that is replaced`() throws {
        try withFiles(["a", "new"]) { files in
            let registry = EngineRegistry<StoreFile.Identity, Engine>()
            let engine = try registry.engine(for: files[0]) { Engine() }
            try registry.replaceFile(of: engine, at: files[0]) {
                try FileManager.default.removeItem(atPath: files[0].path)
                try FileManager.default.moveItem(atPath: files[1].path, toPath: files[0].path)
            }
            #expect(try registry.engine(for: files[0]) { throw Refused() } === engine)
        }
    }

    /// It would take up the files that the engine has beside the path.
    @Test func `another file at the path of an engine with neighbours waits until that is closed`() throws {
        try withFiles(["a", "new", "beside"]) { files in
            let alone = EngineRegistry<StoreFile.Identity, Engine>()
            let registry = EngineRegistry<StoreFile.Identity, Engine> { _ in true }
            let (first, engine) = (try alone.engine(for: files[0]) { Engine() }, try registry.engine(for: files[0]) { Engine() })
            try FileManager.default.removeItem(atPath: files[0].path)
            for isReplaced in [false, true] {
                if isReplaced { try FileManager.default.moveItem(atPath: files[1].path, toPath: files[0].path) }
                #expect { try registry.engine(for: files[0]) { Engine() } } throws: { ($0 as? StorageError)?.name == "locked" }
                #expect { try registry.whileClosed(files[0]) {} } throws: { ($0 as? StorageError)?.name == "locked" }
            }
            #expect(try alone.engine(for: files[0]) { Engine() } !== first)
            _ = try registry.engine(for: files[2]) { Engine() }
            try registry.release(engine) {}
            #expect(try registry.engine(for: files[0]) { Engine() } !== engine)
        }
    }

    @Test func `any key tells engines apart`() throws {
        let registry = EngineRegistry<[String], Engine>()
        let first = try registry.engine(for: ["db.example.org", "music"]) { Engine() }
        #expect(try registry.engine(for: ["db.example.org", "music"]) { throw Refused() } === first)
        #expect(try registry.engine(for: ["db.example.org", "books"]) { Engine() } !== first)
        var closings = 0
        for _ in 0..<2 { try registry.release(first) { closings += 1 } }
        #expect(closings == 1)
        #expect(try registry.engine(for: ["db.example.org", "music"]) { Engine() } !== first)
    }

    @Test func `threads that open one file at the same time get one engine`() throws {
        try withFiles(["a"]) { files in
            let registry = EngineRegistry<StoreFile.Identity, Engine>()
            let opened = Atomic<Int>(0)
            let engines = Mutex<Set<ObjectIdentifier>>([])
            try onThreads(8) { _ in
                let engine = try registry.engine(for: files[0]) {
                    opened.add(1, ordering: .relaxed)
                    return Engine()
                }
                engines.withLock { _ = $0.insert(ObjectIdentifier(engine)) }
            }
            #expect(opened.load(ordering: .relaxed) == 1)
            #expect(engines.withLock { $0.count } == 1)
        }
    }

    private func withFiles(_ names: [String], _ body: ([StoreFile]) throws -> Void) throws {
        let directory = NSTemporaryDirectory() + "/trove-registry-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(atPath: directory) } catch { Issue.record(error) }
        }
        try body(
            try names.map { name in
                #expect(FileManager.default.createFile(atPath: directory + "/" + name, contents: nil))
                return try StoreFile(engine: "test", path: directory + "/" + name)
            })
    }
}
