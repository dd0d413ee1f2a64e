import Foundation
import TestSupport
import Trove

// Classes that share properties by inheritance.

@AbstractModel
class SharedMedia {
    #Index<SharedMedia>([\.year, \SharedMedia.title])
    @Attribute(.indexed) var title: String
    var year: Int?
    @Attribute(.writeOnce) var source: String?
    @Transient var isSelected = false
    @Relationship(whenTargetDeleted: .nullify) var owner: SharedOwner?
    let made: Date

    init(title: String, year: Int? = nil, made: Date = Date(timeIntervalSinceReferenceDate: 1)) {
        self.title = title
        self.year = year
        self.made = made
    }

    func validate() throws {
        if title.isEmpty { throw SharedMistake() }
    }
}

@AbstractModel
class SharedAudio: SharedMedia {
    #Index<SharedAudio>([\.seconds])
    var seconds = 0
    var tags: [String] = []
}

@Model
final class SharedSong: SharedAudio {
    #Index<SharedSong>([\.title, \.plays])
    var plays = 0
    @Relationship(inverse: \SharedOwner.favourites) var admirer: SharedOwner?
    let isLive: Bool

    init(title: String, year: Int? = nil, isLive: Bool = false) {
        self.isLive = isLive
        super.init(title: title, year: year)
    }
}

@Model
final class SharedFilm: SharedMedia {
    var length: Double?
    @Relationship var cast: [SharedOwner]
}

/// One that adds nothing.
@Model
final class SharedThing: SharedMedia {}

@Model
final class SharedOwner {
    var name: String
    @Relationship var favourites: [SharedSong]

    init(name: String) { self.name = name }
}

struct SharedMistake: Error {}

/// An abstract model with an identity.
@AbstractModel
class SharedEntry {
    #Unique<SharedEntry>([\.city, \.number], identity: true)
    let city: String
    let number: Int
    var text = ""

    init(city: String, number: Int) {
        self.city = city
        self.number = number
    }
}

@Model final class SharedVisit: SharedEntry {}

@Model final class SharedCall: SharedEntry {
    var minutes = 0
}

/// One with a property that needs a value, whose model has none.
@AbstractModel
class SharedBook: SharedMedia {
    let isbn: String
    var pages: Int

    init(isbn: String) {
        self.isbn = isbn
        pages = 2
        super.init(title: isbn)
    }
}

@Model final class SharedNovel: SharedBook {
    var plot = "none"
    convenience init(plot: String) {
        self.init(isbn: "1")
        self.plot = plot
    }
}

func sharedMediaFixture(_ engine: Engine) throws -> StoreFixture {
    try StoreFixture(engine) {
        try ObjectStore(
            $0, durability: .relaxed, models: SharedSong.self, SharedFilm.self, SharedThing.self, SharedOwner.self, SharedVisit.self, SharedCall.self, SharedNovel.self)
    }
}

// Structs that share properties by a protocol.

@AbstractModel
protocol SharedRanked {
    var name: String { get }
    var rank: Int? { get }
}

@Model
struct RankedTeam: SharedRanked, Hashable {
    @Attribute(.indexed) var name: String
    var rank: Int?
    var city = ""
}

@Model
struct RankedPerson: SharedRanked, Hashable {
    var id: String
    var name: String
    @Attribute(.indexed) var rank: Int?
}

@Model
struct RankedBook: SharedRanked, Hashable {
    var id: String
    var name: String
    var rank: Int?
}

/// No part of it: of the properties it has one, as another type.
@Model
struct RankedHorse: Hashable {
    var name: String
    var rank: Double
}

func rankedFixture(_ engine: Engine) throws -> StoreFixture {
    try StoreFixture(engine) {
        try ObjectStore($0, durability: .relaxed, models: RankedTeam.self, RankedPerson.self, RankedBook.self, RankedHorse.self)
    }
}
