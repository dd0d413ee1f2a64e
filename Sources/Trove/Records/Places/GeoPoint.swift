import Foundation

/// A point on the Earth's surface: a latitude and a longitude, in degrees.
///
/// ```swift
/// @Model
/// struct Stop {
///     var name: String
///     @Attribute(.indexed) var position: GeoPoint
/// }
///
/// try store.fetch(Stop.self).where { $0.position.isWithin(meters: 500, of: here) }.all()
/// try store.fetch(Stop.self).nearest(10, to: here, by: \.position)
/// ```
///
/// It is a value as any other: exact, an id, in lists and documents, equal when both coordinates are. Its order, which indexes and sorts have, keeps near
/// points near each other and means nothing else. `Codable` writes it as Parse does,
/// `{"__type": "GeoPoint", "latitude": 52.5, "longitude": 13.4}`, and reads it without the type too.
///
/// Coordinates closer to 0 than 2^-32 degrees, some 26 micrometers, are 0.
public struct GeoPoint: Sendable, Hashable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of the meridian of Greenwich, -180 to 180; both ends are the same meridian.
    public let longitude: Double

    /// Creates a point; nil when the latitude is not within -90 and 90, or the longitude not within -180 and 180.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = Self.storable(latitude)
        self.longitude = Self.storable(longitude)
    }

    /// Creates a point of coordinates that are in range, and storable.
    init(checked latitude: Double, _ longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The mean radius of the Earth in meters (IUGG).
    static let earthRadius = 6_371_008.8

    /// The way over a sphere of the Earth's mean radius, in meters. It differs from the way over the ellipsoid of WGS 84 by at most 0.56 percent.
    ///
    /// The haversine formula (Sinnott, 1984), which is exact to some nanometers for near points and to some meters for opposite ones.
    public func distance(to other: GeoPoint) -> Double {
        let (first, second) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let north = sin((second - first) / 2)
        let east = sin((other.longitude - longitude) * .pi / 360)
        let chord = north * north + cos(first) * cos(second) * east * east
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }
}

/// The order of points in keys, indexes and sorts.
extension GeoPoint: Comparable {
    public static func < (left: GeoPoint, right: GeoPoint) -> Bool { left.code < right.code }
}

extension GeoPoint: CustomStringConvertible {
    /// The coordinates as criteria text has them: `52.5,13.4`.
    public var description: String { "\(latitude),\(longitude)" }

    /// Reads a point as ``description`` writes it; nil when the text is none.
    init?(text: Substring) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Self.coordinate(parts[0]), let longitude = Self.coordinate(parts[1]) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// A number in digits, with spaces around it or none. `Double` would also take hexadecimal ones.
    private static func coordinate(_ text: Substring) -> Double? {
        let digits = text.trimmingCharacters(in: .whitespaces)
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(digits)
    }
}

/// As Parse writes it, wherever it is encoded by `Codable` outside of a store.
extension GeoPoint: Codable {
    private enum CodingKeys: String, CodingKey {
        case type = "__type"
        case latitude, longitude
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("GeoPoint", forKey: .type)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let type = try container.decodeIfPresent(String.self, forKey: .type), type != "GeoPoint" {
            throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "'\(type)' is not GeoPoint")
        }
        let (latitude, longitude) = (try container.decode(Double.self, forKey: .latitude), try container.decode(Double.self, forKey: .longitude))
        guard let point = Self(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: container,
                debugDescription: "\(latitude), \(longitude) is no point: a latitude is from -90 to 90, a longitude from -180 to 180")
        }
        self = point
    }
}
