// Models for an import, written by Trove (coredata). Change what you like.
//
//     let store = try ObjectStore(backend, models: Album.self, Film.self, Song.self, Tag.self)
//     try store.importDocuments(from: ImportSource(path: path), .recordings)

import Foundation
import Trove
import TroveImport

@Model
final class Album {
    @Relationship var covers: Set<Tag> = []
    var identifier: UUID?
    var isLive: Bool
    var labels: StoredValue?
    var price: Decimal?
    var released: Date?
    /// Leads to "Media".
    var songs: [ObjectID] = []
    var title: String?
    var website: URL?

    init(
        identifier: UUID? = nil,
        isLive: Bool,
        labels: StoredValue? = nil,
        price: Decimal? = nil,
        released: Date? = nil,
        title: String? = nil,
        website: URL? = nil
    ) {
        self.identifier = identifier
        self.isLive = isLive
        self.labels = labels
        self.price = price
        self.released = released
        self.title = title
        self.website = website
    }
}

@Model
final class Film {
    // "prequels" is no property: objects of several models lead back by it, which store.referencing finds.
    @Relationship var album: Album?
    var aspectRatio: Double?
    /// Leads to "Media".
    var covered: Set<ObjectID> = []
    /// Leads to "Media".
    var coveredBy: Set<ObjectID> = []
    var name: String?
    var playCount: Int?
    /// Leads to "Media".
    var sequel: ObjectID?
    @Relationship var tags: [Tag] = []

    init(aspectRatio: Double? = nil, name: String? = nil, playCount: Int? = nil, sequel: ObjectID? = nil) {
        self.aspectRatio = aspectRatio
        self.name = name
        self.playCount = playCount
        self.sequel = sequel
    }
}

@Model
final class Song {
    // "prequels" is no property: objects of several models lead back by it, which store.referencing finds.
    @Relationship var album: Album?
    /// Leads to "Media".
    var covered: Set<ObjectID> = []
    /// Leads to "Media".
    var coveredBy: Set<ObjectID> = []
    var extra: String?
    var key: Int?
    var name: String?
    var playCount: Int?
    var rawData: Data?
    var scan: Data?
    /// Leads to "Media".
    var sequel: ObjectID?
    @Relationship var tags: [Tag] = []

    init(
        extra: String? = nil,
        key: Int? = nil,
        name: String? = nil,
        playCount: Int? = nil,
        rawData: Data? = nil,
        scan: Data? = nil,
        sequel: ObjectID? = nil
    ) {
        self.extra = extra
        self.key = key
        self.name = name
        self.playCount = playCount
        self.rawData = rawData
        self.scan = scan
        self.sequel = sequel
    }
}

@Model
final class Tag {
    @Relationship(inverse: "related") var related: Set<Tag> = []
    /// Leads to "Media".
    var taggedMedias: Set<ObjectID> = []
    var word: String

    init(word: String) {
        self.word = word
    }
}

extension ImportOptions {
    /// The model of each collection, and the properties that have another name than the attribute.
    static let recordings = ImportOptions(
        models: [
            "Album": "Album",
            "Film": "Film",
            "Song": "Song",
            "Tag": "Tag",
        ],
        names: [:])
}
