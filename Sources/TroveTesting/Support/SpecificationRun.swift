import Foundation
import Synchronization
import TroveStorage

/// One run of a case on one engine: its directory, its stores and its checks.
final class SpecificationRun: Sendable {
    /// The error that cases throw on purpose.
    struct Deliberate: Error, Hashable {
        var number = 0
    }

    let factory: BackendFactory
    private let specification: SpecificationCase
    private let directory: String
    private let opened = Mutex<[any StorageBackend]>([])
    /// The names of all paths that the case has asked for: where stores and copies may be.
    private let names = Mutex<Set<String>>([])

    init(of specification: SpecificationCase, on factory: BackendFactory) throws {
        self.specification = specification
        self.factory = factory
        directory = NSTemporaryDirectory() + "/trove-specification-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    // MARK: Stores

    /// A path in the run's directory. What is there at the end of the run is removed.
    func path(_ name: String = "store") -> String {
        names.withLock { _ = $0.insert(name) }
        return directory + "/" + name
    }

    /// Opens the store with this name; a second call with the same name opens the same path.
    func open(_ name: String = "store") throws -> any StorageBackend {
        try keep(factory.open(path(name)))
    }

    /// Remembers a store, to close it at the end of the run.
    func keep(_ store: any StorageBackend) -> any StorageBackend {
        opened.withLock { $0.append(store) }
        return store
    }

    /// Closes the store and opens it again, where the engine keeps its contents; otherwise does nothing.
    func reopen(_ store: any StorageBackend, _ name: String = "store") throws -> any StorageBackend {
        guard factory.isPersistent else { return store }
        try store.close()
        return try open(name)
    }

    /// Closes all stores and removes them and their copies, as far as that can be done; throws what could not be done first.
    func cleanUp() throws {
        let closings = opened.withLock { $0 }.map { store in Result { try store.close() } }
        let removals = names.withLock { $0 }.sorted().map { name in Result { try factory.destroy(directory + "/" + name) } }
        let ending = Result { try FileManager.default.removeItem(atPath: directory) }
        for outcome in closings + removals + [ending] { try outcome.get() }
    }

    func cleanUpAfterFailure() {
        // The case has failed already, so what fails here adds nothing.
        do { try cleanUp() } catch {}
    }

    // MARK: Threads

    /// Runs `body` on `count` threads at once and waits for all; throws what the first one threw.
    func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Void) throws {
        let workers = (0..<count).map { index in Worker { try body(index) } }
        let outcomes = workers.map { worker in Result { try worker.join() } }
        for outcome in outcomes { try outcome.get() }
    }

    /// Sleeps in fifty pieces: when the whole process was stopped in one of them, its threads have the others to run in.
    func pause(_ interval: TimeInterval) {
        for _ in 0..<50 { Thread.sleep(forTimeInterval: interval / 50) }
    }

    /// Runs `attempt` twice, each time on a fresh store, with a pause in which threads come as far as they can. When one of the two fails, the pause
    /// may have been too short on a busy machine: then three with five to twenty-five times as long have to pass, all of them.
    ///
    /// It is for what does not show from outside, such as that a thread has come to wait.
    func patiently(startingAt pause: TimeInterval, _ attempt: (_ store: String, _ pause: TimeInterval) throws -> Void) throws {
        do {
            for number in 1...2 { try attempt("attempt \(number)", pause) }
        } catch let failure as SpecificationFailure where !failure.isTimeOut {
            for factor in [5, 10, 25] { try attempt("attempt with \(factor) times the pause", pause * Double(factor)) }
        }
    }

    // MARK: Checks

    /// Fails unless `condition` holds.
    func check(
        _ condition: Bool, _ expectation: String, found: @autoclosure () -> String = "it is not so",
        file: String = #fileID, line: Int = #line
    ) throws {
        if !condition { throw failure(expectation, found: found(), file: file, line: line) }
    }

