import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Conditions on points and the nearest of them, on every engine, against a look at every point with another formula.
@Suite struct PlaceTests {
    @Model struct Stop: Equatable {
        var id: Int
        @Attribute(.indexed) var position: GeoPoint
        var plain: GeoPoint
        @Attribute(.indexed) var entrance: GeoPoint?
        var corners: [GeoPoint]
        var kind: Int
    }

    @Model final class Depot {
        let id: Int
        var position: GeoPoint

        init(id: Int, position: GeoPoint) { (self.id, self.position) = (id, position) }
    }

    @Model final class Van {
        let id: Int
        @Attribute(.indexed) var position: GeoPoint
        @Relationship var depot: Depot?

        init(id: Int, position: GeoPoint) { (self.id, self.position) = (id, position) }
    }

    /// Where maps have seams, and where none is.
    private static let centers: [(Double, Double)] = [(52.52, 13.4), (51.48, 0), (0, 0), (0.1, -78), (-17.7, 180), (65, -180), (89.9, 40), (-90, 0), (-33.9, 18.4)]

    private static func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint { try #require(GeoPoint(latitude: latitude, longitude: longitude)) }

    /// Points around the centers, some at the same place, and some anywhere.
    private static func stops(_ count: Int) throws -> [Stop] {
        var random = SeededGenerator(seed: 11)
        func near(_ center: (Double, Double)) throws -> GeoPoint {
            let reach = ([0, 0.001, 0.05, 1] as [Double]).randomElement(using: &random) ?? 0
            var longitude = center.1 + Double.random(in: -reach...reach, using: &random)
            if longitude > 180 { longitude -= 360 }
            if longitude < -180 { longitude += 360 }
            return try point(min(90, max(-90, center.0 + Double.random(in: -reach...reach, using: &random))), longitude)
        }
        return try (0..<count).map { id in
            let center = centers[Int.random(in: 0..<centers.count, using: &random)]
            let position = try id % 10 == 0 ? point(Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random)) : near(center)
            return Stop(id: id, position: position, plain: position, entrance: id % 3 == 0 ? nil : position, corners: try (0..<id % 3).map { _ in try near(center) }, kind: id % 5)
        }
    }

