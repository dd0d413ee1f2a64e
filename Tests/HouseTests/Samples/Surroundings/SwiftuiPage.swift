import Foundation
import Trove
import TroveSQLite

/// What the samples of docs/swiftui.md take for granted.
enum SwiftuiPage {
    @Model struct Song {
        var title: String
    }
}
