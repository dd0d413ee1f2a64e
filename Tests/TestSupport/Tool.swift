import Foundation

/// A program that tests start: one that is installed, such as an engine's own, or one of this package.
public struct Tool: Sendable {
    /// The program is not installed.
    public struct Missing: Error, CustomStringConvertible {
        let name: String

        public var description: String { "\(name) is not installed; Scripts/setup installs the engines' programs" }
    }

    /// Where the program is.
    public let url: URL

    /// The program at `url`.
    public init(at url: URL) { self.url = url }

    /// The program of this name in the directories of `PATH`; nil when it is not installed.
    public init?(_ name: String) {
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let found = directories.map { URL(filePath: "\($0)/\(name)") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { return nil }
        url = found
    }

    public static func isInstalled(_ name: String) -> Bool { Tool(name) != nil }

    /// Those of the programs that are not installed.
    public static func missing(of names: [String]) -> [String] { names.filter { !isInstalled($0) } }

    /// Runs the program of this name.
    ///
    /// - Throws: ``Missing``.
    public static func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        guard let tool = Tool(name) else { throw Missing(name: name) }
        return try tool.run(arguments)
    }

    /// Runs the program to its end; returns its status, which is the signal's number when one has ended it, and what it printed.
    ///
    /// - Parameters:
    ///   - input: What it reads; nothing when it is nil.
    ///   - includesErrors: Whether its errors are in the output; otherwise they go where those of the tests go.
    public func run(
        _ arguments: [String], input: String? = nil, includesErrors: Bool = true
    ) throws -> (status: Int32, output: String) {
        let process = process(arguments)
        let output = Pipe()
        process.standardOutput = output
        if includesErrors { process.standardError = output }
        process.standardInput = FileHandle.nullDevice
        if let input {
            let file = FileManager.default.temporaryDirectory.appending(path: "trove-input-" + UUID().uuidString)
            try Data(input.utf8).write(to: file)
            process.standardInput = try FileHandle(forReadingFrom: file)
            try FileManager.default.removeItem(at: file)
        }
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Starts the program with nobody reading its output, so that it stops in the middle.
    public func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
        let process = process(arguments)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    private func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        // A crash is reported by its signal; a symbolicated trace would take seconds for each.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        return process
    }
}
