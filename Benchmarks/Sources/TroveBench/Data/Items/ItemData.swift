import Trove

/// The simplest objects, a title and a length, which BNRPersistence's benchmark has too: numbered from 0, each made from its number alone.
enum ItemData {
    /// How much longer an item gets by a change.
    static let change = 7

    static func id(_ number: Int) -> ObjectID { SongData.id(number) }
    static func title(_ number: Int) -> String { SongData.title(number) }
    static func seconds(_ number: Int) -> Int { 60 + Int(SongData.mixed(number) >> 20) % 600 }

    /// What the items with these numbers add up to, each as long as `seconds` says.
    static func tally(_ numbers: some Sequence<Int>, seconds: (Int) -> Int = ItemData.seconds) -> Tally {
        var tally = Tally()
        for number in numbers { tally.addInOrder(title: title(number), seconds: seconds(number)) }
        return tally
    }
}
