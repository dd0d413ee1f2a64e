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

    /// Adds an object's values.
    @inline(__always)
    mutating func add(year: Int, duration: Double, title: String, artist: String) {
        count &+= 1
        years &+= year
        durations += duration
        textBytes &+= title.utf8.count &+ artist.utf8.count
    }

    /// Adds a track's values.
    @inline(__always)
    mutating func add(year: Int, duration: Double, title: String, artist: String, label: String) {
        add(year: year, duration: duration, title: title, artist: artist)
        textBytes &+= label.utf8.count
    }

    /// Adds a label and the number of its tracks.
    @inline(__always)
    mutating func add(label: String, tracks: Int) {
        count &+= 1
        years &+= tracks &* tracks
        textBytes &+= label.utf8.count
    }

    /// Adds a title's values.
    @inline(__always)
    mutating func add(title: String, seconds: Int) {
        count &+= 1
        years &+= seconds
        textBytes &+= title.utf8.count
    }

    /// Adds the one byte that a scan reads of an object: the lowest of its year.
    @inline(__always)
    mutating func add(yearByte: UInt8) {
        count &+= 1
        years &+= Int(yearByte)
    }
}

extension Tally: CustomStringConvertible {
    var description: String { "\(count) objects, years \(years), durations \(durations), text \(textBytes)" }
}

extension Tally {
    /// What the songs with these numbers add up to when they are read whole.
    static func ofSongs(_ numbers: some Sequence<Int>) -> Tally {
        var tally = Tally()
        for number in numbers {
            tally.add(
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