    /// Fails unless `found` equals `expected`.
    func equal<Value: Equatable>(
        _ found: Value, _ expected: Value, _ what: String, file: String = #fileID, line: Int = #line
    ) throws {
        if found == expected { return }
        if let found = found as? [String: [Entry]], let expected = expected as? [String: [Entry]] {
            let difference = StorageAnswer.contents(expected).difference(to: .contents(found))
            throw failure("\(what) to be as before or as written", found: "a difference: \(difference)", file: file, line: line)
        }
        throw failure("\(what) to be \(short(expected))", found: short(found), file: file, line: line)
    }

    /// Fails unless both lists hold the same entries; names the first difference.
    func equal(
        _ found: [Entry], _ expected: [Entry], _ what: String, file: String = #fileID, line: Int = #line
    ) throws {
        if found == expected { return }
        let index = zip(found, expected).prefix { $0 == $1 }.count
        let wanted = index < expected.count ? "\(expected[index])" : "the end"
        let got = index < found.count ? "\(found[index])" : "the end"
        throw failure(
            "\(what) to be \(expected.count) entries with \(wanted) at position \(index)",
            found: "\(found.count) entries with \(got) there", file: file, line: line)
    }

    /// Fails unless `body` throws the given error, named by its case: `run.fails(with: StorageError.emptyKey, …)`.
    func fails<Result>(
        with error: @escaping (StorageError.Details) -> StorageError, _ what: String,
        file: String = #fileID, line: Int = #line, _ body: () throws -> Result
    ) throws {
        try fails(withAny: [error], what, file: file, line: line, body)
    }

    /// Fails unless `body` throws one of the given errors with an engine, a path and a message in it.
    func fails<Result>(
        withAny errors: [(StorageError.Details) -> StorageError], _ what: String,
        file: String = #fileID, line: Int = #line, _ body: () throws -> Result
    ) throws {
        let sample = StorageError.Details(engine: "", path: "", message: "")
        let names = errors.map { $0(sample).name }.joined(separator: " or ")
        do {
            let result = try body()
            throw failure("\(what) to throw \(names)", found: Result.self == Void.self ? "no error" : "no error, but \(short(result))", file: file, line: line)
        } catch let error as StorageError {
            guard errors.contains(where: { $0(error.details) == error }) else {
                throw failure("\(what) to throw \(names)", found: "\(error)", file: file, line: line)
            }
            let details = error.details
            guard !details.engine.isEmpty, !details.path.isEmpty, !details.message.isEmpty else {
                throw failure(
                    "the error of \(what) to name the engine, the path and what happened", found: "\(details)",
                    file: file, line: line)
            }
        }
    }

    /// Fails unless `body` throws the error that the case throws on purpose, unchanged.
    func failsOnPurpose<Result>(
        _ what: String, number: Int = 0, file: String = #fileID, line: Int = #line, _ body: () throws -> Result
    ) throws {
        do {
            let result = try body()
            throw failure("\(what) to throw the body's error", found: Result.self == Void.self ? "no error" : "no error, but \(short(result))", file: file, line: line)
        } catch let error as Deliberate {
            try equal(error, Deliberate(number: number), "the error of \(what)", file: file, line: line)
        }
    }

    func failure(
        _ expectation: String, found: String, file: String = #fileID, line: Int = #line
    ) -> SpecificationFailure {
        SpecificationFailure(
            caseName: specification.name, engine: factory.name, expectation: expectation, found: found,
            file: file, line: line)
    }

    /// What a case threw, as a failure of the specification.
    func failure(describing error: any Error) -> SpecificationFailure {
        if let failure = error as? SpecificationFailure { return failure }
        var failure = failure("no error", found: "\(error)")
        failure.isTimeOut = error is Signal.NeverRaised
        return failure
    }

    private func short(_ value: Any) -> String {
        if let bytes = value as? [UInt8] { return bytes.hexadecimal }
        if let names = value as? Set<String> { return short(names.sorted()) }
        let text = "\(value)"
        return text.count > 400 ? text.prefix(400) + "…" : text
    }
}
