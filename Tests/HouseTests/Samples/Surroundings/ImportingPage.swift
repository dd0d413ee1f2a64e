import Trove
import TroveImport

/// What the samples of docs/importing.md take for granted.
enum ImportingPage {
    @Model struct Station {
        let id: String
        var name: String
    }

    static func station(_ line: String) -> Station { missing() }
    static var store: ObjectStore { missing() }
    static var source: ImportSource { missing() }
}
