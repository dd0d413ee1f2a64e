import Foundation
import TestSupport
import Trove
@testable import TroveMirror

@Model struct Song: Equatable {
    var id: Int
    @Attribute(.indexed) var title: String
    var year: Int?
    var tags: [String] = []
    var rating: Double?
}

@Model struct Line: Equatable {
    var id: Int
    var text: String
}

@Model struct Poem: Equatable {
    var id: String
    @Attribute(.unique) var title: String
    @Relationship(deleteRule: .cascade) var lines: [Reference<Line>] = []
}

@Model struct Shelf: Equatable {
    let id: String
    var note = ""
    var books: [Reference<Book>] = []
}

@Model struct Book: Equatable {
    let id: Int
    var title: String
    @Relationship(inverse: \Shelf.books) var shelf: Reference<Shelf>?
}

/// Owns the next one, in a circle perhaps.
@Model struct Ring: Equatable {
    let id: Int
    @Relationship(deleteRule: .cascade) var next: Reference<Ring>?
}

/// Its properties are its id.
@Model struct City: Equatable {
    #Unique<City>([\.country, \.name], identity: true)
    let country: String
    let name: String
    var size: Int?
    var rivers: [String] = []
}

/// A text stands for its id.
@Model struct Visit: Equatable {
    let id: UUID
    var place: String
}

/// A store and the directory that mirrors it.
struct MirrorFixture {
    let base: StoreFixture
    let folder: TemporaryDirectory
    private var opened: StoreMirror?

    var mirror: StoreMirror { opened! }
    var store: ObjectStore { base.store }

    init(_ engine: Engine) throws {
        base = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self, Poem.self, Line.self, Book.self, Shelf.self, Ring.self, City.self, Visit.self) }
        folder = try TemporaryDirectory()
        opened = try StoreMirror(base.store, at: URL(filePath: folder.file("mirror")))
    }

    /// Lets the mirror go and opens another, which knows only what the directory says.
    mutating func reopenMirror() throws {
        let directory = mirror.directory
        opened = nil
        opened = try StoreMirror(base.store, at: directory)
    }

    /// The same with a mirror that calls `body` before a file that it misses is gone.
    mutating func reopenMirror(waitForEditors body: @escaping @Sendable () -> Void) throws {
        let directory = mirror.directory
        opened = nil
        opened = try StoreMirror(base.store, at: directory, waitForEditors: body)
    }

    func url(_ path: String) -> URL { mirror.directory.appending(path: path) }

    func text(_ path: String) throws -> String { String(decoding: try Data(contentsOf: url(path)), as: UTF8.self) }

    func write(_ text: String, _ path: String) throws {
        try FileManager.default.createDirectory(at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url(path))
    }

    func edit(_ path: String, _ old: String, _ new: String) throws {
        let text = try text(path)
        guard text.contains(old) else { throw Missing(what: "\(old) in \(text)") }
        try write(text.replacing(old, with: new), path)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(at: url(path)) }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    /// The paths of all files that people see.
    func paths() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: mirror.directory.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in !path.hasPrefix(".trove-mirror") && (try? FileManager.default.contentsOfDirectory(atPath: url(path).path)) == nil }.sorted()
    }

    struct Missing: Error { let what: String }
}
