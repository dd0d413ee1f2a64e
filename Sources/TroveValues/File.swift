import Foundation
import Trove
import TroveBackendKit

/// A file that an object has: a name, and where it is, in a form that holds when the store or the application moves to another place or machine.
///
/// ```swift
/// @Model
/// struct Photo {
///     var title: String
///     var image: File
/// }
///
/// let image = try File.save(data, as: "2026/fjord.jpg", in: .blob, of: store)       // in the store, and in its transactions and backups
/// let scan = try File.save(data, as: "scans/1.pdf", in: .besideStore, of: store)     // a file in the store's folder
/// let logo = try File("images/logo.png", in: .application)                           // a file that came with the program
/// let bytes = try photo.image.contents(in: store)
/// ```
///
/// `Codable` writes it as Parse does, with the place beside: `{"__type": "File", "name": "2026/fjord.jpg", "place": "blob"}`; a
/// file of Parse, which has a `url`, is read.
///
/// A value that was decoded from what a stranger sent names whatever file he chose, in the user's home or by a `file:` URL too: look at ``place`` and ``name``
/// before it is opened, saved or deleted.
public struct File: Sendable, Hashable {
    /// Where a file is.
    public enum Place: String, Sendable, Hashable, Codable, CaseIterable {
        /// In the store, as the blob ``File/blobName``.
        case blob
        /// In the folder that the store's file is in, under another name than the store's own files have.
        case besideStore
        /// In the folder of the program's resources: the main bundle's.
        case application
        /// In the user's home folder.
        case home
        /// At a URL of its own.
        case url
    }

    /// The path from the place on, with `/` between folders; of a file at a URL, its name.
    public let name: String
    /// What the path begins at.
    public let place: Place
    private let ownURL: URL?

    /// A file at a place, which need not exist.
    ///
    /// - Throws: ``FileError/invalidName(_:reason:)`` for a path that is absolute, leaves the place by `..`, or has an empty part or a null byte in it.
    public init(_ name: String, in place: Place) throws {
        guard place != .url else { throw FileError.invalidName(name, reason: "a file at a URL is made of the URL") }
        // By bytes, as the system divides paths: a slash and a combining mark after it are one `Character`.
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if let problem = parts.lazy.compactMap({ Self.problem(Substring($0)) }).first { throw FileError.invalidName(name, reason: problem) }
        self.name = name
        self.place = place
        ownURL = nil
    }

    /// A file at a URL, as Parse has them.
    public init(name: String, url: URL) {
        self.name = name
        place = .url
        ownURL = url
    }

    /// A file that is somewhere below a place now, by its path from there.
    ///
    /// - Throws: ``FileError/isElsewhere(_:_:)``; as ``url(in:)``.
    public init(at url: URL, in place: Place, of store: ObjectStore) throws {
        guard place != .blob, place != .url, url.isFileURL else { throw FileError.isElsewhere(url, place) }
        let folder = try Self.folder(place, of: store).standardizedFileURL.pathComponents
        let parts = url.standardizedFileURL.pathComponents
        guard parts.count > folder.count, parts.starts(with: folder) else { throw FileError.isElsewhere(url, place) }
        try self.init(parts.dropFirst(folder.count).joined(separator: "/"), in: place)
        try requireNotOf(store, at: url)
    }

    private static func problem(_ part: Substring) -> String? {
        switch part {
        case "": "it has an empty part; a path from its place on begins with no '/'"
        case ".", "..": "'\(part)' leads elsewhere"
        case let part where part.utf8.contains(0): "it has a null byte in it"
        default: nil
        }
    }
}

extension File {
    /// The name of the blob that has the contents of a file in ``Place/blob``.
    public var blobName: String { "files/" + name }

    /// Where the file is on this machine now; nil of one in the store.
    ///
    /// - Throws: ``FileError/noFolder(_:)`` when the place has none, as beside a store in memory; ``FileError/invalidName(_:reason:)`` for a file of the
    ///   store itself.
    public func url(in store: ObjectStore) throws -> URL? {
        switch place {
        case .blob: return nil
        case .url:
            if let ownURL, ownURL.isFileURL { try requireNotOf(store, at: ownURL) }
            return ownURL
        case .besideStore, .application, .home:
            let url = try Self.folder(place, of: store).appending(path: name)
            try requireNotOf(store, at: url)
            return url
        }
    }

    /// Names may come from users: one like the store's would lead to the store, to be replaced or deleted while it is open. The user's home may have it too.
    private func requireNotOf(_ store: ObjectStore, at url: URL) throws(FileError) {
        guard FileManager.default.fileExists(atPath: store.path) else { return }
        let path = URL(filePath: store.path)
        // Also where the file system does not tell capitals.
        let own = path.lastPathComponent.lowercased()
        let endings = [""] + EngineFile.reservedEndings
        if let first = firstName(besideStoreAt: path, of: url)?.lowercased() {
            guard !endings.contains(where: { first == own + $0 }), !EngineFile.reservedBeginnings.contains(where: { first.hasPrefix(own + $0) }) else {
                throw .invalidName(name, reason: "the store's own files have such names")
            }
        }
        // Links, and whatever else the file system takes for the same name.
        guard let there = FileStamp(url.path(percentEncoded: false)) else { return }
        guard !endings.contains(where: { FileStamp(store.path + $0)?.isSameFile(as: there) ?? false }) else {
            throw .invalidName(name, reason: "it leads to a file of the store itself")
        }
    }

