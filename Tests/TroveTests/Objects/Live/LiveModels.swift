import Foundation
import Observation
import Trove

/// The graph of the tests of live objects: every form of relationship, both sides of each kind of inverse, and none.
@Model
final class Song {
    #Index<Song>([\.title, \.year])
    var title: String
    @Attribute(.indexed) var year = 1900
    var rating: Double?
    var tags: [String] = []
    @Attribute(originalName: "length") var seconds: Int = 0 { didSet { secondsWereSet += 1 } }
    var `default` = Mood.calm
    let created: Date
    @Transient var secondsWereSet = 0
    @Relationship var album: Album?
    @Relationship(inverse: \Song.covers) var original: Song?
    @Relationship var covers: Set<Song>
    var label: Reference<Album>?

    enum Mood: String { case calm, wild }

    var shout: String { title.uppercased() }

    init(title: String, created: Date = Date(timeIntervalSince1970: 0), album: Album? = nil) {
        self.title = title
        self.created = created
        self.album = album
    }
}

@Model
final class Album {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Song.album) var songs: [Song] = []
    @Relationship var people: [String: Person] = [:]

    init(title: String, songs: [Song] = []) {
        self.title = title
        self.songs = songs
    }
}

@Model
final class Person {
    let id: String
    var age: Int?
    @Relationship(inverse: \Person.spouse) var spouse: Person?
    @Relationship(deleteRule: .nullify, inverse: \Person.friends) var friends: [Person]

    init(_ id: String) {
        self.id = id
    }
}

/// Public and with an identity of its properties.
@Model("Ticket", version: 2)
public final class Ticket {
    #Unique<Ticket>([\.row, \.seat], identity: true)
    public let row: Int
    public let seat: Int
    public var price: Decimal = 10

    public init(row: Int, seat: Int) {
        self.row = row
        self.seat = seat
    }
}

enum Outer {
    static let start = 7

    @Model
    final class Nested {
        var value = start

        init() {}
    }
}
