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

    /// What those of `count` documents add up to that have an attribute in common with one of `samples`, once for each such attribute.
    static func tally(like samples: [Int], count: Int) -> Tally {
        let samples = samples.map { (texts: texts($0), numbers: numbers($0)) }
        var tally = Tally()
        for number in 0..<count {
            let (texts, numbers) = (texts(number), numbers(number))
            for sample in samples {
                let alike = zip(texts, sample.texts).count { $0 == $1 } + zip(numbers, sample.numbers).count { $0 == $1 }
                for _ in 0..<alike { tally.add(title: texts[0], seconds: size(number)) }
            }
        }
        return tally
    }

    private static func texts(_ number: Int) -> [String] { [name(number), city(number), kind(number)] }

    private static func numbers(_ number: Int) -> [Double] {
        [Double(year(number)), Double(size(number)), price(number)]
    }
}
