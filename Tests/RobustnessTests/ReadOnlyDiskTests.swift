import Foundation
import ProbeKit
import TestSupport
import Testing

/// A file system that cannot be written.
///
/// Enabled where a directory can be mounted read-only: modes alone do not make such a file system.
@Suite(.serialized, .enabled(if: Mount.isPossible, "the system does not let this process mount a directory read-only"))
struct ReadOnlyDiskTests {
    @Test(arguments: Engine.persistent) func stores(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try await ProbeProcess.use { try await $0.makeSample(engine, directory.file()) }
        let before = try directory.contents()
        try await ProbeProcess.use(launcher: Mount.readOnly(directory.path)) { probe in
            for name in ["store", "new"] {
                let fault = try await probe.ask(.open(engine, path: directory.file(name))).fault
                #expect(fault?.name == "readOnly", "\(name): \(String(describing: fault))")
            }
        }
        #expect(try directory.contents() == before)
        let faults = try await ProbeProcess.use { try await $0.faults(ofClosedSample: directory.file(), engine) }
        #expect(faults.isEmpty)
    }

    /// Two processes read it at once. The file system may be writable for others: what is read without locks is not taken for right once they have written it.
    @Test(arguments: Engine.persistent) func storesThatAreRead(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { try await $0.makeSample(engine, path) }
        let before = try (directory.contents(), directory.changes())
        try await ProbeProcess.use(launcher: Mount.readOnly(directory.path)) { first in
            try await first.require(.openReadOnly(engine, path: path))
            try await ProbeProcess.use(launcher: Mount.readOnly(directory.path)) { second in
                try await second.require(.openReadOnly(engine, path: path))
                for probe in [first, second] {
                    let faults = try await probe.faults(ofSample: path)
                    #expect(faults.isEmpty, "\(faults)")
                }
            }
            let change = try await first.askAll(.append(path: path, payloadSize: 10, limit: 1)).last?.fault
            #expect(change?.name == "readOnly", "\(String(describing: change))")
            // Without locks nobody would keep what it shows; Tokyo Cabinet has none anyway.
            let snapshot = try await first.ask(.takeSnapshot(path: path)).fault
            #expect(snapshot?.name == "unsupported", "\(String(describing: snapshot))")
            let compaction = try await first.ask(.compact(path: path)).fault
            #expect(compaction?.name == "readOnly", "\(String(describing: compaction))")
            #expect(try directory.contents() == before.0)
            #expect(try directory.changes() == before.1)
            // Tokyo Cabinet locks the file whoever reads it.
            let isLocked = engine == .tokyoCabinet
            try await ProbeProcess.use { writer in
                let fault = try await writer.ask(.open(engine, path: path)).fault
                #expect(fault?.name == (isLocked ? "locked" : nil), "\(String(describing: fault))")
                if !isLocked { try await writer.require(.increment(path: path, account: 3, times: 1)) }
                let reading = try await first.ask(.sum(path: path, times: 1)).fault
                #expect(reading?.name == (isLocked ? nil : "inputOutput"), "\(String(describing: reading))")
            }
        }
    }

    /// A log that only who writes can read in is an error, and nothing is made of it. LMDB has no log, and reads what was committed.
    @Test(arguments: Engine.persistent) func storesThatWereNotClosed(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.require(.open(engine, path: path))
            try await probe.require(.increment(path: path, account: 3, times: 1))
            try await probe.require(.beginWrite(path: path))
        }
        // With its index SQLite reads the log.
        if engine == .sqlite { try FileManager.default.removeItem(atPath: path + "-shm") }
        let before = try (directory.contents(), directory.changes())
        try await ProbeProcess.use(launcher: Mount.readOnly(directory.path)) { probe in
            let fault = try await probe.ask(.openReadOnly(engine, path: path)).fault
            #expect(fault?.name == (engine == .lmdb ? nil : "readOnly"), "\(String(describing: fault))")
            if engine == .lmdb {
                let sum = try await probe.require(.sum(path: path, times: 1)).number
                #expect(sum == 1)
            }
        }
        #expect(try directory.contents() == before.0)
        #expect(try directory.changes() == before.1)
    }

    @Test(arguments: Engine.persistent) func backupsToIt(engine: Engine) async throws {
        let (directory, target) = (try TemporaryDirectory(), try TemporaryDirectory())
        try await ProbeProcess.use(launcher: Mount.readOnly(target.path)) { probe in
            try await probe.require(.open(engine, path: directory.file()))
            try await probe.require(.fill(path: directory.file()))
            let fault = try await probe.ask(.backUp(path: directory.file(), to: target.file())).fault
            #expect(fault?.name == "readOnly", "\(String(describing: fault))")
            let faults = try await probe.faults(ofSample: directory.file())
            #expect(faults.isEmpty)
        }
        #expect(try target.contents().isEmpty)
    }
}
