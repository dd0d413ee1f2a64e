import Trove
import TroveSQLite

/// What the samples of docs/concurrency.md take for granted.
enum ConcurrencyPage {
    @Model struct Song {
        var title: String
    }

    @Model struct Note {
        var text: String
    }

    static var store: ObjectStore { missing() }
    static var path: String { missing() }
    static func show(_ notes: [Note]) {}
    static func onNotification(_ name: String, _ body: @escaping @Sendable () -> Void) {}

    static var backend: any StorageBackend { missing() }
}
