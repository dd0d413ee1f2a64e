import Trove

/// What the samples of docs/json.md take for granted.
enum JsonPage {
    @Model struct Song {
        var title: String
    }

    static var store: ObjectStore { missing() }
    static var other: ObjectStore { missing() }
    static var song: Song { missing() }
    static var text: String { missing() }
}
