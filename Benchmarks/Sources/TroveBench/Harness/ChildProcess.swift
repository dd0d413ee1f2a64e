import Foundation

/// Runs programs.
enum ChildProcess {
    /// What a program writes to its standard output.
    ///
    /// It writes to files without names, so that however much it writes, to whichever of its outputs, it never waits for this process.
    ///
    /// - Parameter limit: After so many seconds the program is ended.
    /// - Throws: ``BenchmarkError`` with what it wrote to its standard error when it ends with another code than 0, or had to be ended.
    static func output(of executable: URL, _ arguments: [String], limit: Double = 120) throws -> Data {
        let process = Process()
        let (output, errors) = (try file(), try file())
        process.executableURL = executable
        process.arguments = arguments
        // A crash would first start the backtracer of Swift, which takes long and, on a terminal, asks what to do next.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = output
        process.standardError = errors
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        let isInTime = end.wait(timeout: .now() + limit) == .success
        if !isInTime {
            kill(process.processIdentifier, SIGKILL)
            end.wait()
        }
        let message = try text(errors)
        guard isInTime else { throw BenchmarkError("was ended, because it took more than \(Int(limit.rounded())) s\(message)") }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let way = process.terminationReason == .exit ? "code" : "signal"
            throw BenchmarkError("ended with \(way) \(process.terminationStatus)\(message)")
        }
        return try content(output)
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

    /// A new file that has no name any more and goes away with its handle.
    private static func file() throws -> FileHandle {
        let place = FileManager.default.temporaryDirectory.appending(path: "trove-bench-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: place.path, contents: nil) else {
            throw BenchmarkError("cannot make a file in \(FileManager.default.temporaryDirectory.path)")
        }
        defer { unlink(place.path) }
        return try FileHandle(forUpdating: place)
    }

    private static func content(_ file: FileHandle) throws -> Data {
        try file.seek(toOffset: 0)
        return try file.readToEnd() ?? Data()
    }

    /// The end of what a file has, where the reason is, to stand behind another text.
    private static func text(_ file: FileHandle) throws -> String {
        let text = String(decoding: try content(file), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { return "" }
        return text.count > 1_000 ? ": …\(text.suffix(1_000))" : ": \(text)"
    }
}
