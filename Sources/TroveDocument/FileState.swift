import Foundation
import TroveBackendKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system tells of a document's file and of the files that its engine has beside it, to notice that somebody changed them.
///
/// The file is not opened for it, since the program may have it open: see ``EngineFile/init(at:)``.
struct FileState: Codable, Equatable {
    private let file: FileStamp?
    /// What the file is; nil of an engine that is not Trove's.
    let kind: EngineFile?
    /// The logs that a program left behind which wrote the file, by their endings. The size alone would not tell: SQLite's has room for commits to come.
    private let logs: [String: FileStamp]

    init(of url: URL, kind: EngineFile?) {
        file = FileStamp(url.path)
        self.kind = kind
        logs = Dictionary(uniqueKeysWithValues: (kind?.logEndings ?? EngineFile.everyLogEnding).compactMap { ending in
            // An empty log says nothing.
            FileStamp(url.path + ending).flatMap { $0.size > 0 ? (ending, $0) : nil }
        })
    }

    /// What was seen of a file, with all that might be its logs, once it is known what the file is.
    init(_ seen: FileState, kind: EngineFile?) {
        (file, self.kind) = (seen.file, kind)
        let endings = kind?.logEndings ?? EngineFile.everyLogEnding
        logs = seen.logs.filter { endings.contains($0.key) }
    }

    var hasFile: Bool { file != nil }

    var hasLogs: Bool { !logs.isEmpty }

    /// The files that an engine has beside one of a kind at a URL. What is no regular file is none of these.
    static func companions(of url: URL, kind: EngineFile?) -> [URL] {
        let endings = kind?.companionEndings ?? EngineFile.everyLogEnding
        return endings.map { URL(filePath: url.path + $0) }.filter { FileStamp($0.path, followsLinks: false) != nil }
    }
}

extension FileStamp {
    var changeDate: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) * 1e-9) }
}

extension URL {
    /// The file that a URL leads to through links, be it there or not: of one that is not there Foundation leaves also the links to its folder as they are,
    /// and one folder by two names would have two desks.
    var withoutLinks: URL {
        let resolved = resolvingSymlinksInPath()
        if FileManager.default.fileExists(atPath: resolved.path) { return resolved }
        return deletingLastPathComponent().resolvingSymlinksInPath().appending(path: lastPathComponent, directoryHint: .notDirectory)
    }

    /// Whether two URLs are of one file or folder that is there, by whatever names.
    func isSame(as other: URL) -> Bool {
        if path == other.path { return true }
        var (own, others) = (stat(), stat())
        return stat(path, &own) == 0 && stat(other.path, &others) == 0 && own.st_dev == others.st_dev && own.st_ino == others.st_ino
    }

    /// Returns when the file's bytes are on the disk.
    func synchronize() throws(DocumentError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fileSystem(self, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .fileSystem(self, reason: String(cString: strerror(errno))) }
    }

    /// Puts the file in the place of another, at once.
    func rename(to url: URL) throws(DocumentError) {
        guard Foundation.rename(path, url.path) == 0 else { throw .fileSystem(url, reason: String(cString: strerror(errno))) }
    }

    /// Removes the file, which may be gone. A folder stays, and is an error.
    func unlink() throws(DocumentError) {
        guard Foundation.unlink(path) == 0 || errno == ENOENT else { throw .fileSystem(self, reason: String(cString: strerror(errno))) }
    }

    /// Gives the file the permissions of another, as far as the system lets it.
    func takePermissions(of url: URL) {
        var information = stat()
        guard stat(url.path, &information) == 0 else { return }
        chmod(path, information.st_mode & 0o7777)
        _ = chown(path, information.st_uid, information.st_gid)
    }
}
