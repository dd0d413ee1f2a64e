import Foundation
import TestSupport
import Trove

/// A directory with `music.store`, on an engine that its name does not tell, in which commands are run by a shell.
final class CommandFixture {
    /// What a command did.
    struct Answer: Equatable {
        let status: Int32
        let output: String
        let errors: String
    }

    let directory: TemporaryDirectory

    /// - Parameter fill: what is stored; nothing is made when it is nil.
    init(_ engine: Engine, _ fill: ((ObjectStore) throws -> Void)? = Music.fill) throws {
        directory = try TemporaryDirectory()
        guard let fill else { return }
        let store = try ObjectStore(engine.open(directory.file("music.store")), models: Song.self, Album.self)
        try fill(store)
        try store.close()
    }

    /// Runs a line of a shell in the directory, in which `trove` is the program.
    func run(_ line: String, environment: [String: String] = [:]) throws -> Answer {
        let errors = directory.file("errors-\(UUID().uuidString)")
        let (status, output) = try Tool(at: Self.shell).run(["-c", try script("{ \(line)\n} 2> '\(errors)'", environment)])
        let answer = Answer(status: status, output: output, errors: try String(contentsOfFile: errors, encoding: .utf8))
        try FileManager.default.removeItem(atPath: errors)
        return answer
    }

    /// Starts a command in the directory, in a terminal of its own. It takes the place of the shell, which control-C would end otherwise.
    func terminal(_ line: String, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws -> TypedTerminal {
        try TypedTerminal(Self.shell, ["-c", try script("exec " + line, environment)], columns: columns, rows: rows)
    }

    private static let shell = URL(filePath: "/bin/sh")

    /// The line in the directory, with `trove` among the programs.
    private func script(_ line: String, _ environment: [String: String]) throws -> String {
        let program = try ProgramBesideTests.named("trove")
        let settings = environment.map { "export \($0.key)='\($0.value)'; " }.joined()
        return "cd '\(directory.path)'; PATH=\"\(program.deletingLastPathComponent().path):$PATH\"; unset NO_COLOR COLUMNS; \(settings)\(line)"
    }

    /// The names of the files in the directory.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }

    /// The bytes of a file.
    func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: directory.file(name))) }
}
