import Foundation
import Trove
import TroveSQLite

/// What the samples of docs/history.md take for granted.
enum HistoryPage {
    @Model struct Song {
        var title: String
    }

    struct SearchIndex {
        func apply(_ entries: [HistoryEntry]) throws {}
        func update(_ ids: ChangedIDs<Song>) throws {}
    }

    static var store: ObjectStore { missing() }
    static var song: Song { missing() }
    static var songs: [Song] { missing() }
    static var token: HistoryToken { missing() }
    static var searchIndex: SearchIndex { missing() }
    static func send(_ entry: HistoryEntry) async throws {}
}
