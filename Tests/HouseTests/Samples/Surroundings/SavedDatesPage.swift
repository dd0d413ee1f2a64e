import Foundation
import Trove

/// What the samples of docs/saved-dates.md take for granted.
enum SavedDatesPage {
    @Model struct Note {
        var text: String
        @Attribute(.creationDate) var created: Date?
    }

    static var store: ObjectStore { missing() }
    static var date: Date { missing() }
    static var a: Date { missing() }
    static var b: Date { missing() }
}
