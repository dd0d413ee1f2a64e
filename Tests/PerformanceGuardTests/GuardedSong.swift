import Trove

/// The object of the guards: what most applications store, with an index.
@Model
struct GuardedSong {
    var id: ObjectID
    var title: String
    @Attribute(.indexed) var artist: String
    var year: Int
    var rating: Double?
}

extension GuardedSong {
    /// Texts are too long to be kept inside a `String` itself, so that each costs an allocation when it is read.
    init(number: Int) {
        self.init(
            id: ObjectID(), title: "Autumn Leaves, take number \(number)", artist: "The Trio of the Pianist \(number / 10)",
            year: 1920 + number % 100, rating: number % 3 == 0 ? nil : 4.5)
    }
}
