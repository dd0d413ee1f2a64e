import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveStorage

/// What the file system refuses is an error with a name, and what is there stays as it is.
///
/// The superuser is refused nothing, so a probe started by it gives up its rights.
@Suite(.serialized) struct PermissionTests {
    /// A directory anybody may write, with a store of the sample contents that anybody may write.
    private func directoryWithSample(_ engine: Engine) async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try directory.setMode(0o777)
        try await withOrdinaryUser { try await $0.makeSample(engine, directory.file()) }
        return directory
    }

    private func withOrdinaryUser<Result>(_ body: (ProbeProcess) async throws -> Result) async throws -> Result {
        try await ProbeProcess.use { probe in
            if geteuid() == 0 { try await probe.require(.becomeNobody) }
            return try await body(probe)
        }
    }

    @Test(arguments: Engine.persistent) func fileWithoutPermission(engine: Engine) async throws {
        let directory = try await directoryWithSample(engine)
        // LMDB's locks are those of whoever has the store open last.
        func contents() throws -> [String: Data] { try directory.contents().filter { !$0.key.hasSuffix("-lock") } }
        let before = try contents()
        for (mode, name) in [(0o000, "permissionDenied"), (0o200, "permissionDenied"), (0o444, "readOnly")] as [(mode_t, String)] {
            try directory.setMode(mode, of: "store")
            let reply = try await withOrdinaryUser { try await $0.ask(.open(engine, path: directory.file())) }
            #expect(reply.fault?.name == name, "mode \(String(mode, radix: 8))")
            try directory.setMode(0o644, of: "store")
            #expect(try contents() == before, "mode \(String(mode, radix: 8))")
        }
        let faults = try await withOrdinaryUser { try await $0.faults(ofClosedSample: directory.file(), engine) }
        #expect(faults.isEmpty)
    }

    @Test(arguments: Engine.persistent) func directoryWithoutPermission(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try directory.setMode(0o755)
        for (mode, names) in [(0o000, ["permissionDenied"]), (0o444, ["permissionDenied", "readOnly"]), (0o555, ["readOnly"])] as [(mode_t, [String])] {
            try directory.makeDirectory("\(mode)")
            try directory.setMode(mode, of: "\(mode)")
            let path = directory.file("\(mode)/store")
            let fault = try await withOrdinaryUser { try await $0.ask(.open(engine, path: path)).fault }
            try directory.setMode(0o755, of: "\(mode)")
            #expect(names.contains(fault?.name ?? ""), "\(String(mode, radix: 8)): \(String(describing: fault))")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("\(mode)")).isEmpty)
        }
    }

    /// A store that may only be read, in a directory that cannot be written, as an application's bundle has it.
    @Test(arguments: Engine.persistent) func fileToBeRead(engine: Engine) async throws {
        let directory = try await directoryWithSample(engine)
        for name in try directory.contents().keys where name != "store" { try FileManager.default.removeItem(atPath: directory.file(name)) }
        for (mode, directoryMode) in [(0o444, 0o777), (0o444, 0o555), (0o666, 0o555)] as [(mode_t, mode_t)] {
            try directory.setMode(mode, of: "store")
            try directory.setMode(directoryMode)
            let before = try (directory.contents(), directory.changes())
            try await withOrdinaryUser { probe in
                try await probe.require(.openReadOnly(engine, path: directory.file()))
                let faults = try await probe.faults(ofSample: directory.file())
                #expect(faults.isEmpty, "modes \(String(mode, radix: 8)), \(String(directoryMode, radix: 8)): \(faults)")
                try await probe.require(.close(path: directory.file()))
            }
            #expect(try directory.contents() == before.0)
            #expect(try directory.changes() == before.1)
        }
        try directory.setMode(0o777)
    }

    /// Engines need files beside the store. Where none can be made, opening or the first change says so, and reading is right.
    @Test(arguments: Engine.persistent) func directoryThatCannotBeWritten(engine: Engine) async throws {
        let directory = try await directoryWithSample(engine)
        for name in try directory.contents().keys where name != "store" { try FileManager.default.removeItem(atPath: directory.file(name)) }
        try directory.setMode(0o555)
        let path = directory.file()
        try await withOrdinaryUser { probe in
            if let fault = try await probe.ask(.open(engine, path: path)).fault {
                #expect(["permissionDenied", "readOnly"].contains(fault.name), "\(fault)")
                return
            }
            let faults = try await probe.faults(ofSample: path)
            #expect(faults.isEmpty)
            let change = try await probe.askAll(.append(path: path, payloadSize: 10, limit: 1)).last?.fault
            #expect(["permissionDenied", "readOnly"].contains(change?.name ?? ""), "\(String(describing: change))")
            let faultsAfterwards = try await probe.faults(ofSample: path)
            #expect(faultsAfterwards.isEmpty)
        }
        try directory.setMode(0o777)
        let faults = try await withOrdinaryUser { try await $0.faults(ofClosedSample: path, engine) }
        #expect(faults.isEmpty)
    }

    /// Nobody may read beside a store, in a backup of it, or in it once it is compacted, who may not read the store.
    @Test(arguments: Engine.persistent, [0o600, 0o640, 0o664] as [mode_t]) func whoMayReadTheStore(engine: Engine, mode: mode_t) throws {
        let directory = try TemporaryDirectory()
        func fill(_ backend: any StorageBackend, _ value: UInt8) throws {
            try backend.write(.durable) { writer in
                let keyspace = try writer.createKeyspace(named: "things")
                for key in 0..<100 { try writer.put([UInt8(key)], [UInt8](repeating: value, count: 1_000), in: keyspace) }
            }
        }
        func check(_ place: String) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where !name.hasSuffix("-lock") {
                let found = try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
                #expect(found == Int(mode), "\(name) \(place)")
            }
        }
        let made = try engine.open(directory.file())
        try fill(made, 1)
        try made.close()
        try directory.setMode(mode, of: "store")
        let backend = try engine.open(directory.file())
        try fill(backend, 2)
        try check("while it is open")
        try backend.backUp(to: directory.file("backup"))
        try check("with a backup")
        try backend.compact()
        try check("after it was compacted")
        try fill(backend, 3)
        try check("afterwards")
        try backend.close()
        try check("when it was closed")
    }

    /// Who makes an empty file first, says who may read the store.
    @Test(arguments: Engine.persistent) func anEmptyFileKeepsItsMode(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.createFile(atPath: directory.file(), contents: Data()))
        try directory.setMode(0o600, of: "store")
        try engine.open(directory.file()).close()
        #expect(try FileManager.default.attributesOfItem(atPath: directory.file())[.posixPermissions] as? Int == 0o600)
    }

    /// The files beside the store, which another user may have made.
    @Test(arguments: Engine.persistent, ["-wal", "-shm", "-journal", "-lock", ".wal"])
    func neighbourWithoutPermission(engine: Engine, suffix: String) async throws {
        let directory = try await directoryWithSample(engine)
        try directory.write([], to: "store" + suffix)
        try directory.setMode(0o000, of: "store" + suffix)
        let path = directory.file()
        try await withOrdinaryUser { probe in
            if let fault = try await probe.ask(.open(engine, path: path)).fault {
                #expect(["permissionDenied", "readOnly"].contains(fault.name), "\(fault)")
            } else {
                let faults = try await probe.faults(ofSample: path)
                #expect(faults.isEmpty)
            }
        }
        // Engines remove a log that does not count, which is the directory's permission.
        if try directory.contents()["store" + suffix] != nil { try directory.setMode(0o666, of: "store" + suffix) }
        let faults = try await withOrdinaryUser { try await $0.faults(ofClosedSample: path, engine) }
        #expect(faults.isEmpty)
    }
}
