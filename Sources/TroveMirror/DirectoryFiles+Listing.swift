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

extension DirectoryFiles {
    /// What is in a folder of a model.
    enum Entry {
        /// - Parameter known: what is written down of it once it was read: see ``FileStamp/certain``.
        case file(FileStamp, known: FileStamp)
        /// What cannot be read, and why.
        case refused(String)
    }

    /// All JSON files in the folders of models, in a directory, by their paths, and what may be one and is not read. Hidden files, and those that other
    /// programs put there, are passed over.
    ///
    /// - Parameter isKnown: whether there was a file at a path at the last synchronization.
    /// - Throws: ``MirrorError/fileSystem(_:reason:)`` for a folder that cannot be listed: what is in it is not gone.
    static func all(in directory: URL, isKnown: (String) -> Bool) throws -> [String: Entry] {
        var found: [String: Entry] = [:]
        for folder in try names(in: directory.path) where !folder.hasPrefix(".") && !folder.hasPrefix("$") {
            var others: [String] = []
            for name in try names(in: directory.path + "/" + folder) {
                guard name.hasSuffix(".json"), !name.hasPrefix("."), !FileName.isConflict(name) else {
                    others.append(name)
                    continue
                }
                let path = folder + "/" + name
                if found[path] != nil {
                    // Texts are equal whatever form their accents have; names of files are not.
                    found[path] = .refused("another file has this name with accents in another form; delete one of them")
                } else {
                    found[path] =
                        FileStamp(directory.path + "/" + path, followsLinks: false).map { .file($0, known: $0.certain) } ?? .refused("it is no regular file")
                }
            }
            // What a missing file may have become: it is not gone then.
            for name in others.sorted() {
                guard let (path, reason) = try doubt(name, in: folder, of: directory, isKnown), found[path] == nil else { continue }
                found[path] = .refused(reason)
            }
        }
        return found
    }

    /// What may be a JSON file under another name or in another place: whose path is to be told, and why it is not read; nil for what is passed over.
    private static func doubt(_ name: String, in folder: String, of directory: URL, _ isKnown: (String) -> Bool) throws -> (path: String, reason: String)? {
        if let original = FileName.evicted(name) {
            return original.hasSuffix(".json") && !FileName.isConflict(original)
                ? (folder + "/" + original, "it is not on this machine, as \(name) says; download it") : nil
        }
        if let end = name.range(of: ".json", options: .backwards)?.upperBound, end < name.endIndex, !FileName.isConflict(name) {
            // A backup beside its file is none; one that is left alone may be what the file was renamed to.
            let path = folder + "/" + name[..<end].drop { $0 == "." }
            return isKnown(path) ? (path, "it is away, and \(name) may be it; give that one its name again, or delete it") : nil
        }
        guard !name.hasPrefix("."), !FileName.isConflict(name) else { return nil }
        if name.lowercased().hasSuffix(".json") { return (folder + "/" + name, "its name ends in another form of .json; write that in small letters") }
        return try hasJSON(in: directory.path + "/" + folder + "/" + name)
            ? (folder + "/" + name, "it is a folder with JSON files, which are not read there; move them into \(folder), or elsewhere") : nil
    }

    /// Whether a folder has JSON files, at any depth. Links are not followed: they may lead in a circle.
    private static func hasJSON(in folder: String) throws -> Bool {
        var information = stat()
        guard lstat(folder, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else { return false }
        return try names(in: folder).contains { name in
            let shown = FileName.evicted(name) ?? name
            guard !shown.hasPrefix(".") else { return false }
            return try shown.lowercased().hasSuffix(".json") || hasJSON(in: folder + "/" + name)
        }
    }

    /// The names in a folder; none of what is there and is no folder, and where nothing is.
    static func names(in folder: String) throws -> [String] {
        var information = stat()
        guard stat(folder, &information) == 0 else {
            // Whatever else the system says, the folder may be there.
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw MirrorError.fileSystem(URL(filePath: folder), reason: String(cString: strerror(errno)))
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw MirrorError.fileSystem(URL(filePath: folder), reason: FileFailure.reason(of: error))
        }
    }
}
