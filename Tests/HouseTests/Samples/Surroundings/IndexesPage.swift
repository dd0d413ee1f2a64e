import Foundation
import Trove
import TroveSQLite

/// What the samples of docs/indexes.md take for granted.
enum IndexesPage {
    struct Line: Codable, Hashable, Sendable {
        var price: Double
    }

    @Model struct Song {
        var title: String
        var mood: String?
        var year: Int
        var lines: [Line] = []
    }

    static var store: ObjectStore { missing() }
    static var notes: Documents<ObjectStore> { missing() }
}
