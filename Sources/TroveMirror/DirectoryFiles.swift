import Foundation
import TroveBackendKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files of a mirror's directory.
enum DirectoryFiles {
    /// A file or folder that the system does not let the mirror change.
    struct Failure: Error {
        let url: URL
        /// The system's number of the error.
        let code: Int32

        init(_ url: URL, _ code: Int32 = errno) { (self.url, self.code) = (url, code) }

        var reason: String { String(cString: strerror(code)) }

        /// Whether it says that the disk is full or broken, which is no matter of one file.
        var isOfDisk: Bool { [ENOSPC, EDQUOT, EIO].contains(code) }

        /// For who asked for the run.
        var error: MirrorError { .fileSystem(url, reason: reason) }
    }

    /// Makes a folder, which is on the disk after the return, unless it is there.
    static func make(_ folder: URL) throws {
        guard mkdir(folder.path, 0o777) != 0 else { return synchronize(folder.deletingLastPathComponent()) }
        guard errno != EEXIST else { return }
        throw Failure(folder)
    }

    /// What is in the way of a folder that could not be made, and what to do about it; nil where the folders above it are there.
    static func obstacle(to folder: URL) -> String? {
        var place = folder.standardizedFileURL
        var information = stat()
        while stat(place.path, &information) != 0 {
            if lstat(place.path, &information) == 0 { return "\(place.path) is a link that leads to nothing; remove it, or choose another directory" }
            guard place.path != "/" else { return nil }
            place.deleteLastPathComponent()
        }
        return information.st_mode & S_IFMT == S_IFDIR ? nil : "\(place.path) is a file; move it away, or choose another directory"
    }

    /// A free path for the version of a file that lost, or that of a version with the same bytes, as a run has written that did not come to its end.
    ///
    /// - Parameter isTaken: whether another version gets a path.
    static func conflictPath(
        of path: String, in directory: URL, for data: Data? = nil, isTaken: (String) -> Bool = { _ in false }
    ) -> (path: String, isThere: Bool) {
        let (folder, name) = (path.prefix { $0 != "/" }, String(path.drop { $0 != "/" }.dropFirst()))
        var number = 1
        while true {
            let place = folder + "/" + FileName.conflictName(of: name, number)
            let url = directory.appending(path: place)
            if let stamp = FileStamp(url.path, followsLinks: false) {
                if let data, stamp.size == data.count, (try? Data(contentsOf: url)) == data { return (place, true) }
            } else if !FileManager.default.fileExists(atPath: url.path), !isTaken(url.path) {
                return (place, false)
            }
            number += 1
        }
    }

    /// Where a file system cannot sync directories, nothing is done.
    static func synchronize(_ folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func move(_ url: URL, to place: URL) throws {
        guard rename(url.path, place.path) == 0 else { throw Failure(place) }
        synchronize(place.deletingLastPathComponent())
    }

    static func remove(_ url: URL) throws {
        guard unlink(url.path) != 0, errno != ENOENT else { return }
        throw Failure(url)
    }
}
