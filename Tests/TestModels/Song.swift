import Trove

@Model
struct Song: Hashable {
    var title: String
    var artist: String
    var year: Int
    var rating: Double?

    static func sample(_ number: Int) -> Song {
        Song(title: "Title \(number)", artist: "Artist \(number % 17)", year: 1900 + number % 120, rating: number % 3 == 0 ? nil : Double(number))
    }
}

/// Identity by natural key of two parts.
@Model
struct Edition: Hashable {
    #Unique<Edition>([\.work, \.number], identity: true)
    var work: String
    var number: Int
    var pages: Int
}

/// Identity by one natural key.
@Model
struct Country: Hashable {
    #Unique<Country>([\.code], identity: true)
    var code: String
    var name: String
}
