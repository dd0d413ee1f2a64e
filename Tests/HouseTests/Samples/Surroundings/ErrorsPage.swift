import Trove

/// What the samples of docs/errors.md take for granted.
enum ErrorsPage {
    @Model struct Song {
        var title: String
    }

    static var store: ObjectStore { missing() }
    static var song: Song { missing() }
}
