import Foundation
import TestSupport
import Testing

/// The crash loop's program, which the build puts beside the tests.
enum CrashLoop {
    #if os(Linux)
    static let isPossible = true
    #else
    static let isPossible = false
    #endif

    /// The engines' own programs that are not installed.
    static var missingTools: [String] {
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return ["sqlite3", "mdb_stat", "mdb_dump", "tcbmgr"].filter { tool in
            !directories.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
        }
    }

    /// Runs it and records an issue with what it printed when a round failed.
    static func run(_ arguments: [String]) throws {
        let output = try output(arguments)
        #expect(output.status == 0, "CrashLoop \(arguments.joined(separator: " ")) ended with \(output.status):\n\(output.text)")
    }

    /// Runs it and returns its status and what it printed.
    static func output(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = try ProgramBesideTests.named("CrashLoop")
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        // A crash is reported by its signal; a symbolicated trace would take seconds for each.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