    private static func fixture(_ engine: Engine, _ stops: [Stop]) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Stop.self) }
        try fixture.store.save(stops)
        return fixture
    }

    private static func regions() throws -> [GeoRegion] {
        try centers.flatMap { center in
            let middle = try point(center.0, center.1)
            let (east, west) = (center.1 + 0.02 > 180 ? center.1 - 359.98 : center.1 + 0.02, center.1 - 0.02 < -180 ? center.1 + 359.98 : center.1 - 0.02)
            let box = GeoRegion.box(southWest: try point(max(-90, center.0 - 0.03), west), northEast: try point(min(90, center.0 + 0.03), east))
            return [box] + [0, 40, 3_000, 60_000, 2e6, .infinity].map { .circle(center: middle, meters: $0) }
        }
    }

    /// Whether a point is in a region, by another formula; nil at the very edge of a circle, where formulas differ.
    private static func isIn(_ region: GeoRegion, _ point: GeoPoint?) -> Bool? {
        guard let point else { return false }
        guard case .circle(let center, let meters) = region, meters > 0 else { return region.contains(point) }
        let distance = point.distance(through: center)
        return abs(distance - meters) < 0.01 ? nil : distance <= meters
    }

    @Test(arguments: Engine.allCases) func conditions(engine: Engine) throws {
        let stops = try Self.stops(3_000)
        let fixture = try Self.fixture(engine, stops)
        let fetch = fixture.store.fetch(Stop.self)
        for region in try Self.regions() {
            func expect(_ found: [Int], _ comment: Comment, _ passes: (Stop) -> Bool?) {
                let found = Set(found)
                for stop in stops { if let passes = passes(stop) { #expect(found.contains(stop.id) == passes, "\(comment) \(region): \(stop)") } }
            }
            expect(try fetch.where { $0.position.isWithin(region) }.ids(), "indexed") { Self.isIn(region, $0.position) }
            expect(try fetch.where { $0.plain.isWithin(region) }.ids(), "without an index") { Self.isIn(region, $0.plain) }
            expect(try fetch.where { $0.entrance.isWithin(region) && $0.kind == 1 }.ids(), "optional") { $0.kind == 1 ? Self.isIn(region, $0.entrance) : false }
            expect(try fetch.where { !$0.entrance.isWithin(region) }.ids(), "not") { Self.isIn(region, $0.entrance).map { !$0 } }
            let one = try fetch.where { $0.corners.any { $0.isWithin(region) } }.ids()
            expect(one, "any") { stop in
                let all = stop.corners.map { Self.isIn(region, $0) }
                return all.contains(true) ? true : all.contains(nil) ? nil : false
            }
            let text = fetch.where { $0.position.isWithin(region) }.query.filter.description
            #expect(try Filter(criteria: text) == .isWithin(FieldPath("position"), region), "\(text)")
            #expect(try fetch.where { $0.position.isWithin(region) }.count() == fetch.matching(text).all().count)
        }
    }

    @Test(arguments: Engine.allCases) func theIndexIsReadNearTheRegionAlone(engine: Engine) throws {
        let stops = try Self.stops(3_000)
        let fixture = try Self.fixture(engine, stops)
        for center in Self.centers {
            let middle = try Self.point(center.0, center.1)
            let plan = try fixture.store.fetch(Stop.self).where { $0.position.isWithin(meters: 120, of: middle) }.explain()
            #expect("\(plan)".contains("position"), "\(plan)")
            // At a pole a circle goes around the whole map, in a strip that ranges of codes do not fit well.
            let meters: Double = abs(center.0) > 89 ? 100_000 : 6_000
            let wide = try fixture.store.fetch(Stop.self).where { $0.position.isWithin(meters: meters, of: middle) }.count()
            let met = try #require(plan.steps.first { $0.index != nil }?.actualRows, "\(plan)")
            #expect(met <= wide + 40, "\(met) entries for a circle of 120 m, \(wide) objects are within \(meters) m of \(center)")
        }
    }

    /// How far to look is found out by two looks before the last: all three have to see one state.
    @Test(arguments: Engine.allCases) func theNearestAreOfOneState(engine: Engine) throws {
        let (fixture, backend) = try StoreFixture.counting(engine) { try ObjectStore($0, durability: .relaxed, models: Stop.self) }
        try fixture.store.save(try Self.stops(200))
        let middle = try Self.point(52.52, 13.4)
        let before = backend.counts[.read]
        #expect(try fixture.store.fetch(Stop.self).nearest(15, to: middle, by: \.position).count == 15)
        #expect(backend.counts[.read] == before + 1)
    }

    @Test(arguments: Engine.allCases) func nearest(engine: Engine) throws {
        let stops = try Self.stops(2_000)
        let fixture = try Self.fixture(engine, stops)
        let fetch = fixture.store.fetch(Stop.self)
        for (number, center) in (Self.centers + [(12.3, -45.6), (-60, 100)]).enumerated() {
            let middle = try Self.point(center.0, center.1)
            let ranked = stops.sorted { ($0.position.distance(to: middle), $0.id) < ($1.position.distance(to: middle), $1.id) }
            for count in [1, 7, 100] {
                let found = try fetch.nearest(count, to: middle, by: \.position)
                #expect(found.map(\.object.id) == ranked.prefix(count).map(\.id), "\(count) at \(center)")
                #expect(found.map(\.distance) == ranked.prefix(count).map { $0.position.distance(to: middle) })
            }
            let some = try fetch.where { $0.kind == 2 }.nearest(5, to: middle, by: \.plain)
            #expect(some.map(\.object.id) == ranked.filter { $0.kind == 2 }.prefix(5).map(\.id))
            let there = try fetch.nearest(4, to: middle, by: \.entrance)
            #expect(there.map(\.object.id) == ranked.filter { $0.entrance != nil }.prefix(4).map(\.id))
            let close = try fetch.nearest(50, to: middle, by: \.position, within: 200)
            #expect(close.map(\.object.id) == ranked.filter { $0.position.distance(to: middle) <= 200 }.prefix(50).map(\.id), "\(number)")
        }
        let middle = try Self.point(1, 1)
        #expect(try fetch.nearest(5_000, to: middle, by: \.position).count == 2_000)
        #expect(try fetch.nearest(5_000, to: middle, by: \.entrance).count == stops.count { $0.entrance != nil })
        #expect(try fetch.nearest(0, to: middle, by: \.position).isEmpty)
        #expect(throws: TroveError.self) { try fetch.limit(5).nearest(1, to: middle, by: \.position) }
        #expect(throws: TroveError.self) { try fetch.nearest(1, to: middle, by: \.position, within: -1) }
        #expect(throws: TroveError.self) { try fetch.nearest(1, to: middle, by: \.position, within: .nan) }
    }

    /// Distances are of the same records that the query finds, whatever live objects say by now.
    @Test(arguments: Engine.allCases) func nearestAmongUnsavedMoves(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Van.self, Depot.self) }
        let context = ObjectContext(fixture.store)
        let middle = try Self.point(0, 0)
        let vans = try [Van(id: 1, position: Self.point(0, 1)), Van(id: 2, position: Self.point(0, 5))]
        for van in vans { van.depot = Depot(id: van.id, position: van.position) }
        try context.insert(vans)
        try context.save()
        func saved() throws -> [Nearby<Van>] { try context.saved.fetch(Van.self).nearest(1, to: middle, by: \.position) }
        func unsaved() throws -> [Nearby<Van>] { try context.fetch(Van.self).nearest(1, to: middle, by: \.position) }
        let (one, five) = try (Self.point(0, 1).distance(to: middle), Self.point(0, 5).distance(to: middle))
        for (place, nearest, distance) in try [(Self.point(0, 50), 2, five), (middle, 1, 0)] {
            vans[0].position = place
            #expect(try saved().map(\.object.id) == [1] && saved().map(\.distance) == [one], "\(place)")
            #expect(try unsaved().map(\.object.id) == [nearest] && unsaved().map(\.distance) == [distance], "\(place)")
        }
        try context.rollback()
        // Behind a reference too.
        vans[1].depot?.position = middle
        #expect(try context.fetch(Van.self).nearest(1, to: middle, by: \.depot?.position).map(\.object.id) == [2])
        #expect(try context.saved.fetch(Van.self).nearest(1, to: middle, by: \.depot?.position).map(\.object.id) == [1])
    }

    @Test(arguments: Engine.allCases) func nearestAsynchronously(engine: Engine) async throws {
        let fixture = try Self.fixture(engine, try Self.stops(300))
        let middle = try Self.point(0, 0)
        let fetch = fixture.store.fetch(Stop.self)
        let (found, there) = (try await fetch.nearest(5, to: middle, by: \.position), try await fetch.nearest(5, to: middle, by: \.entrance))
        let expected = try await fixture.store.read { transaction in
            let fetch = transaction.fetch(Stop.self)
            return (try fetch.nearest(5, to: middle, by: \.position).map(\.object), try fetch.nearest(5, to: middle, by: \.entrance).map(\.object))
        }
        #expect(found.map(\.object) == expected.0 && there.map(\.object) == expected.1)
    }

    @Test(arguments: Engine.allCases) func documents(engine: Engine) throws {
        let stops = try Self.stops(600)
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let notes = fixture.store.documents("stops")
        try notes.save(stops.map { ["number": .int(Int64($0.id)), "at": ["place": .geoPoint($0.position)], "corners": .array($0.corners.map { .geoPoint($0) })] as Document })
        for region in try Self.regions().prefix(20) {
            let expected = Set(stops.filter { Self.isIn(region, $0.position) != false }.map { Int64($0.id) })
            let found = try notes.fetch { $0["at.place"].isWithin(region) }.all()
            #expect(Set(found.compactMap { document in if case .int(let number)? = document["number"] { number } else { nil } }) == expected)
            #expect(try notes.fetch { $0.anywhere("place").any { $0.isWithin(region) } }.count() == expected.count)
            let corners = try notes.fetch { $0["corners"].any { $0.isWithin(region) } }.count()
            #expect(corners == stops.count { $0.corners.contains { Self.isIn(region, $0) != false } })
        }
        let middle = try Self.point(52.52, 13.4)
        let ranked = stops.map { $0.position.distance(to: middle) }.sorted()
        #expect(try notes.fetch().nearest(9, to: middle, by: "at.place").map(\.distance) == Array(ranked.prefix(9)))
        // Enough that reading them all takes longer, whatever the sample of the index says.
        try notes.save((0..<3_000).map { ["number": .int(Int64($0))] as Document })
        let plan = try notes.fetch { $0["at.place"].isWithin(meters: 100, of: middle) }.explain()
        #expect("\(plan)".contains("every path"), "\(plan)")
        #expect(try notes.attributes().contains { $0.path == "at.place" && $0.kinds == [.geoPoint: 600] })
    }

    /// A program without the model asks, and saves a text as the point that it is.
    @Test(arguments: Engine.allCases) func withoutTheModel(engine: Engine) throws {
        let stops = try Self.stops(200)
        let fixture = try Self.fixture(engine, stops)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let documents = fixture.store.documents(of: "Stop")
        var stop = try #require(try documents.fetch(id: .int(7)))
        try stop.set("position", to: "48.8566, 2.3522")
        try documents.save(stop)
        let found = try documents.fetch("position within 2 km of geopoint '48.86,2.35'").all()
        #expect(found.map(\.id) == [.int(7)])
        #expect(try documents.fetch("position = geopoint '48.8566,2.3522'").count() == 1)
        #expect(try documents.fetch("position = '48.8566,2.3522'").count() == 1)
        #expect(try documents.fetch("position within geopoint '48,2' to geopoint '49,3'").count() == 1)
        #expect(try documents.fetch("position within ? m of ?", 100, GeoPoint(latitude: 48.8566, longitude: 2.3522)!).count() == 1)
        #expect(try fixture.store.verify().isSound)
        #expect(throws: TroveError.self) { try stop.set("position", to: "91,0"); try documents.save(stop) }
    }

    @Test(arguments: Engine.allCases) func mistakes(engine: Engine) throws {
        let fixture = try Self.fixture(engine, [])
        let fetch = fixture.store.fetch(Stop.self)
        let (south, north) = (try Self.point(1, 1), try Self.point(2, 0))
        for region in [GeoRegion.circle(center: south, meters: -1), .circle(center: south, meters: .nan), .box(southWest: north, northEast: south)] {
            #expect(throws: TroveError.self, "\(region)") { try fetch.where { $0.position.isWithin(region) }.all() }
            #expect(throws: TroveError.self, "\(region)") { try fetch.where { $0.plain.isWithin(region) }.count() }
        }
        #expect(throws: TroveError.self) { try fetch.matching("kind within 5 m of geopoint '1,1'").all() }
        for text in [
            "position within", "position within 5", "position within 5 m", "position within 5 m of 'x'", "position within 5 m of geopoint '91,0'", "position within 5 feet of geopoint '1,1'",
            "position within geopoint '1,1'", "position within geopoint '1,1' to 5", "5 within 5 m of geopoint '1,1'", "position within kind m of geopoint '1,1'",
        ] {
            #expect(throws: TroveError.self, "\(text)") { try fetch.matching(text).all() }
        }
    }
}
