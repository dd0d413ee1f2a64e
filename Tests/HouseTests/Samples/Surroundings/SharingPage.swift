import Trove

/// What the samples of docs/sharing.md take for granted.
enum SharingPage {
    @Model struct Person {
        var name: String
    }

    @Model struct Company {
        var name: String
    }

    static var store: ObjectStore { missing() }
}
