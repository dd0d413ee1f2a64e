import Foundation
import Trove
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
    /// What the name of a file begins with that is written and not whole yet. A run that was broken off leaves such files, which say
    /// nothing, and the next one writes over them.
    private static let writingName = ".trove-writing"
    private static let mostSynchronizedOneByOne = 16

    /// Makes a folder, which is on the disk after the return, unless it is there.
    static func make(_ folder: URL) throws {
        guard mkdir(folder.path, 0o777) != 0 else { return synchronize(folder.deletingLastPathComponent()) }
        guard errno != EEXIST else { return }
        throw MirrorError.fileSystem(folder, reason: String(cString: strerror(errno)))
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

    /// A free path for the version of a file that lost.
    static func conflictPath(of path: String, in directory: URL, besides taken: [URL] = []) -> String {
        let (folder, name) = (path.prefix { $0 != "/" }, String(path.drop { $0 != "/" }.dropFirst()))
        var number = 1
        while true {
            let place = folder + "/" + FileName.conflictName(of: name, number)
            let url = directory.appending(path: place)
            if FileStamp(url.path, followsLinks: false) == nil, !FileManager.default.fileExists(atPath: url.path), !taken.contains(url) { return place }
            number += 1
        }
    }

    /// Writes files, each of which is there as a whole or not at all, whenever the process ends; after the return they are on the disk.
    ///
    /// - Parameter isStale: asked for each file, by its position, just before it takes its place: whether somebody else wrote there
    ///   meanwhile, and it is not to be written.
    /// - Returns: what is written down of each; nil for those that were not written.
    @discardableResult
    static func write(_ files: [(url: URL, data: Data)], unless isStale: (Int) -> Bool = { _ in false }) throws -> [FileStamp?] {
        guard !files.isEmpty else { return [] }
        var folders: Set<URL> = []
        var new: [URL] = []
        for (position, (url, data)) in files.enumerated() {
            let folder = url.deletingLastPathComponent()
            if folders.insert(folder).inserted { try make(folder) }
            new.append(folder.appending(path: "\(writingName)-\(position)"))
            try write(data, to: new[position].path, synchronizing: files.count <= mostSynchronizedOneByOne)
        }
        #if os(Linux)
        // Of many files, one call for all that is to be written is faster than one for each. On Linux it returns when everything is on the disk.
        if files.count > mostSynchronizedOneByOne { sync() }
        #endif
        let stamps = try files.indices.map { position in try place(new[position], at: files[position].url, unless: { isStale(position) }) }
        for folder in folders { synchronize(folder) }
        return stamps
    }

    /// Where a file of a folder is written before it takes its place.
    static func newFile(in folder: URL) -> URL { folder.appending(path: writingName) }

    /// Gives a file that was written its place; removes it instead when somebody else wrote there meanwhile.
    ///
    /// - Returns: what is written down of the file; nil of one that has not taken its place. It is taken before the file is where others can write it.
    static func place(_ new: URL, at url: URL, unless isStale: () -> Bool) throws -> FileStamp? {
        guard let stamp = FileStamp(new.path, followsLinks: false)?.certain, !isStale() else {
            try remove(new)
            return nil
        }
        guard rename(new.path, url.path) == 0 else { throw MirrorError.fileSystem(url, reason: String(cString: strerror(errno))) }
        return stamp
    }

    private static func write(_ data: Data, to path: String, synchronizing: Bool) throws {
        func failure() -> MirrorError { .fileSystem(URL(filePath: path), reason: String(cString: strerror(errno))) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        try data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw failure() }
                written += count
            }
        }
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        if synchronizing, fsync(descriptor) != 0, errno != EINVAL { throw failure() }
    }

    /// Where a file system cannot sync directories, nothing is done.
    static func synchronize(_ folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func move(_ url: URL, to place: URL) throws {
        guard rename(url.path, place.path) == 0 else { throw MirrorError.fileSystem(place, reason: String(cString: strerror(errno))) }
        synchronize(place.deletingLastPathComponent())
    }

    static func remove(_ url: URL) throws {
        guard unlink(url.path) != 0, errno != ENOENT else { return }
        throw MirrorError.fileSystem(url, reason: String(cString: strerror(errno)))
    }
}
