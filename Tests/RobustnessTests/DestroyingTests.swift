import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveStorage

/// Stores are destroyed while another process has them open, and after one was killed.
@Suite struct DestroyingTests {
    @Test(arguments: Engine.persistent) func notWhileAnotherProcessHasItOpen(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.require(.open(engine, path: path))
            try await probe.require(.fill(path: path))
            for _ in 0..<2 {
                #expect { try engine.destroy(path) } throws: { if case StorageError.locked = $0 { true } else { false } }
                let faults = try await probe.faults(ofSample: path)
                #expect(faults.isEmpty)
            }
            try await probe.require(.increment(path: path, account: 1, times: 3))
            try await probe.require(.close(path: path))
            try engine.destroy(path)
            #expect(try directory.contents() == [:])
        }
    }

    /// It leaves its logs, its locks and its place in the queue.
    @Test(arguments: Engine.persistent) func afterAProcessThatWasKilled(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.require(.open(engine, path: path))
            try await probe.require(.fill(path: path))
            try await probe.require(.beginWrite(path: path))
            try await probe.stop()
        }
        let left = try directory.contents().count
        #expect(left > 1)
        try engine.destroy(path)
        #expect(try directory.contents() == [:])
    }

    /// The last use of the store ends with the backend that is closed.
    @Test(arguments: Engine.persistent, [false, true]) func afterABackendWasReleasedInATransactionOfAnother(engine: Engine, isWrite: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try engine.open(path)
        var other: (any StorageBackend)? = try engine.open(path)
        try other?.write(.buffered) { _ = try $0.createKeyspace(named: "s") }
        if isWrite { try store.write(.buffered) { _ in other = nil } } else { try store.read { _ in other = nil } }
        try store.close()
        try engine.destroy(path)
        #expect(try directory.contents() == [:])
    }
}
