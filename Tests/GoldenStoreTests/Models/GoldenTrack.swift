import Foundation
import Trove

/// The first version of a model of which records of two layouts are in the stores.
struct GoldenTrack1: Model, Equatable {
    var id: Int
    var title: String
    var seconds: Int32
    var artist: String?

    static let schema = ModelSchema(
        "Track", version: 1,
        fields: [FieldSchema("title", \GoldenTrack1.title), FieldSchema("seconds", \GoldenTrack1.seconds), FieldSchema("artist", \GoldenTrack1.artist)])

    init(id: Int, title: String, seconds: Int32, artist: String?) {
        self.id = id
        self.title = title
        self.seconds = seconds
        self.artist = artist
    }

    init(from record: inout RecordDecoder) throws {
        title = try record.decode()
        seconds = try record.decode()
        artist = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(title)
        try record.encode(seconds)
        try record.encode(artist)
    }
}

/// The second version: a field has another name and a wider type, and one is new.
struct GoldenTrack2: Model, Equatable {
    var id: Int
    var title: String
    var duration: Double
    var artist: String?
    var year: Int

    static let schema = ModelSchema(
        "Track", version: 2,
        fields: [
            FieldSchema("title", \GoldenTrack2.title), FieldSchema("duration", \GoldenTrack2.duration, originalName: "seconds"),
            FieldSchema("artist", \GoldenTrack2.artist), FieldSchema("year", \GoldenTrack2.year, hasDefault: true),
        ])

    init(id: Int, title: String, duration: Double, artist: String?, year: Int) {
        self.id = id
        self.title = title
        self.duration = duration
        self.artist = artist
        self.year = year
    }

    init(from record: inout RecordDecoder) throws {
        title = try record.decode()
        duration = try record.decode()
        artist = try record.decode()
        year = try record.decode(default: 1900)
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(title)
        try record.encode(duration)
        try record.encode(artist)
        try record.encode(year)
    }
}
