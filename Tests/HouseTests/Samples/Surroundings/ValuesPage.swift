import Foundation
import Trove

/// What the samples of docs/values.md take for granted.
enum ValuesPage {
    @Model struct Record {
        var format: Format
    }

    enum Format: String, StorableConvertible { case vinyl, cd, tape }

    static var store: ObjectStore { missing() }
}
