import Trove
import TroveSQLite

enum Moving: Recipe {
    @Model
    struct Photo {
        @Attribute(.indexed) var place: String
    }

    static let title = "move a store to another engine, check it, and back it up while it is in use"
    static let printed = ["moved to SQLite: Lisbon, Porto", "the copy is sound", "the backup has 2 photos"]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Photo.self)
        try store.save([Photo(place: "Porto"), Photo(place: "Lisbon")])

        // Everything a store has: objects, indexes, bags, blobs.
        let target = try SQLiteBackend(path: place.path("moved.db"))
        try store.copy(to: target)
        try store.close()
        let moved = try ObjectStore(target, models: Photo.self)
        print("moved to SQLite: \(try moved.fetch(Photo.self).sorted(by: \.place).all().map(\.place).joined(separator: ", "))")
        print("the copy is \(try moved.verify().isSound ? "sound" : "damaged")")

        // One state, while others read and write.
        try moved.backUp(to: place.path("backup.db"))
        let backup = try ObjectStore(SQLiteBackend(path: place.path("backup.db")), models: Photo.self)
        print("the backup has \(try backup.fetch(Photo.self).count()) photos")
        try backup.close()
        try moved.close()
    }
}
