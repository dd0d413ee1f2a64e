import EngineSupport
import Foundation
import Testing

/// The crash loop's program, which the build puts beside the tests.
enum CrashLoop {
    #if os(Linux)
    static let isPossible = true
    #else
    static let isPossible = false
    #endif

    /// The engines' own programs that are not installed.
    static var missingTools: [String] { Tool.missing(of: ["sqlite3", "mdb_stat", "mdb_dump", "tcbmgr"]) }

    /// Runs it and records an issue with what it printed when a round failed.
    static func run(_ arguments: [String]) throws {
        let output = try output(arguments)
        #expect(output.status == 0, "CrashLoop \(arguments.joined(separator: " ")) ended with \(output.status):\n\(output.text)")
    }

    /// Runs it and returns its status and what it printed.
    ///
    /// It yields to the tests beside it: a crowd's busy processes would take the processor from those that have bounds on their waits.
    static func output(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let program = try ProgramBesideTests.named("CrashLoop")
        let (status, output) = try Tool(at: URL(filePath: "/usr/bin/nice")).run(["-n", "5", program.path] + arguments)
        return (status, output)
    }
}
