import Foundation

/// One of LMDB's command-line programs, when they are installed.
struct Tool {
    private let url: URL

    init?(_ name: String) {
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let found = directories.map { URL(fileURLWithPath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { return nil }
        url = found
    }

    static func isInstalled(_ name: String) -> Bool { Tool(name) != nil }

    /// What the program prints, errors too, and its status.
    func run(_ arguments: [String], input: String? = nil) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        if let input {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("trove-input-" + UUID().uuidString)
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
    func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    /// Input for `mdb_load`: entries as pairs of bytes.
    static func dump(_ entries: [([UInt8], [UInt8])], mapSize: Int) -> String {
        func hexadecimal(_ bytes: [UInt8]) -> String {
            " " + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        let lines = entries.flatMap { [hexadecimal($0), hexadecimal($1)] }
        return (["VERSION=3", "format=bytevalue", "type=btree", "mapsize=\(mapSize)", "maxreaders=126", "HEADER=END"] + lines + ["DATA=END", ""])
            .joined(separator: "\n")
    }
}
