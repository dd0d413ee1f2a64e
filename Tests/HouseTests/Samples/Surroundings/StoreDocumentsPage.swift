import Foundation
import Trove

/// What the samples of docs/store-documents.md take for granted.
enum StoreDocumentsPage {
    @Model final class Song {
        var title = ""
    }

    static var url: URL { missing() }
}
