import Foundation
import Trove

/// What the samples of docs/values.md take for granted.
enum ValuesPage {
    @Model struct Record {
        var format: Format
    }

    enum Format: String, StorableConvertible { case vinyl, cd, tape }

    enum BookingError: Error {
        case noRoom
        case endsBeforeItBegins(Date, Date)
    }

    static var store: ObjectStore { missing() }
}
