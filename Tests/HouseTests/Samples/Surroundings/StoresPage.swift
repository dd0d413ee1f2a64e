import Foundation
import Trove
import TroveSQLite

/// What the samples of docs/stores.md take for granted.
enum StoresPage {
    @Model struct Song {
        var title: String
    }

    @Model struct User {
        var name: String
    }

    @Model struct Invoice {
        var isPaid: Bool
    }

    /// What a web server hands on.
    struct Request {
        var body: AsyncStream<Data>
    }

    enum AuditError: Error {
        case paid(ObjectID)
    }

    enum BackupError: Error {
        case damaged(String)
    }

    static var store: ObjectStore { missing() }
    static var song: Song { missing() }
    static var user: User { missing() }
    static var data: Data { missing() }
    static var request: Request { missing() }
    static var token: [UInt8] { missing() }
    static var page: String { missing() }
    static func log(_ references: [AnyReference]) {}
}
