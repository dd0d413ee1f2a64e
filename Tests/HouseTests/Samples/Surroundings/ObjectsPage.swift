import Trove
import TroveLMDB

/// What the samples of docs/objects.md take for granted.
enum ObjectsPage {
    @Model final class Song {
        var title = ""
        var artist = ""
        var plays = 0
    }

    @Model final class Account {
        var balance = 0
    }

    static var context: ObjectContext { missing() }
    static var from: Account { missing() }
    static var to: Account { missing() }
    static var amount: Int { missing() }
}
