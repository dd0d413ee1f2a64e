import Trove

// Models with everything that a save keeps: indexes of all kinds, kept sums, words, parts of words, a unique value, both sides of a relationship.
// A key path names a model that is declared before: the compiler (6.3) fails on others in the argument of a macro.

@Model("FaultSong") struct FaultSong: Hashable {
    #Index<FaultSong>([\.artist, \.year], aggregates: [.count, .sum(\.plays)])
    var id: Int
    @Attribute(.unique) var code: String
    @Attribute(.fullText) var title: String
    @Attribute(.substring) var note: String
    @Attribute(.indexed) var tags: [String] = []
    var artist: String
    var year: Int
    var plays: Int
    var album: Reference<FaultAlbum>?

    static func sample(_ number: Int, plays: Int? = nil, album: Int? = nil) -> FaultSong {
        FaultSong(
            id: number, code: "code \(number)", title: "Autumn leaves number \(number)", note: "take \(number % 3) of many",
            tags: ["tag \(number % 4)", "jazz"], artist: "artist \(number % 3)", year: 1950 + number % 5, plays: plays ?? number,
            album: Reference<FaultAlbum>(id: album ?? number % 3))
    }
}

@Model("FaultAlbum") struct FaultAlbum: Hashable {
    var id: Int
    @Attribute(.indexed) var name: String
    @Relationship(deleteRule: .cascade, inverse: \FaultSong.album) var songs: [Reference<FaultSong>] = []
}

/// The song of a later version: no album, no index of artists, another of years; a field renamed, one widened, one converted.
@Model("FaultSong", version: 2) struct FaultSongLater: Hashable {
    var id: Int
    @Attribute(.unique) var code: String
    @Attribute(.fullText, originalName: "title") var name: String
    var note: String
    @Attribute(.indexed) var year: Int
    var plays: Double = 0
    var label: String = "none"

    mutating func upgrade(from old: StoredRecord) throws {
        plays = Double(try old.value(of: "plays", as: Int.self))
        label = "label of \(try old.value(of: "artist", as: String.self))"
    }
}

/// The song of the first version without any index.
@Model("FaultSong") struct FaultSongPlain: Hashable {
    var id: Int
    var code: String
    var title: String
    var note: String
    var tags: [String] = []
    var artist: String
    var year: Int
    var plays: Int
}

/// A live object, with owned ones.
@Model final class FaultShelf {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \FaultBook.shelf) var books: [FaultBook] = []

    init(name: String) { self.name = name }
}

@Model final class FaultBook {
    @Attribute(.indexed) var title: String
    @Relationship var shelf: FaultShelf?

    init(title: String) { self.title = title }
}
