import Foundation

/// Where and with what a run was made.
struct RunEnvironment: Codable, Sendable {
    let date: String
    let machine: String
    let system: String
    /// The file system the stores were on.
    let fileSystem: String
    /// Trove's commit; `+` when sources were changed since.
    let commit: String
    let swift: String
    /// The versions of engines and libraries, by name.
    let versions: [String: String]

    /// The versions in one line.
    var versionText: String { versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }

    static func current(directory: String) -> RunEnvironment {
        RunEnvironment(
            date: Date.now.formatted(.iso8601.year().month().day()), machine: machine(), system: system(),
            fileSystem: ChildProcess.firstLine(
                "findmnt", "-n", "-o", "FSTYPE", "-T", URL(fileURLWithPath: directory).deletingLastPathComponent().path)
                ?? "unknown file system",
            commit: commit(), swift: ChildProcess.firstLine("swift", "--version") ?? "unknown",
            versions: [
                "SQLite": RawContestant.sqlite.engineVersion,
                "LMDB": RawContestant.lmdb.engineVersion,
                "Tokyo Cabinet": RawContestant.tokyoCabinet.engineVersion,
                "GRDB": resolvedVersion(of: "grdb.swift") ?? "unknown",
            ])
    }

    /// What makes figures of another environment no repeats of this one's, in words.
    func differences(from other: RunEnvironment) -> [String] {
        let pairs = [
            ("the commit", commit, other.commit), ("the machine", machine, other.machine), ("the system", system, other.system),
            ("the file system", fileSystem, other.fileSystem), ("the compiler", swift, other.swift),
        ]
        return pairs.filter { $0.1 != $0.2 }.map(\.0) + (versions == other.versions ? [] : ["the engines' versions"])
    }

    private static func machine() -> String {
        let information = ProcessInfo.processInfo
        let memory = Int((Double(information.physicalMemory) / 1_073_741_824).rounded())
        return "\(processor() ?? "unknown processor"), \(information.activeProcessorCount) cores, \(memory) GB"
    }

    private static func processor() -> String? {
        guard let text = FileManager.default.contents(atPath: "/proc/cpuinfo") else {
            return ChildProcess.firstLine("sysctl", "-n", "machdep.cpu.brand_string")
        }
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    }

    private static func system() -> String {
        let kernel = ChildProcess.firstLine("uname", "-sr") ?? "unknown kernel"
        guard let text = FileManager.default.contents(atPath: "/etc/os-release") else { return kernel }
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name = line?.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        return [name, kernel].compactMap { $0 }.joined(separator: ", ")
    }

    /// The folder of the benchmarks' package.
    static var package: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    private static func commit() -> String {
        guard let commit = ChildProcess.firstLine("git", "-C", package.path, "rev-parse", "--short=12", "HEAD") else { return "unknown" }
        let isChanged = ChildProcess.firstLine(
            "git", "-C", package.path, "status", "--porcelain", "--", ":(top)Sources", ":(top)Backends", ":(top)Benchmarks", ":(top)Package.swift") != nil
        return isChanged ? commit + "+" : commit
    }

    private static func resolvedVersion(of identity: String) -> String? {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { let version: String? }
                let identity: String
                let state: State
            }
            let pins: [Pin]
        }
        guard let file = FileManager.default.contents(atPath: package.appendingPathComponent("Package.resolved").path) else { return nil }
        do {
            return try JSONDecoder().decode(Resolved.self, from: file).pins.first { $0.identity == identity }?.state.version
        } catch {
            return nil
        }
    }
}
