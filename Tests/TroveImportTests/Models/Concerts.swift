// Models for an import, written by Trove (sqlite). Change what you like.
//
//     let store = try ObjectStore(backend, models: Composer.self, DataItem.self, EmptyHall.self, Performance.self, Work.self)
//     try store.importDocuments(from: ImportSource(path: path), .concerts)

import Foundation
import Trove
import TroveImport

@Model
struct Composer {
    let id: Int
    @Attribute(.unique) var name: String
    var born: Date?
    var `class`: String?
    var fullName: String?
    var fee: Decimal?
    var on: Bool
}

@Model
struct DataItem {
    var note: String?
    var work: String?
    var day: Date?
    var workDay: Reference<Performance>?
}

@Model
struct EmptyHall {
    let id: Int
    var seats: Int?
    var opened: Date?
    var name: String
    var owner: Reference<Composer>?
}

@Model
struct Performance {
    #Unique<Performance>([\.work, \.day])

    var work: Reference<Work>
    var day: Date
    var identifier: Int?
}

@Model
struct Work {
    #Index<Work>([\.composer, \.minutes])

    let id: String
    var composer: Reference<Composer>
    @Attribute(.indexed) var title: String?
    var minutes: Double?
    var remark: StoredValue?
    var scan: Data?
    var uid: UUID?
    var after: Reference<Work>?
    var code: String?
}

extension ImportOptions {
    /// The model of each collection, and the properties that have another name than the attribute.
    static let concerts = ImportOptions(
        models: [
            "composer": "Composer",
            "data": "DataItem",
            "empty_hall": "EmptyHall",
            "performance": "Performance",
            "work": "Work",
        ],
        names: [
            "composer": ["Full Name": "fullName"],
            "data": ["work_day": "workDay"],
            "performance": ["id": "identifier"],
            "work": ["composer_id": "composer"],
        ])
}
