import Foundation
import Observation
import Trove

/// The graph of the tests of live objects: every form of relationship, both sides of each kind of inverse, and none.
@Model
final class LiveSong {
    #Index<LiveSong>([\.title, \.year])
    var title: String
    @Attribute(.indexed) var year = 1900
    var rating: Double?
    var tags: [String] = []
    @Attribute(originalName: "length") var seconds: Int = 0 { didSet { secondsWereSet += 1 } }
    var `default` = Mood.calm
    let created: Date
    @Transient var secondsWereSet = 0
    @Relationship var album: LiveAlbum?
    @Relationship(inverse: "covers") var original: LiveSong?
    @Relationship var covers: Set<LiveSong>
    var label: Reference<LiveAlbum>?

    enum Mood: String { case calm, wild }

    var shout: String { title.uppercased() }

    init(title: String, created: Date = Date(timeIntervalSince1970: 0), album: LiveAlbum? = nil) {
        self.title = title
        self.created = created
        self.album = album
    }
}

@Model
final class LiveAlbum {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \LiveSong.album) var songs: [LiveSong] = []
    @Relationship var people: [String: LivePerson] = [:]

    init(title: String, songs: [LiveSong] = []) {
        self.title = title
        self.songs = songs
    }
}

@Model
final class LivePerson {
    let id: String
    var age: Int?
    @Relationship(inverse: "spouse") var spouse: LivePerson?
    @Relationship(deleteRule: .nullify, inverse: "friends") var friends: [LivePerson]

    init(_ id: String) {
        self.id = id
    }
}

@Model
final class LivePlaylist {
    var name: String
    @Relationship(whenTargetDeleted: .noAction) var songs: ObjectList<LiveSong>
    @Relationship(whenTargetDeleted: .noAction) var guests: Set<LiveSong>
    @Relationship(whenTargetDeleted: .noAction) var opener: LiveSong?
    @Relationship(inverse: "fans") var idols: ObjectList<LivePlaylist>
    @Relationship var fans: ObjectList<LivePlaylist> = []

    init(_ name: String, songs: [LiveSong] = []) {
        self.name = name
        self.songs = ObjectList(songs)
    }
}

/// Public and with an identity of its properties.
@Model("Ticket", version: 2)
public final class LiveTicket {
    #Unique<LiveTicket>([\.row, \.seat], identity: true)
    public let row: Int
    public let seat: Int
    public var price: Decimal = 10

    public init(row: Int, seat: Int) {
        self.row = row
        self.seat = seat
    }
}

enum LiveOuter {
    static let start = 7

    @Model
    final class Nested {
        var value = start

        init() {}
    }
}
