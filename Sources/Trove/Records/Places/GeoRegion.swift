import Foundation

/// A part of the Earth's surface.
public enum GeoRegion: Sendable, Hashable {
    /// The points at most so many meters from a center, by ``GeoPoint/distance(to:)``; `meters` is at least 0 and may be infinite.
    case circle(center: GeoPoint, meters: Double)
    /// The points whose latitude and longitude are between those of two corners, edges included. One with a western corner east of the eastern
    /// one crosses the meridian of 180 degrees.
    case box(southWest: GeoPoint, northEast: GeoPoint)

    /// Whether a point is in the region.
    public func contains(_ point: GeoPoint) -> Bool {
        switch self {
        case .circle(let center, let meters): return center.distance(to: point) <= meters
        case .box(let southWest, let northEast):
            return southWest.latitude <= point.latitude && point.latitude <= northEast.latitude
                && Self.longitudes(from: southWest.longitude, to: northEast.longitude).contains { $0.contains(point.longitude) }
        }
    }

    /// Throws when the region is none.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)``.
    func check() throws(TroveError) {
        switch self {
        case .circle(_, let meters):
            guard meters >= 0 else { throw .invalidQuery(reason: "a circle's radius is at least 0 meters, not \(meters)") }
        case .box(let southWest, let northEast):
            guard southWest.latitude <= northEast.latitude else {
                throw .invalidQuery(reason: "a box's southern edge, \(southWest.latitude), is north of its northern one, \(northEast.latitude)")
            }
        }
    }

    /// The longitudes from one meridian eastward to another, which may be across the one of 180 degrees; that one is in it by both of its
    /// numbers. The edges are as they are given.
    private static func longitudes(from west: Double, to east: Double) -> [ClosedRange<Double>] {
        var ranges = west <= east ? [west...east] : [west...180, -180...east]
        let (hasEast, hasWest) = (ranges.contains { $0.upperBound == 180 }, ranges.contains { $0.lowerBound == -180 })
        if hasEast, !hasWest { ranges.append(-180 ... -180) }
        if hasWest, !hasEast { ranges.append(180...180) }
        return ranges
    }
}

extension GeoRegion {
    /// A rectangle of coordinates' codes.
    struct CodeBox {
        let latitudes, longitudes: ClosedRange<UInt64>
    }

    /// Rectangles that together have all points of the region, and of a circle a few more.
    var boxes: [CodeBox] {
        let south, north, west, east: Double
        switch self {
        case .box(let southWest, let northEast):
            (south, north, west, east) = (southWest.latitude, northEast.latitude, southWest.longitude, northEast.longitude)
        case .circle(let center, let meters):
            // Wider by more than the arithmetic can be wrong: 1e-7 degrees are a centimeter.
            let radius = meters / GeoPoint.earthRadius * 180 / .pi * (1 + 1e-9) + 1e-7
            (south, north) = (center.latitude - radius, center.latitude + radius)
            if south <= -90 || north >= 90 {
                (west, east) = (-180, 180)
            } else {
                // Where a meridian touches the circle (Matuschek, "Finding points within a distance of a latitude/longitude").
                let ratio = sin(radius * .pi / 180) / cos(center.latitude * .pi / 180)
                let width = ratio < 1 ? asin(ratio) * 180 / .pi * (1 + 1e-9) + 1e-7 : 180
                let (first, last) = (center.longitude - width, center.longitude + width)
                (west, east) = width < 180 ? (first < -180 ? first + 360 : first, last > 180 ? last - 360 : last) : (-180, 180)
            }
        }
        guard south <= north else { return [] }
        let latitudes = GeoPoint.code(max(-90, south))...GeoPoint.code(min(90, north))
        return Self.longitudes(from: west, to: east).map {
            CodeBox(latitudes: latitudes, longitudes: GeoPoint.code($0.lowerBound)...GeoPoint.code($0.upperBound))
        }
    }
}
