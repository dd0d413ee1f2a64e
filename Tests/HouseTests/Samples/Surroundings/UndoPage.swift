import Trove

/// What the samples of docs/undo.md take for granted.
enum UndoPage {
    @Model final class Album {
        var title = ""
    }

    static var store: ObjectStore { missing() }
    static var album: Album { missing() }
}
