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
    /// What the name of a file ends with that is written and not whole yet. A run that was broken off leaves such files, and they say nothing.
    private static let writingEnding = ".trove-writing"
    private static let mostSynchronizedOneByOne = 16

    /// The paths of all JSON files in the folders of models, in a directory, with their stamps; nil for what is there and is no regular file. Hidden files, and those that other programs
    /// put there, are passed over.
    ///
    /// - Throws: ``MirrorError/fileSystem(_:reason:)`` for a folder that cannot be listed: what is in it is not gone.
    static func all(in directory: URL) throws -> [String: FileStamp?] {
        var found: [String: FileStamp?] = [:]
        for folder in try names(in: directory.path) where !folder.hasPrefix(".") && !folder.hasPrefix("$") {
            for name in try names(in: directory.path + "/" + folder) where name.hasSuffix(".json") && !name.hasPrefix(".") && !isConflict(name) {
                found.updateValue(FileStamp(directory.path + "/" + folder + "/" + name, followsLinks: false), forKey: folder + "/" + name)
            }
        }
        return found
    }

    /// The names in a folder; none of what is there and is no folder, and where nothing is.
    static func names(in folder: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw MirrorError.fileSystem(URL(filePath: folder), reason: error.localizedDescription)
        }
    }

    /// The versions that lost to the store's.
    private static func isConflict(_ name: String) -> Bool { name.contains(".conflict") }

    /// A free name for the version of a file that lost.
    static func conflictPath(of path: String, in directory: URL, besides taken: [URL] = []) -> String {
        let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
        let names = ["\(stem).conflict.json"] + (2..<10_000).map { (number: Int) -> String in "\(stem).conflict-\(number).json" }
        return names.first { name in
            !FileManager.default.fileExists(atPath: directory.path + "/" + name) && !taken.contains { $0.path == directory.path + "/" + name }
        } ?? "\(stem).conflict-\(UUID().uuidString).json"
    }

    /// Writes files, each of which is there as a whole or not at all, whenever the process ends; after the return they are on the disk.
    static func write(_ files: [(url: URL, data: Data)]) throws {
        guard !files.isEmpty else { return }
        var folders: Set<URL> = []
        for (url, data) in files {
            let folder = url.deletingLastPathComponent()
            if folders.insert(folder).inserted {
                do {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                } catch {
                    throw MirrorError.fileSystem(folder, reason: error.localizedDescription)
                }
            }
            try write(data, to: url.path + writingEnding, synchronizing: files.count <= mostSynchronizedOneByOne)
        }
        #if os(Linux)
        // Of many files, one call for all that is to be written is faster than one for each. On Linux it returns when everything is on the disk.
        if files.count > mostSynchronizedOneByOne { sync() }
        #endif
        for (url, _) in files {
            guard rename(url.path + writingEnding, url.path) == 0 else { throw MirrorError.fileSystem(url, reason: String(cString: strerror(errno))) }
        }
        for folder in folders { synchronize(folder) }
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
    private static func synchronize(_ folder: URL) {
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
