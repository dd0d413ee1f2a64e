import Foundation
import SyncRecorder
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The engine's own program that checks a file, when it is installed.
struct EngineTool {
    private let engine: Engine

    init(_ engine: Engine) { self.engine = engine }

    /// The programs that are asked.
    private var programs: [String] {
        switch engine {
        case .memory: []
        case .sqlite: ["sqlite3"]
        case .lmdb: ["mdb_stat", "mdb_dump"]
        case .tokyoCabinet: ["tcbmgr"]
        }
    }

    /// Those of the programs that are not installed.
    var missing: [String] { Tool.missing(of: programs) }

    /// What the programs have to say against a closed store; nil when they find it sound, or are missing.
    ///
    /// They look at a copy, because what they write would pass the recorder by.
    func complaint(about files: SeriesFiles) throws -> String? {
        guard missing.isEmpty else { return nil }
        let copy = try files.makeToolDirectory() + "/data"
        try FileManager.default.copyItem(atPath: files.store, toPath: copy)
        switch engine {
        case .memory: return nil
        case .sqlite:
            let (status, output) = try Self.run("sqlite3", [copy, "PRAGMA integrity_check"])
            return status == 0 && output == "ok\n" ? nil : "sqlite3 integrity_check: \(output.prefix(300))"
        case .lmdb:
            for arguments in [["mdb_stat", "-n", "-e", "-f", "-a", copy], ["mdb_dump", "-n", "-a", copy]] {
                let (status, output) = try Self.run(arguments[0], Array(arguments.dropFirst()))
                if status != 0 { return "\(arguments[0]): \(output.suffix(300))" }
            }
            return nil
        case .tokyoCabinet:
            let (status, information) = try Self.run("tcbmgr", ["inform", copy])
            let count = information.split(separator: "\n").first { $0.hasPrefix("record number:") }.flatMap { Int($0.dropFirst(15)) }
            guard status == 0, let count else { return "tcbmgr inform: \(information.prefix(300))" }
            let (listStatus, list) = try Self.run("tcbmgr", ["list", "-px", copy])
            let lines = list.utf8.count { $0 == UInt8(ascii: "\n") }
            return listStatus == 0 && lines == count ? nil : "tcbmgr lists \(lines) of \(count) records"
        }
    }

    /// Runs a program and returns its status and what it printed, errors too. Not as ``Tool`` runs it: the recorder takes the place of the calls.
    private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        guard let path = Tool(program)?.url.path else { throw ContentsError("\(program) is gone") }
        var ends: [Int32] = [0, 0]
        guard recorder_pipe(&ends) else { throw ContentsError("there is no pipe") }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let child = recorder_spawn(path, &words, ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard child >= 0 else { throw ContentsError("\(program) does not start") }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            output += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return (status, String(decoding: output, as: UTF8.self))
    }
}
