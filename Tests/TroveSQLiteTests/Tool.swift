import Foundation

/// A command-line program, when it is installed.
struct Tool {
    private let url: URL

    /// SQLite's own shell.
    static var sqlite3: Tool? {
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return directories.map { URL(fileURLWithPath: "\($0)/sqlite3") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            .map(Tool.init(url:))
    }

    private init(url: URL) { self.url = url }

    /// What the program prints, errors too.
    func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
