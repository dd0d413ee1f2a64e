import Dispatch
import Foundation
import Synchronization
import TroveStorage

/// One run of a case on one engine: its directory, its stores and its checks.
final class SpecificationRun: Sendable {
    /// The error that cases throw on purpose.
    struct Deliberate: Error, Hashable {
        var number = 0
    }

    /// What the run has come to, for errors that say nothing of it themselves.
    private struct Progress {
        /// What was done to the store last, where the case is not obvious from the error: `after opening again`.
        var phase: String?
        /// The check that passed last.
        var lastCheck: (file: String, line: Int)?
    }

    let factory: BackendFactory
    let specification: SpecificationCase
    private let directory: String
    private let opened = Mutex<[any StorageBackend]>([])
    /// The names of all paths that the case has asked for: where stores and copies may be.
    private let names = Mutex<Set<String>>([])
    private let progress = Mutex(Progress())
    private let signals = Mutex<[Signal]>([])
    /// How long the case may run.
    let timeLimit: Duration

    /// How long threads of the case wait for one another: less than the case has, so that the name of what did not happen is told.
    private var patience: Duration { min(.seconds(120), timeLimit / 4) }

    init(of specification: SpecificationCase, on factory: BackendFactory, timeLimit: Duration) throws {
        self.specification = specification
        self.factory = factory
        self.timeLimit = timeLimit
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
        enter("while the store was closed to be opened again")
        try store.close()
        enter("while the store was opened again")
        let reopened = try open(name)
        enter("after opening again")
        return reopened
    }

    /// Copies the files of a store to another name, as somebody does who does not ask the engine, and opens the copy.
    func copyFiles(_ name: String, to copy: String) throws -> any StorageBackend {
        let files = FileManager.default
        for file in try files.contentsOfDirectory(atPath: directory) where file.hasPrefix(name) {
            try files.copyItem(atPath: directory + "/" + file, toPath: path(copy) + file.dropFirst(name.count))
        }
        enter("after the files were copied")
        return try open(copy)
    }

    /// Closes all stores and removes them and their copies, as far as that can be done; throws what could not be done first.
    func cleanUp() throws {
        let closings = opened.withLock { $0 }.map { store in Result { try store.close() } }
        let removals = names.withLock { $0 }.sorted().map { name in Result { try factory.destroy(directory + "/" + name) } }
        let ending = Result { try FileManager.default.removeItem(atPath: directory) }
        for outcome in closings + removals + [ending] { try outcome.get() }
    }

    /// Cleans up as far as that can be done within ten seconds: a thread that is stuck in a transaction may keep its store from being closed for ever.
    func cleanUpAfterFailure() {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            // The case has failed already, so what fails here adds nothing.
            do { try cleanUp() } catch {}
            ended.signal()
        }
        thread.start()
        _ = ended.wait(timeout: .now() + .seconds(10))
    }

    // MARK: Progress

    /// Remembers what the run does now, to say it with an error.
    func enter(_ phase: String) { progress.withLock { $0.phase = phase } }

    /// Remembers a check that passed.
    func pass(_ file: String, _ line: Int) { progress.withLock { $0.lastCheck = (file, line) } }

    /// Where the run is, in words that follow an error.
    var whereabouts: String {
        let progress = progress.withLock { $0 }
        let check = progress.lastCheck.map { "the check before it, which passed, is at \($0.file):\($0.line)" } ?? "no check came before it"
        return [progress.phase, check].compactMap { $0 }.joined(separator: "; ")
    }

    // MARK: Threads

    /// Something that a thread of the case will do and others wait for. It fails when a ``worker(_:)`` of the case fails.
    func signal(_ name: String) -> Signal {
        let signal = Signal(name, patience: patience)
        signals.withLock { $0.append(signal) }
        return signal
    }

    /// A thread of the case. When it fails, nobody waits any longer for a signal that it may have been about to raise.
    func worker(_ body: @escaping @Sendable () throws -> Void) -> Worker {
        Worker(failed: { [self] error in for signal in signals.withLock({ $0 }) { signal.fail(error) } }, body)
    }

    /// Runs `body` on `count` threads at once and waits for all; throws what the first one threw. None begins before all threads run.
    func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Void) throws {
        let line = StartLine(for: count, signal("all threads to start"))
        let workers = (0..<count).map { index in
            worker {
                try line.wait()
                try body(index)
            }
        }
        try workers.joinAll()
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
}
