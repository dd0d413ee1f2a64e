import Foundation

/// What is wrong with a file of an object.
public enum FileError: Error, Sendable, Hashable {
    /// The path is none from a place on.
    case invalidName(String, reason: String)
    /// The URL is not below the place.
    case isElsewhere(URL, File.Place)
    /// The place has no folder.
    case noFolder(File.Place)
    /// There is no such file.
    case missing(File)
    /// There is a folder of this name.
    case isFolder(File)
    /// The file is at a URL that is no file's.
    case isRemote(URL)
}

extension FileError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .invalidName(let name, let reason): "'\(name)' is not the path of a file: \(reason)."
        case .isElsewhere(let url, let place):
            "\(url.absoluteString) is not below the place \(place.rawValue). Choose the place that it is in, or store its contents."
        case .noFolder(let place): "The place \(place.rawValue) has no folder here, as beside a store in memory. Choose another one."
        case .missing(let file): "There is no file '\(file.name)' in the place \(file.place.rawValue)."
        case .isFolder(let file): "'\(file.name)' in the place \(file.place.rawValue) is a folder, and not a file."
        case .isRemote(let url): "\(url.absoluteString) is not a file of this machine. Load it, and store its contents with File.save."
        }
    }

    public var errorDescription: String? { description }
}
