import Foundation
import Trove

/// The objects that every contestant stores: songs numbered from 0, each made from its number alone.
///
/// Ids ascend with the number. Durations are multiples of an eighth of a second, so that their sums are exact in any order.
enum SongData {
    static let givenNames = [
        "Bill", "Ella", "Miles", "Nina", "John", "Billie", "Chet", "Sarah", "Duke", "Carmen", "Thelonious", "Dinah", "Art",
        "Anita", "Stan", "Mary Lou", "Oscar", "Abbey", "Wes", "Blossom", "Dexter", "Shirley", "Cannonball", "Peggy", "Horace",
    ]
    static let familyNames = [
        "Evans", "Fitzgerald", "Davis", "Simone", "Coltrane", "Holiday", "Baker", "Vaughan", "Ellington", "McRae", "Monk",
        "Washington", "Blakey", "O'Day", "Getz", "Williams", "Peterson", "Lincoln", "Montgomery", "Dearie", "Gordon", "Horn",
        "Adderley", "Lee", "Silver", "Peacock", "Mehldau", "Søndergård", "Kühn", "Żyła",
    ]
    static let titles = [
        "Autumn Leaves", "Body and Soul", "Round Midnight", "All the Things You Are", "Stella by Starlight", "My Funny Valentine",
        "Blue in Green", "Waltz for Debby", "Misty", "Naima", "In a Sentimental Mood", "Lush Life", "Solar", "Nardis",
        "Someday My Prince Will Come", "Alone Together",
    ]

    /// A number that looks random, always the same for the same number.
    static func mixed(_ number: Int) -> UInt64 {
        var random = SplitMix64(seed: UInt64(number))
        return random.next()
    }

    /// Made like the ids of ``ObjectID/init()``: a millisecond for each thousand songs, then a counter with random steps.
    static func id(_ number: Int) -> ObjectID {
        let milliseconds = 1_700_000_000_000 + UInt64(number / 1_000)
        let high = milliseconds << 16 | 0x7000
        let low = 1 << 63 | UInt64(number % 1_000) << 40 | mixed(number) & 0xFF_FFFF_FFFF
        var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            buffer.storeBytes(of: high.bigEndian, as: UInt64.self)
            buffer.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return ObjectID(UUID(uuid: bytes))
    }

    static func title(_ number: Int) -> String {
        "\(titles[Int(mixed(number) >> 8) & 15]) (take \(number))"
    }

    static func artist(_ number: Int) -> String {
        let random = mixed(number) >> 16
        return "\(givenNames[Int(random % 25)]) \(familyNames[Int((random >> 16) % 30)])"
    }

    static func year(_ number: Int) -> Int { 1920 + Int(mixed(number) >> 40) % 106 }

    /// nil for a third of the songs.
    static func rating(_ number: Int) -> Double? {
        number % 3 == 0 ? nil : Double(mixed(number) >> 50 & 15) / 3
    }

    static func duration(_ number: Int) -> Double { 60 + Double(mixed(number) >> 20 & 0xFFF) / 8 }
}