    /// The name in the store's folder that a path goes through; nil when it is elsewhere.
    private func firstName(besideStoreAt path: URL, of url: URL) -> String? {
        if place == .besideStore { return String(Substring(name.utf8.prefix { $0 != UInt8(ascii: "/") })) }
        func parts(_ url: URL) -> [String] { url.standardizedFileURL.resolvingSymlinksInPath().pathComponents }
        let folder = parts(path.deletingLastPathComponent())
        // The file itself may be a link, which is looked at by itself.
        let names = parts(url.deletingLastPathComponent()) + [url.lastPathComponent]
        guard names.count > folder.count, names[..<folder.count].map({ $0.lowercased() }) == folder.map({ $0.lowercased() }) else { return nil }
        return names[folder.count]
    }

    private static func folder(_ place: Place, of store: ObjectStore) throws -> URL {
        switch place {
        case .application:
            guard let folder = Bundle.main.resourceURL else { throw FileError.noFolder(place) }
            return folder
        case .home: return URL.homeDirectory
        case .besideStore:
            guard FileManager.default.fileExists(atPath: store.path) else { throw FileError.noFolder(place) }
            return URL(filePath: store.path).deletingLastPathComponent()
        case .blob, .url: throw FileError.noFolder(place)
        }
    }

    /// The bytes of the file.
    ///
    /// - Throws: ``FileError/missing(_:)``; ``FileError/isFolder(_:)``; ``FileError/isRemote(_:)`` for a URL that is no file's; what the file system says.
    public func contents(in store: ObjectStore) throws -> Data {
        guard let url = try url(in: store) else {
            guard let data = try store.blob(named: blobName) else { throw FileError.missing(self) }
            return data
        }
        guard url.isFileURL else { throw FileError.isRemote(url) }
        guard try isThere(url) else { throw FileError.missing(self) }
        return try Data(contentsOf: url)
    }

    /// Whether the file is there; false of one at a URL that is no file's.
    ///
    /// - Throws: ``FileError/isFolder(_:)``; as ``url(in:)``.
    public func exists(in store: ObjectStore) throws -> Bool {
        guard let url = try url(in: store) else { return try store.blobInfo(named: blobName) != nil }
        return try url.isFileURL && isThere(url)
    }

    /// Whether there is a file at a URL.
    ///
    /// - Throws: ``FileError/isFolder(_:)``: whoever named a file did not mean all that is in a folder.
    private func isThere(_ url: URL) throws(FileError) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false), isDirectory: &isFolder) else { return false }
        if isFolder.boolValue { throw .isFolder(self) }
        return true
    }

    /// Stores bytes as a file, in the place of one that is there.
    ///
    /// A file in the store is stored in a transaction. Another is written beside its place and put there at once, with the folders that it needs.
    ///
    /// - Throws: as ``init(_:in:)`` and ``url(in:)``; what the file system says.
    public static func save(_ data: Data, as name: String, in place: Place, of store: ObjectStore) throws -> File {
        let file = try File(name, in: place)
        guard let url = try file.url(in: store) else {
            try store.setBlob(data, named: file.blobName)
            return file
        }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url, options: .atomic)
        return file
    }

    /// Deletes the file; returns whether there was one.
    ///
    /// - Throws: ``FileError/isFolder(_:)``; ``FileError/isRemote(_:)``; as ``url(in:)``; what the file system says.
    @discardableResult
    public func delete(from store: ObjectStore) throws -> Bool {
        guard let url = try url(in: store) else { return try store.deleteBlob(named: blobName) }
        guard url.isFileURL else { throw FileError.isRemote(url) }
        guard try isThere(url) else { return false }
        try FileManager.default.removeItem(at: url)
        return true
    }
}

extension File: CustomStringConvertible {
    /// The name and the place, as in `2026/fjord.jpg (blob)`.
    public var description: String { "\(name) (\(ownURL?.absoluteString ?? place.rawValue))" }
}

extension File: Codable {
    private enum CodingKeys: String, CodingKey {
        case type = "__type"
        case name, place, url
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("File", forKey: .type)
        try container.encode(name, forKey: .name)
        if let ownURL {
            try container.encode(ownURL.absoluteString, forKey: .url)
        } else {
            try container.encode(place, forKey: .place)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.checkType(named: "File", forKey: .type)
        let name = try container.decode(String.self, forKey: .name)
        if let place = try container.decodeIfPresent(Place.self, forKey: .place) {
            do {
                try self.init(name, in: place)
            } catch {
                throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "\(error)")
            }
        } else {
            guard let url = URL(string: try container.decode(String.self, forKey: .url)) else {
                throw DecodingError.dataCorruptedError(forKey: .url, in: container, debugDescription: "it is no URL")
            }
            self.init(name: name, url: url)
        }
    }
}
