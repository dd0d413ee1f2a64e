import Foundation
import TestSupport
@testable import Trove

/// What queries are run on: values that repeat, nil, long and short texts, members.
struct Tune: Model, Hashable {
    var id = ObjectID()
    var artist: String
    var year: Int
    var rating: Double?
    var tags: [String]
    var title: String
    var seconds: Int32

    static let schema = ModelSchema(
        "Tune",
        fields: [
            FieldSchema("artist", \Tune.artist), FieldSchema("year", \Tune.year), FieldSchema("rating", \Tune.rating),
            FieldSchema("tags", \Tune.tags), FieldSchema("title", \Tune.title), FieldSchema("seconds", \Tune.seconds),
        ])

    /// The indexes of the store that a test opens in the closure of `withValue`.
    @TaskLocal static var declared: [Index<Tune>] = []
    static var indexes: [Index<Tune>] { declared }

    init(artist: String, year: Int, rating: Double?, tags: [String], title: String, seconds: Int32) {
        self.artist = artist
        self.year = year
        self.rating = rating
        self.tags = tags
        self.title = title
        self.seconds = seconds
    }

    init(from record: inout RecordDecoder) throws {
        artist = try record.decode()
        year = try record.decode()
        rating = try record.decode()
        tags = try record.decode()
        title = try record.decode()
        seconds = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(artist)
        try record.encode(year)
        try record.encode(rating)
        try record.encode(tags)
        try record.encode(title)
        try record.encode(seconds)
    }

    static let artists = ["Bill Evans", "bill evans", "Ella", "ELLA", "Čechomor", "cechomor", "E", "Straße", "STRASSE", "", "a", "%_*?[\\", "é", "e\u{301}", "İ", "i\u{307}", "👩‍👩‍👧"]
    static let words = ["jazz", "live", "Live", "solo", "trio", "remaster", "\u{212B}", "A\u{30A}"]

    static func random(_ random: inout some RandomNumberGenerator) -> Tune {
        let tagCount = Int.random(in: 0...3, using: &random)
        // Titles that are alike in more bytes than an index keeps.
        let start = Bool.random(using: &random) ? String(repeating: "long ", count: 50) : ""
        let ratings: [Double?] = [nil, -1.5, 0, -0.0, 3.5, 5, .nan, .infinity]
        return Tune(
            artist: artists.randomElement(using: &random) ?? "", year: Int.random(in: 1955...1965, using: &random),
            rating: ratings.randomElement(using: &random) ?? nil,
            tags: (0..<tagCount).map { _ in words.randomElement(using: &random) ?? "" },
            title: start + "\(Int.random(in: 0..<20, using: &random))", seconds: Int32.random(in: -5...300, using: &random))
    }
}
