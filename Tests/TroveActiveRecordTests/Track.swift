import Foundation
import Trove
import TroveActiveRecord

enum Medium: String {
    case record, tape
}

@ActiveRecord @Model
struct Track {
    var title: String
    var year = 1900
    @Attribute(.indexed) var artist: String?
    var medium: Medium = .record
    var added = Date(timeIntervalSinceReferenceDate: 0)
    var tags: [String] = []
    @Transient var isSelected = false
    var note = ""
    var length, gap: Double
    var plays: Int?
    var display: String { title + note }
}
