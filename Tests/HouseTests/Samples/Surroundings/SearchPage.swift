import Foundation
import Trove

/// What the samples of docs/search.md take for granted.
enum SearchPage {
    @Model struct Song {
        var artist: String
        var title: String
        var year: Int
        var rating: Double?
        var tags: [String] = []
    }

    static var store: ObjectStore { missing() }
    static func show(_ songs: [Song]) {}
}
