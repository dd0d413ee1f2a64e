import Dispatch
import Foundation
import TroveBackendKit

/// One requirement on every engine, and the code that checks it.
public struct SpecificationCase: Sendable, CustomStringConvertible {
    /// The topic and a short title, such as `order.shorter-first`; unique in the specification.
    public let name: String
    /// The guarantee, in one sentence.
    public let summary: String

    /// The first part of the name, such as `order`.
    public var topic: String { String(name.prefix { $0 != "." }) }

    /// The requirements that it checks.
    public var requirements: [SpecificationRequirement] {
        BackendSpecification.requirements.filter { $0.topics.contains(topic) || $0.otherCases.contains(name) }
    }

    let body: @Sendable (SpecificationRun) throws -> Void
    /// Where the case begins.
    let file: String
    let line: Int

    init(
        _ name: String, _ summary: String, file: String = #fileID, line: Int = #line, _ body: @escaping @Sendable (SpecificationRun) throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.file = file
        self.line = line
        self.body = body
    }

    public var description: String { name }

    /// Runs the case on a fresh store in its own temporary directory, which is removed afterwards.
    ///
    /// The case runs on a thread of its own, so blocking calls do not hold up the caller's executor.
    /// A case that has not ended after `timeLimit` (default 10 minutes) fails, and its thread and directory are left behind.
    ///
    /// - Throws: ``SpecificationFailure`` when the engine does not do what the case asks.
    public func run(on factory: BackendFactory, timeLimit: Duration = .seconds(600)) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome = SingleOutcome(continuation)
            let thread = Thread { outcome.resume(Result { try runBlocking(on: factory, timeLimit) }) }
            thread.stackSize = 8 << 20
            thread.start()
            DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit.dispatchInterval) { [name, file, line] in
                outcome.resume(
                    .failure(
                        SpecificationFailure(
                            caseName: name, engine: factory.name, expectation: "the case to end",
                            found: "it still runs after \(timeLimit); probably a deadlock", file: file, line: line, isTimeOut: true)))
            }
        }
    }

    /// Runs the case as ``run(on:timeLimit:)`` does. Where `deviations` lists it for the engine, checks that it still fails.
    ///
    /// - Throws: ``SpecificationFailure`` when the case fails unlisted, or passes though it is listed.
    public func run(on factory: BackendFactory, deviations: [SpecificationDeviation], timeLimit: Duration = .seconds(600)) async throws {
        guard let deviation = deviations.first(where: { $0.engine == factory.name && $0.caseName == name }) else {
            return try await run(on: factory, timeLimit: timeLimit)
        }
        do {
            try await run(on: factory, timeLimit: timeLimit)
        } catch is SpecificationFailure {
            return
        }
        throw SpecificationFailure(
            caseName: name, engine: factory.name,
            expectation: "a failure, because the deviation is listed (\(deviation.reason))",
            found: "that the case passes; take the deviation off the list", file: file, line: line)
    }

    private func runBlocking(on factory: BackendFactory, _ timeLimit: Duration) throws {
        let run = try SpecificationRun(of: self, on: factory, timeLimit: timeLimit)
        do {
            try body(run)
        } catch {
            run.cleanUpAfterFailure()
            throw run.failure(describing: error)
        }
        run.enter("while the stores were closed and removed")
        do { try run.cleanUp() } catch { throw run.failure(describing: error) }
    }
}
