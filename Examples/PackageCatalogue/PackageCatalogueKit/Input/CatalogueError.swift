/// What is wrong with the input or with where the stores should go.
enum CatalogueError: Error, Equatable {
    case noSuchFile(path: String)
    case unreadable(path: String, reason: String)
    case toolMissing(tool: String, path: String)
    case unpackingFailed(tool: String, path: String, reason: String)
    case invalidRow(path: String, line: Int, reason: String)
    case duplicate(path: String, line: Int, name: String)
    case tooFewPackages(path: String, count: Int)
    case directoryFailed(path: String, reason: String)
    case storeExists(path: String)
}

extension CatalogueError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noSuchFile(let path):
            "there is no file '\(path)'"
        case .unreadable(let path, let reason):
            "'\(path)' cannot be read: \(reason)"
        case .toolMissing(let tool, let path):
            "'\(path)' needs the tool '\(tool)', which is not installed; install it, or unpack the file and pass the plain one"
        case .unpackingFailed(let tool, let path, let reason):
            "'\(path)' cannot be unpacked with \(tool): \(reason)"
        case .invalidRow(let path, let line, let reason):
            "\(path), line \(line): \(reason)"
        case .duplicate(let path, let line, let name):
            "\(path), line \(line): there is a package '\(name)' already; names must be unique"
        case .tooFewPackages(let path, let count):
            "'\(path)' holds \(count) package\(count == 1 ? "" : "s"); the demo needs two at least"
        case .directoryFailed(let path, let reason):
            "the stores cannot be kept in '\(path)': \(reason)"
        case .storeExists(let path):
            "'\(path)' exists already; name another directory, or remove it"
        }
    }
}
