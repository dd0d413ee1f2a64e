import TestSupport
import Trove

/// Two unique indexes, options, and relationships whose other sides own and do not own.
@Model
final class UpsertSong {
    #Unique<UpsertSong>([\.artist, \.number])
    @Attribute(.unique) var isrc: String?
    var artist: String
    var number: Int?
    var title = ""
    @Attribute(.writeOnce) var source: String?
    @Attribute(.keepIfNil) var note: String?
    @Attribute(.lazy) var text: String = ""
    @Relationship var album: UpsertAlbum?
    @Relationship(inverse: \UpsertTag.songs) var tags: [UpsertTag] = []

    init(isrc: String? = nil, artist: String = "", number: Int? = nil, title: String = "") {
        self.isrc = isrc
        self.artist = artist
        self.number = number
        self.title = title
    }
}

@Model
final class UpsertAlbum {
    #Unique<UpsertAlbum>([.ignoringCase(\.name)])
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \UpsertSong.album) var songs: [UpsertSong] = []

    init(_ name: String) { self.name = name }
}

@Model
final class UpsertTag {
    @Attribute(.unique) var name: String
    @Relationship var songs: Set<UpsertSong> = []

    init(_ name: String) { self.name = name }
}

/// Points at a song, which knows nothing of it.
@Model
final class UpsertNote {
    var text: String
    @Relationship var song: UpsertSong?

    init(_ text: String, song: UpsertSong?) {
        self.text = text
        self.song = song
    }
}

/// An id that is made of properties, and a unique property beside it.
@Model
final class UpsertSeat {
    #Unique<UpsertSeat>([\.row, \.place], identity: true)
    let row: Int
    let place: Int
    var guest: String?
    @Attribute(.unique) var code: String?

    init(row: Int, place: Int, guest: String? = nil, code: String? = nil) {
        self.row = row
        self.place = place
        self.guest = guest
        self.code = code
    }
}

/// A unique index of a relationship.
@Model
final class UpsertMembership {
    #Unique<UpsertMembership>([\.song, \.role])
    var role: String
    var weight = 0
    @Relationship var song: UpsertSong?

    init(_ role: String, song: UpsertSong?, weight: Int = 0) {
        self.role = role
        self.song = song
        self.weight = weight
    }
}

func upsertFixture(_ engine: Engine) throws -> StoreFixture {
    try StoreFixture(engine) {
        try ObjectStore(
            $0, durability: .relaxed, models: UpsertSong.self, UpsertAlbum.self, UpsertTag.self, UpsertNote.self, UpsertSeat.self, UpsertMembership.self,
            UpsertPen.self, UpsertCup.self)
    }
}

/// Classes that share a unique property, each for itself.
@AbstractModel
class UpsertThing {
    @Attribute(.unique) var code: String
    var text: String

    init(code: String, text: String) {
        self.code = code
        self.text = text
    }
}

@Model final class UpsertPen: UpsertThing {}

@Model final class UpsertCup: UpsertThing {}

/// A unique property that lies apart from the record.
@Model final class UpsertScan {
    @Attribute(.lazy, .unique) var text: String = ""
    var title: String

    init(text: String, title: String = "") {
        self.title = title
        self.text = text
    }
}
