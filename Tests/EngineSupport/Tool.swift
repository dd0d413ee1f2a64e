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
        let output = Pipe()
        let writing = output.fileHandleForWriting
        let program = try Self.withInput(input) { descriptor in
            try ChildProgram(
                url, arguments, input: descriptor, output: writing.fileDescriptor,
                errors: includesErrors ? writing.fileDescriptor : STDERR_FILENO)
        }
        try writing.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let status: Int32 = switch program.waitForEnd() {
        case .exit(let status): status
        case .signal(let number): number
        }
        return (status, String(decoding: data, as: UTF8.self))
    }

    /// Starts the program with nobody reading its output, so that it stops in the middle.
    public func start(_ arguments: [String]) throws -> (program: ChildProgram, output: Pipe) {
        let output = Pipe()
        let program = try ChildProgram(url, arguments, output: output.fileHandleForWriting.fileDescriptor)
        try output.fileHandleForWriting.close()
        return (program, output)
    }

    /// Calls `body` with the descriptor of a file of this text; with nil when there is none.
    private static func withInput<Result>(_ input: String?, _ body: (Int32?) throws -> Result) throws -> Result {
        guard let input else { return try body(nil) }
        let file = FileManager.default.temporaryDirectory.appending(path: "trove-input-" + UUID().uuidString)
        try Data(input.utf8).write(to: file)
        let handle = try FileHandle(forReadingFrom: file)
        try FileManager.default.removeItem(at: file)
        defer { withExtendedLifetime(handle) {} }
        return try body(handle.fileDescriptor)
    }
}
