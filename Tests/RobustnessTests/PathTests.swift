import Foundation
import ProbeKit
import TestSupport
import Testing

/// Paths that lead to no store: each an error with a name, in a probe, because some of them could block for ever.
@Suite(.serialized) struct PathTests {
    private func fault(_ engine: Engine, _ path: String) async throws -> ProbeFault? {
        try await ProbeProcess.use { try await $0.ask(.open(engine, path: path), patience: .seconds(60)).fault }
    }

    @Test(arguments: Engine.persistent) func noSuchDirectory(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try directory.write([1], to: "file")
        for path in [directory.file("missing/store"), directory.file("file/store"), "", directory.file("missing/../store/store")] {
            let name = try await fault(engine, path)?.name
            #expect(name == "noSuchDirectory", "\(path)")
        }
        #expect(try directory.contents() == ["file": Data([1])])
    }

    @Test(arguments: Engine.persistent) func directoryInPlaceOfTheFile(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("store")
        for path in [directory.file(), directory.file() + "/", directory.path, "/", "."] {
            let name = try await fault(engine, path)?.name
            #expect(name == "notAFile", "\(path)")
        }
        #expect(try directory.contents() == ["store": Data()])
    }

    @Test(arguments: Engine.persistent) func specialFiles(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        #expect(mkfifo(directory.file("pipe"), 0o666) == 0)
        for path in [directory.file("pipe"), "/dev/null"] {
            let name = try await fault(engine, path)?.name
            #expect(name == "notAFile", "\(path)")
        }
    }

    @Test(arguments: Engine.persistent) func impossibleNames(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        #expect(symlink("loop", directory.file("loop")) == 0)
        for path in [directory.file("loop"), directory.file("loop/store"), directory.file(String(repeating: "x", count: 300))] {
            let fault = try await fault(engine, path)
            #expect(fault?.isTyped == true, "\(path.suffix(20)): \(String(describing: fault))")
        }
    }

    /// Else the engine would make its file where the link leads to, and Trove would look for the files beside it elsewhere.
    @Test(arguments: Engine.persistent) func linkThatLeadsToNothing(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("other")
        #expect(symlink(directory.file("other/store"), directory.file("link")) == 0)
        let found = try await fault(engine, directory.file("link"))
        #expect(found?.name == "notAFile")
        #expect(try directory.contents().keys.contains { $0.hasPrefix("other/") } == false)
    }

    /// A link where an engine keeps a file of its own beside the store: what it leads to is nobody's business.
    @Test(arguments: [
        (Engine.sqlite, "-wal"), (.sqlite, "-shm"), (.sqlite, "-journal"), (.sqlite, "-queue"), (.lmdb, "-lock"), (.lmdb, "-new"),
        (.lmdb, "-compacting"), (.tokyoCabinet, ".wal"), (.tokyoCabinet, ".trove-compact"),
    ])
    func linkInPlaceOfANeighbour(engine: Engine, suffix: String) async throws {
        let directory = try TemporaryDirectory()
        let (path, victim) = (directory.file(), [UInt8]("somebody's letter".utf8))
        try directory.write(victim, to: "victim")
        // Before the store is made, and before it is opened and compacted once more.
        for _ in 0..<2 {
            unlink(path + suffix)
            #expect(symlink(directory.file("victim"), path + suffix) == 0)
            try await ProbeProcess.use { probe in
                let fault = try await probe.ask(.open(engine, path: path)).fault
                #expect(fault?.isTyped ?? true, "\(String(describing: fault))")
                if fault != nil { return }
                for command in [ProbeRequest.append(path: path, payloadSize: 10, limit: 20), .compact(path: path)] {
                    if let fault = try await probe.askAll(command).last?.fault { #expect(fault.isTyped, "\(fault)") }
                }
            }
            #expect(try directory.contents()["victim"] == Data(victim))
        }
        unlink(path + suffix)
        let fault = try await fault(engine, path)
        #expect(fault == nil)
    }

    /// A directory where an engine keeps a file beside the store.
    @Test(arguments: Engine.persistent, ["-wal", "-shm", "-journal", "-lock", ".wal"])
    func directoryInPlaceOfANeighbour(engine: Engine, suffix: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { try await $0.makeSample(engine, path) }
        for name in try directory.contents().keys where name != "store" { try FileManager.default.removeItem(atPath: directory.file(name)) }
        try directory.makeDirectory("store" + suffix)
        try await ProbeProcess.use { probe in
            if let fault = try await probe.ask(.open(engine, path: path)).fault {
                #expect(fault.isTyped, "\(fault)")
                return
            }
            let faults = try await probe.faults(ofSample: path)
            #expect(faults.isEmpty)
            if let fault = try await probe.askAll(.append(path: path, payloadSize: 10, limit: 1)).last?.fault { #expect(fault.isTyped, "\(fault)") }
        }
        try FileManager.default.removeItem(atPath: directory.file("store" + suffix))
        let faults = try await ProbeProcess.use { try await $0.faults(ofClosedSample: path, engine) }
        #expect(faults.isEmpty)
    }
}
