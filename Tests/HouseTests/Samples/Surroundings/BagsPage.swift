import Trove

/// What the samples of docs/bags.md take for granted.
enum BagsPage {
    @Model struct Song {
        var title: String
        var seconds: Int
    }

    @Model struct Album {
        var title: String
    }

    static var store: ObjectStore { missing() }
    static var bag: Bag { missing() }
}
