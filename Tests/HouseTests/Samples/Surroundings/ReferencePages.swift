import Foundation
import Trove
import TroveStorage

/// What the samples of the reference's first pages, `Trove.docc/Trove.md` and its like, take for granted.
enum FirstPages {
    @Model struct Song {
        var title: String
        var year: Int
    }

    static var store: ObjectStore { missing() }
}

enum TrovePage {}

enum TroveActiveRecordPage {}

enum TroveBackendKitPage {}

enum TroveCryptoPage { typealias Song = FirstPages.Song }

enum TroveDocumentPage { typealias Song = FirstPages.Song }

enum TroveImportPage { static var store: ObjectStore { FirstPages.store } }

enum TroveInspectorPage { static var store: ObjectStore { FirstPages.store } }

enum TroveLMDBPage { typealias Song = FirstPages.Song }

enum TroveMemoryPage { typealias Song = FirstPages.Song }

enum TroveMirrorPage { static var store: ObjectStore { FirstPages.store } }

enum TroveSQLitePage { typealias Song = FirstPages.Song }

enum TroveStoragePage {}

enum TroveTestingPage {
    static func MyBackend(path: String) throws -> MemoryBackend { missing() }
}

enum TroveTokyoCabinetPage { typealias Song = FirstPages.Song }

enum TroveValuesPage {
    static var store: ObjectStore { FirstPages.store }
    static var data: Data { missing() }
}
