/// What a contestant found in the objects it read. All of them have to find the same.
struct Tally: Codable, Hashable, Sendable {
    /// How many objects.
    var count = 0
    /// The sum of their years; of titles, of their seconds; of groups, of the squares of their counts.
    var years = 0
    /// The sum of their durations, exact.
    var durations = 0.0
    /// The UTF-8 bytes of their texts.
    var textBytes = 0
    /// The sum of their years, or seconds, each times its place among those read, from 1: unlike the other sums it tells which object has which
    /// value. 0 of objects that everybody may read in an order of their own.
    var weighted = 0

    /// Adds the values of a song, which everybody reads in the same order.
    @inline(__always)
    mutating func addInOrder(year: Int, duration: Double, title: String, artist: String) {
        count &+= 1
        years &+= year
        durations += duration
        textBytes &+= title.utf8.count &+ artist.utf8.count
        weighted &+= count &* year
    }

    /// Adds the values of an item, which everybody reads in the same order.
    @inline(__always)
    mutating func addInOrder(title: String, seconds: Int) {
        add(title: title, seconds: seconds)
        weighted &+= count &* seconds
    }

    /// Adds a track's values.
    @inline(__always)
    mutating func add(year: Int, duration: Double, title: String, artist: String, label: String) {
        count &+= 1
        years &+= year
        durations += duration
        textBytes &+= title.utf8.count &+ artist.utf8.count &+ label.utf8.count
    }

    /// Adds a label and the number of its tracks.
    @inline(__always)
    mutating func add(label: String, tracks: Int) {
        count &+= 1
        years &+= tracks &* tracks
        textBytes &+= label.utf8.count
    }

    /// Adds a text that answers a question, or a part of the answer.
    @inline(__always)
    mutating func add(answer: String) {
        count &+= 1
        textBytes &+= answer.utf8.count
    }

    /// Adds a number that answers a question, or a part of the answer.
    @inline(__always)
    mutating func add(answer: Int) {
        count &+= 1
        years &+= answer
    }

    /// Adds a title's values.
    @inline(__always)
    mutating func add(title: String, seconds: Int) {
        count &+= 1
        years &+= seconds
        textBytes &+= title.utf8.count
    }

    /// Adds what was read, in the same order by everybody, after all that was added before.
    mutating func append(_ tally: Tally) {
        weighted &+= tally.weighted &+ count &* tally.years
        add(tally)
    }

    /// Adds what was read in any order.
    mutating func add(_ tally: Tally) {
        count &+= tally.count
        years &+= tally.years
        durations += tally.durations
        textBytes &+= tally.textBytes
    }

    /// Adds the one byte that a scan reads of an object: the lowest of its year.
    @inline(__always)
    mutating func add(yearByte: UInt8) {
        count &+= 1
        years &+= Int(yearByte)
    }
}

extension Tally: CustomStringConvertible {
    var description: String {
        "\(count) objects, years \(years), durations \(durations), text \(textBytes)" + (weighted == 0 ? "" : ", weighted \(weighted)")
    }
}

extension Tally {
    /// Files of results that were written before there was a weighted sum do not have it.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        count = try values.decode(Int.self, forKey: .count)
        years = try values.decode(Int.self, forKey: .years)
        durations = try values.decode(Double.self, forKey: .durations)
        textBytes = try values.decode(Int.self, forKey: .textBytes)
        weighted = try values.decodeIfPresent(Int.self, forKey: .weighted) ?? 0
    }
}

extension Tally {
    /// What the songs with these numbers add up to when they are read whole.
    static func ofSongs(_ numbers: some Sequence<Int>) -> Tally {
        var tally = Tally()
        for number in numbers {
            tally.addInOrder(
                year: SongData.year(number), duration: SongData.duration(number), title: SongData.title(number),
                artist: SongData.artist(number))
        }
        return tally
    }

    /// What the songs with these numbers add up to when one byte of each is read.
    static func ofScannedSongs(_ numbers: some Sequence<Int>) -> Tally {
        var tally = Tally()
        for number in numbers { tally.add(yearByte: UInt8(truncatingIfNeeded: SongData.year(number))) }
        return tally
    }
}
