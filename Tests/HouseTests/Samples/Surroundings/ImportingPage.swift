import Trove
import TroveImport

/// What the samples of docs/importing.md take for granted.
enum ImportingPage {
    static var store: ObjectStore { missing() }
    static var source: ImportSource { missing() }
}
