import Foundation

/// Runs programs.
enum ChildProcess {
    /// What a program writes to its standard output.
    ///
    /// - Throws: ``BenchmarkError`` with what it wrote to its standard error when it ends with another code than 0.
    static func output(of executable: URL, _ arguments: [String]) throws -> Data {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short enough for a pipe's buffer, so reading one after the other cannot block.
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let text = String(decoding: message, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            let way = process.terminationReason == .exit ? "code" : "signal"
            throw BenchmarkError("ended with \(way) \(process.terminationStatus): \(text)")
        }
        return written
    }

    /// The first line of what a program found in the search path writes; nil when there is no such program or it fails.
    static func firstLine(_ command: String...) -> String? {
        do {
            let text = try output(of: URL(fileURLWithPath: "/usr/bin/env"), command)
            return String(decoding: text, as: UTF8.self).split(separator: "\n").first.map(String.init)
        } catch {
            return nil
        }
    }
}
