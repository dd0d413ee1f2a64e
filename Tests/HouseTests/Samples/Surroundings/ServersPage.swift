import Foundation
import Trove
import TroveSQLite

/// What the samples of docs/servers.md take for granted.
enum ServersPage {
    @Model struct Song {
        @Attribute(.fullText) var title: String
    }

    struct NotFound: Error {}

    static var store: ObjectStore { missing() }
}
