import Foundation
import TestSupport

/// Sources that the compiler reads as a program of somebody who imports Trove, against the modules that these tests were built with.
struct SourceCheck {
    /// Where the modules and the macros' plug-in are: beside the tests.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// What every call of the compiler is given.
    static var arguments: [String] {
        [
            "-swift-version", "6", "-I", products.appending(path: "Modules").path,
            // The C target of Trove, whose module map is not beside the others.
            "-Xcc", "-fmodule-map-file=" + products.appending(path: "ObjectLifetime.build/module.modulemap").path,
            "-load-plugin-executable", products.appending(path: "TroveMacros-tool").path + "#TroveMacros",
        ]
    }

    /// Whether there is a compiler, and the plug-in beside the tests.
    static var isPossible: Bool {
        Tool.isInstalled("swiftc") && FileManager.default.fileExists(atPath: products.appending(path: "TroveMacros-tool").path)
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a source file; returns its path.
    func write(_ source: String, named name: String = "main.swift") throws -> String {
        let path = directory.file(name)
        try Data(source.utf8).write(to: URL(filePath: path))
        return path
    }

    /// The path of a file beside the sources.
    func file(_ name: String) -> String { directory.file(name) }

    /// What the compiler says of a source, each error once.
    func errors(in source: String, options: [String] = []) throws -> [String] {
        try errors(inEach: [source], options: options)[0]
    }

    /// What the compiler says of each of the files of one module, each error of a file once.
    func errors(inEach sources: [String], options: [String] = []) throws -> [[String]] {
        // One process for all files: of several, those that have not begun are left out when one has found an error.
        let paths = try sources.enumerated().map { try write($0.element, named: "Source\($0.offset).swift") }
        let (_, output) = try Tool.run("swiftc", ["-typecheck", "-whole-module-optimization"] + Self.arguments + options + paths)
        var found = Array(repeating: [String](), count: sources.count)
        for line in output.split(separator: "\n") where !line.hasPrefix(" ") {
            guard let range = line.range(of: ": error: ") else { continue }
            let message = String(line[range.upperBound...])
            // An error without a place, such as one of the options, is every file's.
            let files = paths.indices.filter { line.hasPrefix(paths[$0] + ":") }
            for file in files.isEmpty ? Array(paths.indices) : files where !found[file].contains(message) { found[file].append(message) }
        }
        return found
    }
}
