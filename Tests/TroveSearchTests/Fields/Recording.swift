import Foundation
import Trove

/// A model with every kind of property that a query can name.
@Model("Recording", version: 1)
struct Recording {
    enum Format: String, Codable, Sendable { case vinyl, tape, disc }

    /// Its order is not that of its raw values, so a store does not know it.
    enum Mood: Int, Sendable, Comparable {
        case calm = 1
        case lively = 2

        static func < (left: Mood, right: Mood) -> Bool { left.rawValue > right.rawValue }
    }

    struct Place: Codable, Sendable, Equatable {
        struct Geo: Codable, Sendable, Equatable {
            var latitude: Double
            var longitude: Double
        }

        enum CodingKeys: String, CodingKey {
            case city, zip, geo
            case country = "nation"
        }

        var city: String
        var zip: Int?
        var country: String
        var geo: Geo?
        var label: String { "\(city), \(country)" }
    }

    struct Line: Codable, Sendable, Equatable {
        var price: Double
        var quantity: Int
        var parts: [String]
    }

    var artist: String
    var title: String
    var year: Int
    var plays: UInt64
    var minutes: UInt8
    var rating: Double?
    var price: Decimal
    var isLive: Bool
    var isPublic: Bool?
    var recorded: Date
    var code: UUID?
    var cover: URL?
    var image: Data
    var format: Format
    var other: Format?
    var mood: Mood
    var place: Place
    var home: Place?
    var tags: [String]
    var scores: Set<Int>
    var notes: [String]?
    var lines: [Line]
    var labels: [String: String]
    var counts: [Int: Double]
    var `default`: Int
    var limit: Int

    var display: String { "\(artist): \(title)" }
}
