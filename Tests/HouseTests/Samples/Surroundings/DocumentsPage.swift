import Foundation
import Trove
import TroveLMDB

/// What the samples of docs/documents.md take for granted.
enum DocumentsPage {
    @Model struct Album {
        let id: String
    }

    @Model struct Song {
        var title: String
        var artist: String
        var year: Int
        var rating: Int?
        var tags: [String] = []
        var album: Reference<Album>?
    }

    static var store: ObjectStore { missing() }
    static var notes: Documents<ObjectStore> { missing() }
    static var path: String { missing() }
    static var id: ObjectID { missing() }
}
