import Trove

enum Favourites: Recipe {
    @Model
    struct Song {
        var title: String
    }

    @Model
    struct Film {
        var title: String
        var music: [Reference<Song>] = []
    }

    static let title = "groups of objects of several models, and references between values"
    static let printed = [
        "favourites: As Time Goes By, Casablanca",
        "Casablanca has As Time Goes By",
        "without the song: Casablanca",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Song.self, Film.self)
        let song = Song(title: "As Time Goes By")
        let film = Film(title: "Casablanca", music: [Reference(song)])
        try store.save(song)
        try store.save(film)

        let bag = Bag(named: "favourites", in: store)
        bag.add(song)
        bag.add(film)
        try bag.save()
        print("favourites: \(try titles(of: bag))")
        for film in try store.referencing(song, from: Film.self, \.music).all() { print("\(film.title) has \(song.title)") }

        // A bag does not own its members: one that is deleted leaves it.
        try store.fetch(Film.self).update { $0.music = [] }
        try store.delete(song)
        if let bag = try store.bag(named: "favourites") { print("without the song: \(try titles(of: bag))") }
        try store.close()
    }

    private static func titles(of bag: Bag) throws -> String {
        try bag.objects().map { object in
            switch object {
            case let song as Song: song.title
            case let film as Film: film.title
            default: "\(object)"
            }
        }.joined(separator: ", ")
    }
}
