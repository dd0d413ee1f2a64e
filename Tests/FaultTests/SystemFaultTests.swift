import Foundation
import TestSupport
import Testing

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif

/// Failing system calls below each engine, in a process of their own: see the target SystemFaultProbe.
///
/// What it found: Tokyo Cabinet's library notes that a file cannot be cut to its size in the file's header, which it has unmapped by then, and ended
/// the process. And when neither writing pages nor undoing that succeeded, it forgot its log all the same, and the file stayed damaged.
@Suite(.enabled(if: isPossible, "making system calls fail works on Linux only")) struct SystemFaultTests {
    @Test(arguments: Engine.chosen(by: "TROVE_FAULTS_ENGINE", of: Engine.persistent)) func theNthCallFails(engine: Engine) async throws {
        let lines = try await Self.run(engine)
        #expect(lines.last == "done", "the process ended early: \(lines.suffix(3))")
        for line in lines where line.hasPrefix("problem: ") { Issue.record("\(line)") }
        let tried = lines.filter { $0.hasPrefix("tried: ") }
        // Ten operations, each with six kinds of faults.
        #expect(tried.count == 60)
        let counts = tried.compactMap { Int($0.split(separator: " ").last ?? "") }
        print("system faults on \(engine): \(counts.reduce(0, +)) in all; \(tried.map { $0.dropFirst(7) }.joined(separator: ", "))")
        #expect(counts.reduce(0, +) > 50)
    }

    private static func run(_ engine: Engine) async throws -> [String] {
        let probe = Tool(at: try ProgramBesideTests.named("SystemFaultProbe"))
        return try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    with: Result { try probe.run([engine.rawValue], includesErrors: false).output.split(separator: "\n").map(String.init) })
            }
            thread.start()
        }
    }
}
