import Dispatch
import Synchronization
import TestSupport
import TroveStorage

/// What the probe does when it is started with arguments, as `ProbeProgram` in `EngineSupport` starts it.
package enum ProbeCommand {
    /// What the probe does with its arguments: returns what it has to print.
    ///
    /// - `fill ENGINE PATH KEYSPACE COUNT` adds entries to a keyspace.
    /// - `ring ENGINE PATH SEED TIMES` rearranges a ``StorageRing``.
    /// - `crowd ENGINE PATH 0 COUNT` lets so many tasks run at once and prints a ``CrowdReport``.
    /// - `rotate ENGINE PATH STEP OPERATION` gives a sealed store new keys and is killed at a storage operation; see ``SealedRotation``.
    /// - `fork ENGINE PATH USE COUNT` forks while it has a store with so many entries open; see ``ForkedUse``.
    /// - `orphan ENGINE PATH USE 0` uses an object whose context is gone, which stops a debug build; see ``Orphan``.
    package static func carryOut(_ arguments: [String]) throws -> String {
        guard arguments.count == 5, let number = Int(arguments[4]) else { throw Inconsistency("no command: \(arguments)") }
        if arguments[0] == "orphan" { return try Orphan.use(arguments[3], arguments[1], arguments[2]) }
        if arguments[0] == "fork" { return try ForkedUse.run(arguments[3], arguments[1], arguments[2], count: number) }
        if arguments[0] == "crowd" { return try crowd(arguments[1], arguments[2], count: number).line }
        if arguments[0] == "rotate" { return try rotate(arguments[1], arguments[2], stepSize: arguments[3], target: number) }
        do {
            let store = try AnyEngine.open(arguments[1], arguments[2])
            switch arguments[0] {
            case "fill":
                try store.write(.durable) { writer in
                    let keyspace = try writer.createKeyspace(named: arguments[3])
                    for entry in 0..<number { try writer.put(Array("entry \(entry)".utf8), [1], in: keyspace) }
                }
            case "ring": try StorageRing(store).rearrange(times: number, seed: UInt64(arguments[3]) ?? 0)
            default: throw Inconsistency("no command: \(arguments)")
            }
            try store.close()
        } catch let error as StorageError {
            return error.name
        }
        return ""
    }

    private static func rotate(_ engine: String, _ path: String, stepSize: String, target: Int) throws -> String {
        guard let engine = Engine(rawValue: engine), let stepSize = Int(stepSize) else { throw Inconsistency("no rotation: \(engine), \(stepSize)") }
        try SealedRotation.run(engine, path, stepSize: stepSize, target: target)
        return ""
    }

    /// The main thread waits; it is none of those that tasks run on.
    private static func crowd(_ engine: String, _ path: String, count: Int) throws -> CrowdReport {
        guard let engine = Engine(rawValue: engine) else { throw Inconsistency("there is no engine '\(engine)'") }
        let outcome = Mutex<Result<CrowdReport, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            do {
                let report = try await Crowd.run(engine, path, count: count)
                outcome.withLock { $0 = .success(report) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let outcome = outcome.withLock({ $0 }) else { throw Inconsistency("the crowd has no outcome") }
        return try outcome.get()
    }
}
