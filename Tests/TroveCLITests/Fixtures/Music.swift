import Foundation
import TestSupport
import Trove

/// What the examples of the help and the docs are about, with values in it that are hard to show.
@Model struct Song: Equatable {
    var id: Int
    var title: String
    @Attribute(.indexed) var artist: String
    var year: Int
    var rating: Double?
    var released: Date?
    var tags: [String] = []
    @Relationship var album: Reference<Album>?
}

@Model struct Album: Equatable {
    var id: String
    @Attribute(.unique) var number: Int
}

enum Music {
    static let noteIDs = ["0192f0c1-0000-7000-8000-000000000001", "0192f0c1-0000-7000-8000-000000000002"].map { ObjectID($0)! }
    static let cover = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    static let songs = [
        Song(
            id: 1, title: "So What", artist: "Miles Davis", year: 1959, rating: 4.5, released: Date(timeIntervalSinceReferenceDate: -1_305_763_200),
            tags: ["modal", "live"], album: Reference(id: "Kind of Blue")),
        Song(id: 2, title: "Autumn Leaves", artist: "Bill Evans", year: 1959, rating: nil, released: nil),
        Song(id: 3, title: "", artist: "=1+1", year: -5, rating: -0.5, released: nil),
        Song(
            id: 4, title: "red\u{1B}[31m \u{202E}txt.exe\nsecond, \"quoted\" 🎷 日本語", artist: "∅", year: 2_000, rating: 1e300, released: nil, tags: ["a|b", "<i>"]),
    ]

    /// Stores everything.
    static func fill(_ store: ObjectStore) throws {
        try store.save(Album(id: "Kind of Blue", number: 1))
        try store.save(songs)
        let notes: [Document] = [
            Document(["title": "Fjord", "author": ["name": "Ann", "born": 1_950], "tags": ["sea"], "rating": 7], id: noteIDs[0], className: "Note"),
            Document(["title": .null, "a\u{1B}b": "x", "$odd": true, "mark\u{301}": "y"], id: noteIDs[1]),
        ]
        try store.documents("notes").save(notes)
        let bag = Bag(named: "tonight", in: store)
        bag.add(songs[1])
        bag.add(songs[0])
        try bag.save()
        try store.setBlob(cover, named: "cover")
        try store.setMetadata(.date(Date(timeIntervalSinceReferenceDate: 0)), forKey: "last import")
    }
}
