import Foundation

/// Why a directory and a store could not be brought into step at all. What is wrong with single files and objects is in the ``MirrorReport``.
public enum MirrorError: Error, Sendable, Equatable {
    /// There is no directory at the URL, and none can be made there.
    case noDirectory(URL, reason: String)
    /// Another mirror, in this process or another, has the directory.
    case inUse(URL)
    /// The directory is the mirror of another store.
    case otherStore(URL)
    /// What was written down at the last synchronization cannot be read.
    case unreadableLedger(URL, reason: String)
    /// So many files are gone that the directory may not be what it was, as one that is not mounted or half copied.
    case manyFilesGone(URL, objects: Int)
    /// A file of the mirror's own could not be read or written.
    case fileSystem(URL, reason: String)
}

extension MirrorError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .noDirectory(let url, let reason): "There is no directory \(url.path), and it cannot be made: \(reason)."
        case .inUse(let url): "Another mirror has the directory \(url.path). Stop that one first."
        case .otherStore(let url): "The directory \(url.path) is the mirror of another store. Choose another directory."
        case .unreadableLedger(let url, let reason):
            "\(url.path), which has what files and store had in common last, cannot be read: \(reason). Restore it, or delete it: then files and store are compared without it, and whatever differs is a conflict."
        case .manyFilesGone(let url, let objects):
            "The files of \(objects) objects or blobs are gone from \(url.path). If they were deleted on purpose, synchronize with allowingDeletions: true; otherwise restore the directory."
        case .fileSystem(let url, let reason): "\(url.path): \(reason)"
        }
    }

    public var errorDescription: String? { description }
}
