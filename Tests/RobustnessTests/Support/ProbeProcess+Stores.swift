import ProbeKit
import TestSupport

extension ProbeProcess {
    /// Makes a store with the sample contents, and closes it.
    func makeSample(_ engine: Engine, _ path: String) async throws {
        try await require(.open(engine, path: path))
        try await require(.fill(path: path))
        try await require(.close(path: path))
    }

    /// What is wrong with the contents of an open store; empty when all is right.
    func faults(ofSample path: String) async throws -> [ProbeCheck] {
        try await (require(.check(path: path)).checks ?? []).filter { !$0.isRight }
    }

    /// What is wrong with a store after it was opened; closes it.
    func faults(ofClosedSample path: String, _ engine: Engine) async throws -> [ProbeCheck] {
        try await require(.open(engine, path: path))
        let faults = try await faults(ofSample: path)
        try await require(.close(path: path))
        return faults
    }
}
