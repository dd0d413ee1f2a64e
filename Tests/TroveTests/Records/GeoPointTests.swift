import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Points, their codes and the way between them.
@Suite struct GeoPointTests {
    private var random = SeededGenerator(seed: 4)

    /// Coordinates at every scale, on both sides of 0, and at the ends.
    private mutating func coordinate(_ bound: Double) -> Double {
        let magnitude: Double =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: [0, bound, bound.nextDown, 0.25, (0.25).nextDown, 0x1p-32, 0x1p-33, 1, 64][Int.random(in: 0..<9, using: &random)]
            case 1: Double.random(in: 0...bound, using: &random)
            case 2: (Double.random(in: 0...bound, using: &random) * 1e6).rounded() / 1e6
            default: min(bound, Double.random(in: 1..<2, using: &random) * Double(sign: .plus, exponent: Int.random(in: -31...6, using: &random), significand: 1))
            }
        return Bool.random(using: &random) ? magnitude : -magnitude
    }

    private mutating func point() throws -> GeoPoint { try #require(GeoPoint(latitude: coordinate(90), longitude: coordinate(180))) }

    @Test mutating func codesAreExactAndInOrder() throws {
        var coordinates = (0..<5_000).map { _ in coordinate(180) }
        coordinates += coordinates.map { min(180, $0.nextUp) }
        let stored = Set(coordinates.map(GeoPoint.storable)).sorted()
        for (lower, upper) in zip(stored, stored.dropFirst()) {
            #expect(GeoPoint.code(lower) < GeoPoint.code(upper), "\(lower) and \(upper)")
        }
        for _ in 0..<5_000 {
            let point = try point()
            #expect(GeoPoint(code: point.code) == point)
            #expect(try GeoPoint(keyBytes: point.keyBytes) == point)
            #expect(GeoPoint(text: point.description) == point)
            #expect(try JSONDecoder().decode(GeoPoint.self, from: JSONEncoder().encode(point)) == point)
        }
    }

    /// A forged file may have any code: it is a point all the same, and one that is written back.
    @Test mutating func everyCodeIsAPoint() {
        for _ in 0..<5_000 {
            let point = GeoPoint(code: UInt128.random(in: 0 ... .max, using: &random))
            #expect((-90...90).contains(point.latitude) && (-180...180).contains(point.longitude))
            #expect(GeoPoint(code: point.code) == point)
        }
    }

    @Test func whatIsNoPoint() {
        for (latitude, longitude) in [(90.1, 0), (-90.1, 0), (0, 180.1), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0)] as [(Double, Double)] {
            #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
        }
        #expect(GeoPoint(latitude: -0.0, longitude: 1e-12)?.description == "0.0,0.0")
        for text in ["", "1", "1,2,3", "1;2", "a,b", "0x1,2", "inf,0", "nan,0", "91,0", ",", "1,", "1,2 3"] { #expect(GeoPoint(text: text) == nil, "\(text)") }
    }

    /// Parse's form, and its mistakes.
    @Test func codable() throws {
        func decoded(_ json: String) throws -> GeoPoint { try JSONDecoder().decode(GeoPoint.self, from: Data(json.utf8)) }
        let point = try #require(GeoPoint(latitude: 52.5, longitude: -13.25))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(point), as: UTF8.self) == #"{"__type":"GeoPoint","latitude":52.5,"longitude":-13.25}"#)
        #expect(try decoded(#"{"__type":"GeoPoint","latitude":52.5,"longitude":-13.25}"#) == point)
        #expect(try decoded(#"{"latitude":52.5,"longitude":-13.25}"#) == point)
        for json in [#"{"__type":"Date","latitude":1,"longitude":1}"#, #"{"latitude":91,"longitude":1}"#, #"{"latitude":1}"#] {
            #expect(throws: DecodingError.self) { try decoded(json) }
        }
    }

    /// Against another formula, and two distances that are published for the sphere of 6,371 km.
    @Test mutating func distances() throws {
        for _ in 0..<2_000 {
            let (first, second) = (try point(), try point())
            let distance = first.distance(to: second)
            #expect(abs(distance - first.distance(through: second)) <= max(0.01, distance * 1e-9), "\(first) to \(second)")
            #expect(abs(distance - second.distance(to: first)) <= 1e-6)
            #expect(first.distance(to: first) == 0)
        }
        let paris = try #require(GeoPoint(latitude: 48.8566, longitude: 2.3522))
        let london = try #require(GeoPoint(latitude: 51.5074, longitude: -0.1278))
        #expect((343_500...343_620).contains(paris.distance(to: london)))
        let (east, west) = (try #require(GeoPoint(latitude: 10, longitude: 180)), try #require(GeoPoint(latitude: 10, longitude: -180)))
        #expect(east.distance(to: west) < 1e-6 && east != west)
    }

    /// Every point of a region is in one of its ranges of codes, and these are not much more than the region.
    @Test mutating func rangesHaveTheRegion() throws {
        for _ in 0..<300 {
            let center = try point()
            let region: GeoRegion
            if Bool.random(using: &random) {
                region = .circle(center: center, meters: pow(10, Double.random(in: -2...7.4, using: &random)))
            } else {
                let other = try point()
                region = center.latitude < other.latitude ? .box(southWest: center, northEast: other) : .box(southWest: other, northEast: center)
            }
            let ranges = region.codeRanges
            #expect(!ranges.isEmpty && ranges.count <= 48)
            for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound < next.lowerBound) }
            for _ in 0..<200 {
                let point = try Int.random(in: 0..<4, using: &random) == 0 ? point() : near(center, within: region)
                if region.contains(point) { #expect(ranges.contains { $0.contains(point.code) }, "\(point) in \(region)") }
            }
        }
    }

    private mutating func near(_ center: GeoPoint, within region: GeoRegion) throws -> GeoPoint {
        guard case .circle(_, let meters) = region else { return try point() }
        let degrees = meters / 111_000
        let latitude = min(90, max(-90, center.latitude + Double.random(in: -degrees...degrees, using: &random)))
        let width = min(180, degrees / max(1e-6, cos(latitude * .pi / 180)))
        var longitude = center.longitude + Double.random(in: -width...width, using: &random)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return try #require(GeoPoint(latitude: latitude, longitude: longitude))
    }

    @Test func regionsAtTheEnds() {
        func point(_ latitude: Double, _ longitude: Double) -> GeoPoint { GeoPoint(checked: latitude, longitude) }
        let pole = GeoRegion.circle(center: point(89.99, 10), meters: 5_000)
        #expect(pole.contains(point(89.99, -170)) && !pole.contains(point(89.9, -170)))
        let across = GeoRegion.box(southWest: point(-20, 170), northEast: point(-10, -170))
        for longitude in [170, 175, 180, -180, -175, -170] as [Double] { #expect(across.contains(point(-15, longitude))) }
        for longitude in [169, -169, 0] as [Double] { #expect(!across.contains(point(-15, longitude))) }
        let western = GeoRegion.box(southWest: point(0, -180), northEast: point(1, -179))
        #expect(western.contains(point(0.5, 180)) && western.codeRanges.contains { $0.contains(point(0.5, 180).code) })
        // Edges are in it as they are written, whatever the arithmetic around the meridian makes of them.
        for east in [13.4, 0.1, -0.3, -179.9] as [Double] {
            let box = GeoRegion.box(southWest: point(0, 179.3), northEast: point(1, east))
            #expect(box.contains(point(0.5, east)) && box.contains(point(0.5, 179.3)) && !box.contains(point(0.5, east.nextUp)) && !box.contains(point(0.5, (179.3).nextDown)))
            #expect(box.codeRanges.contains { $0.contains(point(0.5, east).code) })
        }
        let spot = GeoRegion.circle(center: point(1, 1), meters: 0)
        #expect(spot.contains(point(1, 1)) && !spot.contains(point(1, 1.000001)))
        let all = GeoRegion.circle(center: point(1, 1), meters: .infinity)
        #expect(all.contains(point(-1, -179)) && all.codeRanges.contains { $0.contains(point(-90, 180).code) })
        #expect(!GeoRegion.circle(center: point(1, 1), meters: .nan).contains(point(1, 1)))
        #expect(!GeoRegion.circle(center: point(1, 1), meters: -1).contains(point(1, 1)))
    }
}
