import Trove

/// The tracks that every contestant stores: numbered from 0, each made from its number and that of all.
///
/// Ids ascend with the number. Each artist has 100 tracks, each label about a thousandth of all.
struct TrackData: Sendable {
    /// Plays are from 0 up to this.
    static let playsBound = 1_000_000
    private static let labelNames = [
        "Blue Note", "Prestige", "Riverside", "Impulse", "Verve", "ECM", "Savoy", "Contemporary", "Candid", "Columbia",
    ]

    let count: Int
    let artistCount: Int
    let labelCount: Int
    /// Has no factor in common with the number of artists.
    private let artistStep: Int

    init(count: Int) {
        self.count = count
        artistCount = max(1, count / 100)
        labelCount = min(1_000, max(1, count / 10))
        artistStep = artistCount % 7_919 == 0 ? 104_729 : 7_919
    }

    /// Every artist once in each row of as many tracks as there are artists, in an order that looks random.
    func artistNumber(_ number: Int) -> Int {
        let (row, place) = number.quotientAndRemainder(dividingBy: artistCount)
        return (place * artistStep + Int(SongData.mixed(row) >> 20)) % artistCount
    }

    func artistName(_ artist: Int) -> String {
        let random = SongData.mixed(~artist & Int(Int32.max))
        return "\(SongData.givenNames[Int(random % 25)]) \(SongData.familyNames[Int((random >> 16) % 30)]) \(artist)"
    }

    func labelNumber(_ number: Int) -> Int { Int(SongData.mixed(number &+ 0x5000_0000) >> 20) % labelCount }

    func labelName(_ label: Int) -> String { "\(Self.labelNames[label % 10]) \(label / 10)" }

    func id(_ number: Int) -> ObjectID { SongData.id(number) }
    func title(_ number: Int) -> String { SongData.title(number) }
    func artist(_ number: Int) -> String { artistName(artistNumber(number)) }
    func label(_ number: Int) -> String { labelName(labelNumber(number)) }
    func year(_ number: Int) -> Int { SongData.year(number) }
    func plays(_ number: Int) -> Int { Int(SongData.mixed(number &+ 0x6000_0000) >> 20) % Self.playsBound }
    func rating(_ number: Int) -> Double? { SongData.rating(number) }
    func duration(_ number: Int) -> Double { SongData.duration(number) }
}

extension TrackData {
    /// What the tracks add up to when each is found as often as `times` says.
    func tally(times: (Int) -> Int) -> Tally {
        var tally = Tally()
        for number in 0..<count {
            for _ in 0..<times(number) { add(number, to: &tally) }
        }
        return tally
    }

    /// What one track adds up to.
    func tally(of number: Int) -> Tally {
        var tally = Tally()
        add(number, to: &tally)
        return tally
    }

    private func add(_ number: Int, to tally: inout Tally) {
        tally.add(year: year(number), duration: duration(number), title: title(number), artist: artist(number), label: label(number))
    }

    /// What the labels and the numbers of their tracks add up to.
    func tallyOfLabels() -> Tally {
        var counts = [Int](repeating: 0, count: labelCount)
        for number in 0..<count { counts[labelNumber(number)] += 1 }
        var tally = Tally()
        for (label, count) in counts.enumerated() where count > 0 { tally.add(label: labelName(label), tracks: count) }
        return tally
    }
}
