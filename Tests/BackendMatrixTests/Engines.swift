import ProbeKit
import TestSupport
import TroveSortedArray
import TroveTesting

/// The engines as the specification takes them: those of the package, and the example of `docs/writing-a-backend.md`.
let engines = Engine.allCases.map { engine in
    BackendFactory(
        name: engine.rawValue, kind: engine == .memory ? .inMemory : .files,
        openWithTimeout: { path, timeout in try engine.open(path, timeout: timeout) },
        fillInAnotherProcess: fillInAnotherProcess(engine.rawValue),
        open: { path in try engine.open(path) })
} + [
    BackendFactory(
        name: AnyEngine.sortedArray,
        openWithTimeout: { path, timeout in try SortedArrayBackend(path: path, writerTimeout: timeout) },
        fillInAnotherProcess: fillInAnotherProcess(AnyEngine.sortedArray),
        open: { path in try SortedArrayBackend(path: path) })
]

/// The cases that an engine cannot pass, each with the reason.
let deviations: [SpecificationDeviation] = []

/// Lets the probe fill a store in a process of its own.
private func fillInAnotherProcess(_ engine: String) -> BackendFactory.FillInAnotherProcess {
    { path, keyspace, entries in
        let error = try ProbeCommand.run(["fill", engine, path, keyspace, "\(entries)"])
        return error.isEmpty ? nil : error
    }
}
