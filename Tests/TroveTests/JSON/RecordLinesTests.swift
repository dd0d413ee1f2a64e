import Foundation
import TestSupport
import Testing
import Trove

/// The lines of records by name are those of the objects and of the export.
@Suite struct RecordLinesTests {
    @Model("Track") struct Track {
        var title: String
        var year: Int
        var tags: [String] = []
        var played: Date?
    }
    @Model("Track", version: 2) struct RatedTrack {
        var title: String
        var year: Int
        var rating: Double? = 0.5
    }
    @Model struct Place {
        #Unique<Place>([\.row, \.title], identity: true)
        var row: Int
        var title: String
        var year: Int
    }

    private static func lines(_ fetch: MixedFetch<StoredRecord, some ObjectSource>) throws -> (lines: [String], count: Int) {
        var text = Data()
        let count = try fetch.jsonLines { text.append(contentsOf: $0) }
        return (String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init), count)
    }

    private static let tracks = (0..<2_000).map { number in
        Track(title: number == 7 ? "a\"\n\u{202E}é" : "track \(number)", year: number % 40, tags: ["t\(number % 3)"], played: number % 2 == 0 ? Date(timeIntervalSinceReferenceDate: 0.5) : nil)
    }

    @Test(arguments: Engine.allCases, [true, false]) func linesAreThoseOfTheObjects(_ engine: Engine, _ isKnown: Bool) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self, Place.self) }
        try fixture.store.save(Self.tracks)
        try fixture.store.save([Place(row: 1, title: "x", year: 3), Place(row: 2, title: "x", year: 90)])
        var expected: [String] = []
        for track in Self.tracks.sorted(by: { $0.id < $1.id }) { expected.append(try fixture.store.json(of: track)) }
        let places = try fixture.store.fetch(Place.self).all().map { try fixture.store.json(of: $0) }
        if !isKnown { try fixture.reopenStore { try ObjectStore($0, models: []) } }
        let store = fixture.store
        let all = try Self.lines(store.fetchRecords(of: ["Track"]))
        #expect(all.lines == expected)
        #expect(all.count == 2_000)
        #expect(try Self.lines(store.fetchRecords(of: ["Track", "Place"])).lines == places + expected)
        #expect(try Self.lines(store.fetchRecords(of: ["Track", "Place"]).matching("year > 38 order by year desc limit 1")).lines == [places[1]])
        let odd = try Self.lines(store.fetchRecords(of: ["Track"]).matching("year = 7 order by title").limit(3).offset(1))
        #expect(odd.count == 3)
        #expect(odd.lines.allSatisfy { $0.contains(#""year":7"#) })
        #expect(try Self.lines(store.fetchRecords(of: ["Track"]).matching("year = 77")).count == 0)
        #expect(throws: TroveError.self) { try Self.lines(store.fetchRecords(of: ["Trakc"])) }
        // An error of the receiver ends it.
        #expect(throws: CancellationError.self) { try store.fetchRecords(of: ["Track"]).jsonLines { _ in throw CancellationError() } }
        let inRead = try store.read { try Self.lines($0.fetchRecords(of: ["Track"])).lines }
        #expect(inRead == expected)
    }

    /// A model that the program has comes in its layout, one that it does not have in those its records were written in.
    @Test(arguments: Engine.allCases) func olderLayouts(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: Track.self) }
        let old = Track(title: "old", year: 1)
        try fixture.store.save(old)
        try fixture.reopenStore { try ObjectStore($0, models: RatedTrack.self) }
        #expect(try Self.lines(fixture.store.fetchRecords(of: ["Track"])).lines == [#"{"$model":"Track","$id":{"$objectID":"\#(old.id)"},"title":"old","year":1,"rating":0.5}"#])
        try fixture.reopenStore { try ObjectStore($0, models: []) }
        #expect(try Self.lines(fixture.store.fetchRecords(of: ["Track"])).lines == [#"{"$model":"Track","$id":{"$objectID":"\#(old.id)"},"title":"old","year":1,"tags":[],"played":null}"#])
    }
}
