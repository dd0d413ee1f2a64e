import Foundation

/// How a file is compressed, and the tool that unpacks it.
enum Compression: String {
    case gzip
    case xz

    /// The compression that the end of a file's name tells; nil for a plain file.
    init?(of path: String) {
        switch URL(filePath: path).pathExtension.lowercased() {
        case "gz": self = .gzip
        case "xz": self = .xz
        default: return nil
        }
    }

    /// The tool, where the search path has it; nil when it is not installed.
    var tool: URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(filePath: String($0)).appending(path: rawValue) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
