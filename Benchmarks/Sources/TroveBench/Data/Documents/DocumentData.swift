import Trove

/// Documents like those of NanoStore's benchmark: a few attributes, all of which are to be found by: numbered from 0.
enum DocumentData {
    private static let cities = ["Lisbon", "Gdańsk", "Bergen", "Turin", "Leipzig", "Ghent", "Porto", "Kraków", "Aarhus", "Basel", "Graz", "Utrecht"]
    private static let kinds = ["novel", "essay", "atlas", "score", "letter", "catalogue"]

    static func id(_ number: Int) -> ObjectID { SongData.id(number) }
    static func name(_ number: Int) -> String { "\(SongData.artist(number)), \(number)" }
    static func city(_ number: Int) -> String { cities[Int(SongData.mixed(number) >> 12) % cities.count] }
    static func kind(_ number: Int) -> String { kinds[Int(SongData.mixed(number) >> 24) % kinds.count] }
    static func year(_ number: Int) -> Int { SongData.year(number) }
    static func size(_ number: Int) -> Int { Int(SongData.mixed(number) >> 30) % 1_000_000 }
    static func price(_ number: Int) -> Double { Double(SongData.mixed(number) >> 44 & 0xFFFF) / 16 }
}
