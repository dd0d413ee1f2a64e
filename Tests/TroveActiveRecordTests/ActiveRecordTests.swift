import Foundation
import TestSupport
import Testing
import Trove
import TroveActiveRecord

/// Saving and finding on the object, on every engine. Each test has a store of its own, so they run side by side.
@Suite struct ActiveRecordTests {
    private func run(_ engine: Engine, _ body: (StoreFixture) throws -> Void) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        try ActiveRecord.using(fixture.store) { try body(fixture) }
    }

    private static let tracks = [
        Track(title: "So What", year: 1959, artist: "Miles Davis", length: 545, gap: 1),
        Track(title: "Blue in Green", year: 1959, artist: "Miles Davis", medium: .tape, length: 337, gap: 2),
        Track(title: "Naima", year: 1960, artist: "John Coltrane", length: 261, gap: 1),
        Track(title: "Anonymous", length: 10, gap: 0),
    ]

    @Test(arguments: Engine.allCases) func savesReloadsAndDeletes(_ engine: Engine) throws {
        try run(engine) { fixture in
            var track = Self.tracks[0]
            #expect(try !track.isSaved)
            try track.save()
            #expect(try fixture.store.fetch(Track.self, id: track.id)?.title == "So What")
            track.title = "unsaved"
            try track.refresh()
            #expect(track.title == "So What")
            #expect(throws: TroveError.self) { try track.insert() }
            #expect(try track.delete())
            #expect(try !track.delete())
            #expect(throws: ActiveRecordError.notFound(model: "Track", id: "\(track.id)")) { try track.refresh() }
            #expect(track.title == "So What")
        }
    }

    @Test(arguments: Engine.allCases) func findsByPropertiesAndConditions(_ engine: Engine) throws {
        try run(engine) { _ in
            let tracks = Self.tracks
            try tracks.save()
            #expect(try Track.find(tracks[1].id)?.title == "Blue in Green")
            #expect(try Track.find(ObjectID()) == nil)
            #expect(try Track.find([tracks[2].id, ObjectID(), tracks[0].id]).map(\.title) == ["Naima", "So What"])
            #expect(try Track.find.byTitle("Naima").map(\.year) == [1960])
            #expect(try Track.find.byYear(1959).count == 2)
            #expect(try Track.find.firstByArtist("Miles Davis")?.title == "So What")
            #expect(try Track.find.byArtist(nil).map(\.title) == ["Anonymous"])
            #expect(try Track.find.byMedium(.tape).map(\.title) == ["Blue in Green"])
            #expect(try Track.find.byGap(1).count == 2)
            #expect(try Track.find.by(\.length, 261).map(\.title) == ["Naima"])
            #expect(try Track.find.first(by: \.title, "absent") == nil)
            #expect(try Track.where { $0.year > 1959 }.all().map(\.title) == ["Naima"])
            #expect(try Track.matching("artist = ? order by title", "Miles Davis").all().map(\.title) == ["Blue in Green", "So What"])
            #expect(try Track.all.count == 4)
            #expect(try Track.exists(tracks[3].id))
            #expect(try Track.find.byTags(["live"]).isEmpty)
            #expect(try Track.find.byTags([]).count == 4)
        }
    }

    @Test(arguments: Engine.allCases) func aggregatesOnTheType(_ engine: Engine) throws {
        try run(engine) { _ in
            #expect(try Track.count() == 0)
            #expect(try Track.average(\.year) == nil)
            try Self.tracks.save()
            #expect(try Track.count() == 4)
            #expect(try Track.sum(\.year) == 1959 + 1959 + 1960 + 1900)
            #expect(try Track.sum(\.length) == 1153)
            #expect(try Track.sum(\.year, as: Int128.self) == 1959 + 1959 + 1960 + 1900)
            #expect(try Track.sum(\.plays) == 0)
            for var track in Self.tracks[..<2] {
                track.plays = .max
                try track.save()
            }
            #expect { try Track.sum(\.plays) } throws: { if case TroveError.sumOverflow("Track", "plays") = $0 { true } else { false } }
            #expect(try Track.sum(\.plays, as: Int128.self) == 2 * Int128(Int.max))
            #expect(try Track.minimum(\.artist) == "John Coltrane")
            #expect(try Track.maximum(\.year) == 1960)
            #expect(try Track.distinct(\.year) == [1900, 1959, 1960])
            let (count, newest) = try Track.aggregate(.count, .maximum(\.year))
            #expect(count == 4 && newest == 1960)
            #expect(try Self.tracks[..<2].delete() == 2)
            #expect(try Track.deleteAll() == 2)
        }
    }

    @Test func withoutAStoreEverythingSaysSo() {
        #expect(throws: ActiveRecordError.notConnected) { try Self.tracks[0].save() }
        #expect(throws: ActiveRecordError.notConnected) { try Track.all }
        #expect(throws: ActiveRecordError.notConnected) { try Track.find.byTitle("x") }
    }

    @Test(arguments: Engine.allCases) func asynchronously(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        try await ActiveRecord.using(fixture.store) {
            var track = Self.tracks[0]
            try await track.save()
            track.title = "unsaved"
            try await track.refresh()
            #expect(track.title == "So What")
            #expect(try await Track.fetch().count() == 1)
            #expect(try await track.delete())
            #expect(try await !Track.exists(track.id))
            try await Self.tracks.save()
            #expect(try await Track.exists(track.id))
            #expect(try await Track.find(track.id)?.title == "So What")
            #expect(try await Track.find([Self.tracks[2].id, ObjectID(), track.id]).map(\.title) == ["Naima", "So What"])
            #expect(try await Track.find.byYear(1959).map(\.title) == ["So What", "Blue in Green"])
            #expect(try await Track.find.firstByArtist(nil)?.title == "Anonymous")
            #expect(try await Track.find.first(by: \.title, "absent") == nil)
            #expect(try await Track.count() == 4)
            #expect(try await Track.sum(\.length) == 1153)
            #expect(try await Track.maximum(\.year) == 1960)
            #expect(try await Track.distinct(\.year) == [1900, 1959, 1960])
            #expect(try await Self.tracks[..<2].delete() == 2)
            #expect(try await Track.deleteAll() == 2)
        }
    }
}
