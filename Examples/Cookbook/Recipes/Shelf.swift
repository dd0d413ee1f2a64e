import Trove

enum Shelf: Recipe {
    /// What songs and films have in common: each has it, and no record is one of this.
    @AbstractModel
    class Media {
        @Attribute(.indexed) var title: String
        var year: Int

        init(title: String, year: Int) {
            self.title = title
            self.year = year
        }
    }

    @Model
    final class Song: Media {
        var plays = 0
    }

    @Model
    final class Film: Media {
        var length: Duration

        init(title: String, year: Int, length: Duration) {
            self.length = length
            super.init(title: title, year: year)
        }
    }

    /// What structs have in common.
    @AbstractModel
    protocol Named {
        var name: String { get }
    }

    @Model
    struct Person: Named {
        var name: String
        var born: Int?
    }

    @Model
    struct Company: Named {
        var name: String
        var city: String
    }

    static let title = "models that share properties, searched together"
    static let printed = [
        "1900: Tosca, a film of 114 minutes", "1959: So What, played once", "2 of 3 begin with T",
        "Blue Note is a Company", "Ada is a Person",
        "Song and Film: 1 of 1959",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Song.self, Film.self, Person.self, Company.self)
        let context = ObjectContext(store)
        let song = Song(title: "So What", year: 1959)
        song.plays = 1
        try context.insert([song, Song(title: "Take Five", year: 1961), Film(title: "Tosca", year: 1900, length: .seconds(114 * 60))])
        try context.save()

        // All that inherit, in one order.
        for media in try context.fetchAny(Media.self).sorted(by: \.year).limit(2).all() {
            switch media {
            case let film as Film: print("\(film.year): \(film.title), a film of \(film.length.components.seconds / 60) minutes")
            case let song as Song: print("\(song.year): \(song.title), played \(song.plays == 1 ? "once" : "\(song.plays) times")")
            default: break
            }
        }
        let media = context.fetchAny(Media.self)
        print("\(try media.where { $0.title.hasPrefix("T") }.count()) of \(try media.count()) begin with T")

        // All that conform; the macro made `NamedModels`.
        try store.save(Person(name: "Ada", born: 1815))
        try store.save(Company(name: "Blue Note", city: "New York"))
        for named in try store.fetchConforming(to: NamedModels.self).sorted(by: \.name, .descending).all() {
            print("\(named.name) is a \(type(of: named))")
        }

        // Any models, asked by the names of their properties.
        let found = context.fetchModels(Song.self, Film.self).matching("year = ?", 1959)
        print("Song and Film: \(try found.count()) of 1959")
        try store.close()
    }
}
