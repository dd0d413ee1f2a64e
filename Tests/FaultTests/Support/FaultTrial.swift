import TestSupport
import Trove
import TroveTesting

/// One try of an operation: a store of its own, and the faults that are to come.
final class FaultTrial {
    let engine: Engine
    let faults = FaultInjector()
    private let directory: TemporaryDirectory
    /// The engine itself, which nothing makes fail.
    private(set) var engineBackend: any StorageBackend
    /// The engine with faults.
    private(set) var backend: FaultInjectingBackend

    /// A store with these contents.
    init(_ engine: Engine, _ contents: StoredEntries) throws {
        self.engine = engine
        directory = try TemporaryDirectory()
        engineBackend = try engine.open(directory.file())
        backend = FaultInjectingBackend(engineBackend, faults: faults)
        try contents.write(to: engineBackend)
    }

    /// The path of another file of the trial.
    func file(_ name: String) -> String { directory.file(name) }

    /// Closes the engine and opens it again, where it keeps what it has.
    func reopen() throws {
        guard engine != .memory else { return }
        try engineBackend.close()
        engineBackend = try engine.open(directory.file())
        backend = FaultInjectingBackend(engineBackend, faults: faults)
    }

    func close() throws { try engineBackend.close() }
}
