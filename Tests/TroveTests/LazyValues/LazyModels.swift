import Foundation
import Synchronization
import TestSupport

@testable import Trove

/// What encodes itself.
struct LazyDrawing: Codable, Sendable, Hashable {
    var points: [Double]
}

@Model struct LazyPhoto: Equatable {
    var id: Int
    var title: String
    @Attribute(.fullText) var text: Lazy<String>
    var image: Lazy<Data?> = Lazy(nil)
    var drawing: Lazy<LazyDrawing> = Lazy(LazyDrawing(points: []))
    @Attribute(.writeOnce) var scan: Lazy<Data?> = Lazy(nil)
}

@Model final class LazyArticle {
    var title: String
    @Attribute(.lazy, .fullText) var text: String = ""
    @Attribute(.lazy) var scan: Data?
    @Attribute(.lazy) var drawing: LazyDrawing?
    @Relationship(deleteRule: .cascade) var notes: [LazyNote] = []

    init(title: String, text: String = "") {
        self.title = title
        self.text = text
    }
}

@Model final class LazyNote {
    @Attribute(.lazy) var text: String = ""
    @Relationship(inverse: \LazyArticle.notes) var article: LazyArticle?

    init(text: String) { self.text = text }
}

/// What encodes itself otherwise after each time it is read.
struct LazyCounted: Codable, Sendable, Hashable {
    var words: [String]
    var reads = 0

    init(_ words: [String]) { self.words = words }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        words = try values.decode([String].self, forKey: .words)
        reads = try values.decode(Int.self, forKey: .reads) + 1
    }
}

/// What encodes itself otherwise each time.
struct LazyRestless: Codable, Sendable {
    private static let encodings = Atomic<Int>(0)

    var words: [String]

    init(_ words: [String]) { self.words = words }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        _ = try values.decode(Int.self)
        words = try values.decode([String].self)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(Self.encodings.add(1, ordering: .relaxed).newValue)
        try values.encode(words)
    }
}

@Model final class LazyTagged {
    var title: String
    @Attribute(.lazy) var counted: LazyCounted?
    @Attribute(.lazy) var restless: LazyRestless?

    init(title: String) { self.title = title }
}

@AbstractModel class LazyMedia {
    var title = ""
    @Attribute(.lazy) var cover: Data?

    init() {}
}

@Model final class LazyFilm: LazyMedia {
    @Attribute(.lazy) var script: String = "?"
    var year = 0
}

enum LazyFixture {
    static func open(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: LazyPhoto.self, LazyArticle.self, LazyNote.self, LazyFilm.self, LazyTagged.self)
        }
    }

    /// A text that does not fit in a record.
    static func text(_ word: String, _ count: Int = 40) -> String { (0..<count).map { "\(word)\($0)" }.joined(separator: " ") }

    static func data(_ byte: UInt8, _ count: Int = 5_000) -> Data { Data(repeating: byte, count: count) }
}

extension ObjectStore {
    /// The number of values of a model that are kept apart from its records.
    func annexCount(_ modelName: String) throws -> Int {
        try core.backend.read { reader in try reader.keyspace(named: AnnexSpace.name(of: modelName)).map { try reader.count(in: $0) } ?? 0 }
    }

    /// Changes the bytes of the values that are kept apart; nil removes one.
    func forgeAnnexes(_ modelName: String, _ change: ([UInt8]) -> [UInt8]?) throws {
        try core.backend.write(.relaxed) { (writer: any StorageWriter) in
            guard let keyspace = try writer.keyspace(named: AnnexSpace.name(of: modelName)) else { return }
            var entries: [(key: [UInt8], value: [UInt8])] = []
            try writer.scan(in: keyspace) { key, value in
                entries.append(([UInt8](copying: key), [UInt8](copying: value)))
                return .next
            }
            for entry in entries {
                if let changed = change(entry.value) { try writer.put(entry.key, changed, in: keyspace) } else { try writer.delete(entry.key, in: keyspace) }
            }
        }
    }
}

/// Whether an error is that of a value that is not stored any more.
func isGone(_ error: any Error, _ property: String) -> Bool {
    guard case TroveError.lazyValueGone(_, _, property) = error else { return false }
    return true
}
