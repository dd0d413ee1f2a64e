import Foundation
import Trove
import TroveSQLite

/// What the samples of docs/stores.md take for granted.
enum StoresPage {
    @Model struct Song {
        var title: String
    }

    @Model struct Album {
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

    /// What a program keeps of its songs, and brings up to date with each commit.
    struct SongCache {
        func reload(_ id: ObjectID) {}
        func remove(_ id: ObjectID) {}
    }

    struct TitleIndex {
        mutating func update(_ commit: StoreCommit) throws {}
    }

    static func rebuildCache() throws {}
    static func buildIndex(_ store: ObjectStore) throws -> TitleIndex { missing() }

    static var cache: SongCache { missing() }
    static var store: ObjectStore { missing() }
    static var song: Song { missing() }
    static var user: User { missing() }
    static var data: Data { missing() }
    static var request: Request { missing() }
    static var token: [UInt8] { missing() }
    static var page: String { missing() }
    static var seedPath: String { missing() }
    static func log(_ references: [AnyReference]) {}
}
