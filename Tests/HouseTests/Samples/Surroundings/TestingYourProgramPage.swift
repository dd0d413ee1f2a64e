import Foundation
import Trove
import TroveSQLite
import TroveTesting

/// What the samples of docs/testing-your-program.md take for granted.
enum TestingYourProgramPage {
    @Model struct Song {
        var title: String
        var year: Int
    }

    static var store: ObjectStore { missing() }
    static var song: Song { missing() }
    static var ids: [ObjectID] { missing() }
    static func songs(of year: Int, in store: ObjectStore) throws -> [String] { missing() }
}
