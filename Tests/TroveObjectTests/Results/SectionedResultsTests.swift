import Observation
import TestSupport
import Testing

@testable import Trove

/// Sections of a live list, against a plain grouping.
@Suite struct SectionedResultsTests {
    private func grouped<Value: Hashable>(_ songs: [LiveSong], by value: (LiveSong) -> Value) -> [(Value, [LiveSong])] {
        var order: [Value] = []
        for song in songs where !order.contains(value(song)) { order.append(value(song)) }
        return order.map { wanted in (wanted, songs.filter { value($0) == wanted }) }
    }

    @Test(arguments: Engine.allCases) func theyAreThePlainGroups(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        var random = SeededGenerator(seed: 7)
        let songs = (0..<40).map { LiveSong(title: ["ä", "b", "c", "d"][$0 % 4] + "\($0)") }
        for song in songs { song.year = Int.random(in: 1_950..<1_955, using: &random) }
        try context.insert(songs)
        try context.save()
        let list = try context.fetch(LiveSong.self).sorted(by: \.year, .descending).sorted(by: \.title).results()
        let years = list.sectioned(by: \.year)
        let letters = list.sectioned { $0.title.first }
        for step in 0..<20 {
            let song = try #require(songs.randomElement(using: &random))
            switch step % 4 {
            case 0: song.year = Int.random(in: 1_950..<1_958, using: &random)
            case 1: song.title = "e\(step)"
            case 2 where song.modelContext != nil: try context.delete(song)
            default: try context.rollback()
            }
            context.settleLists()
            let expected = grouped(Array(list), by: \.year)
            #expect(years.map(\.value) == expected.map(\.0) && years.map { Array($0) } == expected.map(\.1))
            #expect(years.map(\.value) == years.map(\.value).sorted(by: >), "in the order of the list")
            let byLetter = grouped(Array(list), by: \.title.first)
            #expect(letters.map(\.id) == byLetter.map(\.0) && letters.map(\.objects) == byLetter.map(\.1))
        }
        #expect(years.results === list)
    }

    /// Values without an equal, none at all, and lists without objects.
    @Test func unusualValues() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(LiveSong.self).sorted(by: \.title).results()
        let ratings = list.sectioned(by: \.rating)
        #expect(ratings.isEmpty && ratings.first == nil && ratings.last == nil)
        for (title, rating) in [("1", nil), ("2", Double.nan), ("3", nil), ("4", .nan), ("5", 0.0), ("6", -0.0)] as [(String, Double?)] {
            let song = LiveSong(title: title)
            song.rating = rating
            try context.insert(song)
        }
        context.settleLists()
        #expect(ratings.map { $0.map(\.title) } == [["1", "3"], ["2"], ["4"], ["5", "6"]])
        #expect(ratings[0].value == .some(nil))
        #expect(ratings[1...].map(\.count) == [1, 1, 2])
    }

    @Test func readingIsObserved() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "1")
        try context.insert(song)
        let list = try context.fetch(LiveSong.self).results()
        let years = list.sectioned(by: \.year)
        let calls = NoticeCounter()
        let counted = list.sectioned {
            calls.add()
            return $0.year
        }
        let notices = NoticeCounter()
        withObservationTracking { _ = years.first?.value } onChange: { notices.add() }
        song.year = 2_000
        context.settleLists()
        #expect(notices.count == 1)
        #expect(years.map(\.value) == [2_000] && counted.map(\.value) == [2_000])
        #expect(calls.count == 2, "once for each reading of the list, not for each look")
    }

    /// Who asks late for the sections of a state that is over has them alone: its objects end.
    @Test func aStateThatIsOverIsNotKept() async throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 0))
        try context.insert(LiveSong(title: "1"))
        try await context.save()
        let list = try await context.fetch(LiveSong.self).results()
        let years = list.sectioned(by: \.year)
        weak var weakSong: LiveSong?
        do {
            let former = list.shown.snapshot
            weakSong = former.objects.first
            try context.delete(former.objects[0])
            try await context.save()
            context.settleLists()
            #expect(years.isEmpty)
            _ = years.prepare(former, after: former)
        }
        try await waitUntil("the end of the song") { weakSong == nil }
        #expect(years.isEmpty)
    }

    /// The list is as before, and its sections are not: the album is of a model that inverses connect with the list's.
    @Test(arguments: Engine.allCases) func valuesOfOtherObjects(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let albums = ["A", "B"].map { LiveAlbum(title: $0, songs: [LiveSong(title: $0 + "1"), LiveSong(title: $0 + "2")]) }
        try context.insert(albums)
        try context.save()
        let list = try context.fetch(LiveSong.self).sorted(by: \.title).results()
        let sections = list.sectioned { $0.album?.title }
        #expect(sections.map(\.value) == ["A", "B"])
        let notices = NoticeCounter()
        withObservationTracking { _ = sections.count } onChange: { notices.add() }
        albums[0].title = "B"
        context.settleLists()
        #expect(sections.map(\.value) == ["B"] && sections.first?.count == 4)
        #expect(notices.count == 1)
    }
}
