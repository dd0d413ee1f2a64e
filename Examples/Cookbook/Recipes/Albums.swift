import Trove

enum Albums: Recipe {
    @Model
    final class Album {
        var title: String
        @Relationship(deleteRule: .cascade, inverse: \Track.album) var tracks: [Track] = []

        init(title: String) { self.title = title }
    }

    @Model
    final class Track {
        var title: String
        @Relationship var album: Album?

        init(title: String) { self.title = title }
    }

    static let title = "objects that know each other, delete rules and undo"
    static let printed = [
        "So What is on Kind of Blue",
        "1: Blue in Green", "2: So What", "3: Freddie Freeloader",
        "deleted: 0 tracks", "undone: 3 tracks",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Album.self, Track.self)
        let context = ObjectContext(store, options: ContextOptions(undo: .unlimited))
        let album = Album(title: "Kind of Blue")
        album.tracks = ["So What", "Freddie Freeloader", "Blue in Green"].map(Track.init)
        // With its tracks, which know their album from now on.
        try context.insert(album)
        try context.save()

        let tracks = context.fetch(Track.self).where { $0.album.title == "Kind of Blue" }
        if let track = try tracks.sorted(by: \.title).last() { print("\(track.title) is on \(track.album?.title ?? "no album")") }

        // The order is kept.
        album.tracks.move(from: 2, to: 0)
        try context.save()
        for (number, track) in album.tracks.enumerated() { print("\(number + 1): \(track.title)") }

        try context.undoGroup("Delete the album") { try context.delete(album) }
        try context.save()
        print("deleted: \(try tracks.count()) tracks")
        try context.undo()
        try context.save()
        print("undone: \(try tracks.count()) tracks")
        try store.close()
    }
}

extension Array {
    fileprivate mutating func move(from source: Int, to target: Int) { insert(remove(at: source), at: target) }
}
