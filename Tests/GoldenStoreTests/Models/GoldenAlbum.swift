import Foundation
import Trove

/// A model with an index of every kind and a relationship.
struct GoldenAlbum: Model, Equatable {
    var id: ObjectID
    var title: String
    var label: String?
    var year: Int
    var genres: [String]
    var price: Decimal
    var tracks: [Reference<GoldenTrack2>]

    static let schema = ModelSchema(
        "Album",
        fields: [
            FieldSchema("title", \GoldenAlbum.title), FieldSchema("label", \GoldenAlbum.label), FieldSchema("year", \GoldenAlbum.year),
            FieldSchema("genres", \GoldenAlbum.genres), FieldSchema("price", \GoldenAlbum.price),
            FieldSchema("tracks", \GoldenAlbum.tracks, relationship: RelationshipOptions(whenTargetDeleted: .nullify)),
        ])

    static let indexes: [Index<GoldenAlbum>] = [
        Index([.descending(\.year), .ascending(\.title, ignoringCase: true)], covering: [\.price], aggregates: [.count, .sum(\.price)]),
        Index(unique: [\.label]),
        Index(\.genres),
        .fullText([\.title, \.genres], stemming: .english),
        .substring(\.title),
    ]

    init(number: UInt64, title: String, label: String?, year: Int, genres: [String], price: Decimal, tracks: [Int]) {
        id = ObjectID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, UInt8(number))))
        self.title = title
        self.label = label
        self.year = year
        self.genres = genres
        self.price = price
        self.tracks = tracks.map { Reference(id: $0) }
    }

    init(from record: inout RecordDecoder) throws {
        title = try record.decode()
        label = try record.decode()
        year = try record.decode()
        genres = try record.decode()
        price = try record.decode()
        tracks = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(title)
        try record.encode(label)
        try record.encode(year)
        try record.encode(genres)
        try record.encode(price)
        try record.encode(tracks)
    }
}
