import Foundation
import TestSupport
import Trove
import TroveCrypto
import TroveDocument

@Model struct Song: Equatable {
    var id: Int
    @Attribute(.indexed) var title: String
    @Attribute(.fullText) var notes: String = ""
}

/// The engines that documents are of here: each that keeps a file, and one that is encrypted.
enum DocumentKind: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite, lmdb, tokyoCabinet, sealed

    var description: String { rawValue }

    var engine: DocumentEngine { DocumentEngine(rawValue) { try open($0) } }

    /// The engine on a file, without a document.
    func open(_ path: String) throws -> any StorageBackend {
        switch self {
        case .sqlite: try Engine.sqlite.open(path)
        case .lmdb: try Engine.lmdb.open(path)
        case .tokyoCabinet: try Engine.tokyoCabinet.open(path)
        case .sealed: try EncryptedBackend(Engine.lmdb.open(path), key: .raw([UInt8](repeating: 7, count: 32)))
        }
    }

    /// Another one.
    var other: DocumentKind { self == .sqlite ? .lmdb : .sqlite }
}

/// A folder for documents, and the songs that a file has, read without a document.
struct DocumentFolder {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func url(_ name: String = "library.trove") -> URL { URL(filePath: directory.file(name)) }

    /// The songs of a file, by its engine, in a copy of the folder, so that the file and what is beside it stay as they are.
    func songs(_ kind: DocumentKind, _ name: String = "library.trove") throws -> [Int: String] {
        let copy = try TemporaryDirectory()
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) where file.hasPrefix(name) {
            try FileManager.default.copyItem(atPath: directory.file(file), toPath: copy.file(file))
        }
        let store = try ObjectStore(kind.open(copy.file(name)), access: .readOnly, models: Song.self)
        defer { try? store.close() }
        guard try store.verify().isSound else { throw Unsound() }
        return try Self.songs(store)
    }

    struct Unsound: Error {}

    static func songs(_ store: ObjectStore) throws -> [Int: String] {
        Dictionary(uniqueKeysWithValues: try store.fetch(Song.self).all().map { ($0.id, $0.title) })
    }

    /// Makes a document's file.
    func make(_ kind: DocumentKind, _ titles: [String], _ name: String = "library.trove") throws {
        let store = try ObjectStore(kind.open(url(name).path), models: Song.self)
        try store.save(titles.enumerated().map { Song(id: $0.offset, title: $0.element) })
        try store.close()
    }

    func open(_ kind: DocumentKind, _ recovery: StoreDocument.Recovery = .ask, _ name: String = "library.trove") throws -> StoreDocument {
        try StoreDocument(at: url(name), engine: kind.engine, recovery: recovery, models: [Song.self])
    }

    /// The names of all files of the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
}
