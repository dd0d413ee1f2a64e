import Foundation

@testable import Trove

/// What the tests of indexes store: a field of each kind that an index treats in its own way.
struct Track: Model, Equatable {
    var id: String
    var artist: String
    var year: Int32
    var rating: Double?
    var serial: Int?
    var tags: [String]?
    var labels: [String: Int]
    var price: Decimal?
    var plays: UInt64

    static let schema = ModelSchema("Track", fields: [
        FieldSchema("artist", \Track.artist), FieldSchema("year", \Track.year), FieldSchema("rating", \Track.rating),
        FieldSchema("serial", \Track.serial), FieldSchema("tags", \Track.tags), FieldSchema("labels", \Track.labels),
        FieldSchema("price", \Track.price), FieldSchema("plays", \Track.plays),
    ])

    static let indexes = [
        Index<Track>(\.artist, name: "artist"),
        Index<Track>([.descending(\.year), .ascending(\.rating)], name: "year and rating", covering: [\.artist, \.price]),
        Index<Track>(unique: [\.serial], name: "serial"),
        Index<Track>(\.year, \.tags, name: "tags"),
        Index<Track>([.descending(\.tags, ignoringCase: true)], name: "folded tags", covering: [\.year]),
        Index<Track>(\.labels, name: "labels"),
        Index<Track>([.ascending(\.year)], name: "by year", aggregates: [.count, .sum(\.plays), .sum(\.price)]),
        Index<Track>(derived: "initial", version: 1, aggregates: [.count]) { String($0.artist.prefix(1)) },
    ]

    init(
        id: String, artist: String = "", year: Int32 = 0, rating: Double? = nil, serial: Int? = nil, tags: [String]? = nil,
        labels: [String: Int] = [:], price: Decimal? = nil, plays: UInt64 = 0
    ) {
        (self.id, self.artist, self.year, self.rating, self.serial) = (id, artist, year, rating, serial)
        (self.tags, self.labels, self.price, self.plays) = (tags, labels, price, plays)
    }

    init(from record: inout RecordDecoder) throws {
        artist = try record.decode()
        year = try record.decode()
        rating = try record.decode()
        serial = try record.decode()
        tags = try record.decode()
        labels = try record.decode()
        price = try record.decode()
        plays = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(artist)
        try record.encode(year)
        try record.encode(rating)
        try record.encode(serial)
        try record.encode(tags)
        try record.encode(labels)
        try record.encode(price)
        try record.encode(plays)
    }
}
