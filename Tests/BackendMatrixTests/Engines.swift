import EngineSupport
import TroveMemory
import TroveSortedArray
import TroveStorage
import TroveTesting

/// The engines as the specification takes them: those of the package, the example of `docs/writing-a-backend.md`, one as for a server, and
/// one that counts.
let engines = Engine.allCases.map { engine in
    BackendFactory(
        name: engine.rawValue, kind: engine == .memory ? .inMemory : .files,
        openWithTimeout: { path, timeout in try engine.open(path, timeout: timeout) },
        openReadOnly: openReadOnly(engine),
        fillInAnotherProcess: fillInAnotherProcess(engine.rawValue),
        open: { path in try engine.open(path) })
} + [
    BackendFactory(
        name: sortedArray,
        openWithTimeout: { path, timeout in try SortedArrayBackend(path: path, writerTimeout: timeout) },
        fillInAnotherProcess: fillInAnotherProcess(sortedArray),
        open: { path in try SortedArrayBackend(path: path) }),
    BackendFactory(
        name: RemoteBackend.engine, kind: .server,
        openWithTimeout: { path, timeout in RemoteBackend(name: path, timeout: timeout) },
        // The server is in this process, so another machine is another connection.
        fillInAnotherProcess: { path, keyspace, entries in
            let store = RemoteBackend(name: path)
            try store.write(.durable) { writer in
                let keyspace = try writer.createKeyspace(named: keyspace)
                for number in 0..<entries { try writer.put(Array("\(number)".utf8), [1], in: keyspace) }
            }
            try store.close()
            return nil
        },
        destroy: { path in try RemoteServer.shared.destroyStore(path) },
        open: { path in RemoteBackend(name: path) }),
    BackendFactory(
        name: "memory, counted", kind: .inMemory,
        openWithTimeout: { path, timeout in CountingBackend(MemoryBackend(name: path, writerTimeout: timeout)) },
        open: { path in CountingBackend(MemoryBackend(name: path)) }),
]

/// The example, as the probe knows it too.
private let sortedArray = "sorted array"

/// Those of ``engines`` that examples and tests bring along.
let shownEngines: Set<String> = [sortedArray, RemoteBackend.engine, "memory, counted"]

/// The cases that an engine cannot pass, each with the reason.
let deviations: [SpecificationDeviation] = []

/// What opens a store of an engine for reading only; nil in memory, where there is no such thing.
private func openReadOnly(_ engine: Engine) -> (@Sendable (_ path: String) throws -> any StorageBackend)? {
    if engine == .memory { return nil }
    return { path in try engine.openReadOnly(path) }
}

/// Lets the probe, which is built for `RobustnessTests`, fill a store in a process of its own.
private func fillInAnotherProcess(_ engine: String) -> BackendFactory.FillInAnotherProcess {
    { path, keyspace, entries in
        let error = try ProbeProgram.run(["fill", engine, path, keyspace, "\(entries)"])
        return error.isEmpty ? nil : error
    }
}
