import TestSupport
import Trove

/// A store of several models, some of whose objects are in bags.
enum BagFixture {
    static func make(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Song.self, Country.self, Edition.self) }
    }
}

extension Bag {
    /// The members' objects as text, in order.
    func titles() throws -> [String] {
        try objects().map { object in
            switch object {
            case let song as Song: song.title
            case let country as Country: country.code
            case let edition as Edition: "\(edition.work) \(edition.number)"
            default: "?"
            }
        }
    }
}
