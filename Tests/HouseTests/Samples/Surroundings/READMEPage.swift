import Foundation
import Trove
import TroveSQLite

/// What the samples of README.md take for granted.
enum READMEPage {
    @Model struct Song {
        @Attribute(.indexed) var artist: String
        @Attribute(.fullText) var title: String
        var year: Int
        var rating: Double?
    }

    static var store: ObjectStore { missing() }
    static var song: Song { missing() }
    static var a: ObjectID { missing() }
    static var b: ObjectID { missing() }
    static var data: Data { missing() }
    static var key: [UInt8] { missing() }
    static var value: [UInt8] { missing() }
}
