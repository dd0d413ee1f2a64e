import Foundation
import Trove

/// What the samples of docs/relationships.md take for granted.
enum RelationshipsPage {
    @Model struct Person {
        var name: String
    }

    @Model struct Club {
        var name: String
    }

    @Model struct Label {
        var name: String
    }

    @Model struct Album {
        var id = UUID()
        var title: String
        var year: Int
        var artist: Reference<Person>
        var label: Reference<Label>?
    }

    @Model struct Song {
        var title: String
        var year: Int
        var album: Reference<Album>?
        var writers: [Reference<Person>] = []
        var roles: [String: Reference<Person>] = [:]
    }

    @Model struct Playlist {
        var name = ""
        var songs: [Reference<Song>] = []
    }

    @Model struct Shelf {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Slip.shelf) var slips: [Reference<Slip>] = []
    }

    @Model struct Slip {
        var text: String
        @Relationship var shelf: Reference<Shelf>?
    }

    @Model struct Draft {
        var customerName: String
    }

    @Model final class Record {
        var title: String

        init(title: String) { self.title = title }
    }

    @Model final class Track {
        var title: String
        @Relationship var album: Record?

        init(title: String) { self.title = title }
    }

    enum CustomerError: Error {
        case stillActive(String)
    }

    static var store: ObjectStore { missing() }
    static var context: ObjectContext { missing() }
    static var album: Album { missing() }
    static var song: Song { missing() }
    static var person: Person { missing() }
    static var evans: Person { missing() }
    static var ann: Person { missing() }
    static var chess: Club { missing() }
    static var id: UUID { missing() }
}
