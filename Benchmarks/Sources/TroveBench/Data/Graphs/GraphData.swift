import Trove

/// Members and lists of them, as every contestant stores them: playlists of songs, or one tree with all its nodes.
///
/// Members are numbered from 0 and have the texts and numbers of songs; lists are numbered behind them.
struct GraphData: Sendable {
    /// The number of members.
    let count: Int
    /// The number of lists.
    let listCount: Int
    /// The number of places in a list.
    let listLength: Int
    /// Whether lists have the members one after the other, each once; otherwise they are drawn at random, and some are in several lists.
    let ownsMembers: Bool

    /// `count` songs, and a playlist of 100 songs for each hundred.
    static func playlists(count: Int) -> GraphData {
        GraphData(count: count, listCount: max(1, count / 100), listLength: 100, ownsMembers: false)
    }

    /// A tree that owns `count` nodes.
    static func tree(count: Int) -> GraphData {
        GraphData(count: count, listCount: 1, listLength: count, ownsMembers: true)
    }

    func id(_ number: Int) -> ObjectID { SongData.id(number) }
    func title(_ number: Int) -> String { SongData.title(number) }
    func seconds(_ number: Int) -> Int { 60 + Int(SongData.mixed(number) >> 20) % 600 }

    func listID(_ list: Int) -> ObjectID { SongData.id(count + list) }
    func listName(_ list: Int) -> String { "\(SongData.artist(list)), volume \(list)" }

    /// The numbers of a list's members, in order.
    func members(of list: Int) -> [Int] {
        if ownsMembers { return Array(list * listLength..<(list + 1) * listLength) }
        return (0..<listLength).map { Int(SongData.mixed(list * listLength + $0 + 7_000_000) >> 1) % count }
    }

    /// What the first members of all lists add up to.
    func tallyOfFirstMembers() -> Tally {
        var tally = Tally()
        for list in 0..<listCount {
            let first = members(of: list)[0]
            tally.add(title: title(first), seconds: seconds(first))
        }
        return tally
    }
}
