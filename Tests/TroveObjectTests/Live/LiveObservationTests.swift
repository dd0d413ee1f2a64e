import Observation
import TestSupport
import Testing
import Trove

@Suite struct LiveObservationTests {
    /// How often the change tells those who read the properties before.
    private func notices(_ read: () -> Void, _ change: () -> Void) -> Int {
        let counter = NoticeCounter()
        withObservationTracking(read) { counter.add() }
        change()
        return counter.count
    }

    @Test func changesOfPropertiesAreSeen() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "1")
        try context.insert(song)
        #expect(notices { _ = song.title } _: { song.title = "2" } == 1)
        #expect(notices { _ = song.title } _: { song.title += "2" } == 1)
        #expect(notices { _ = song.title } _: { song.year = 3 } == 0)
        #expect(notices {} _: { song.title = "3" } == 0)
        #expect(notices { _ = song.secondsWereSet } _: { song.secondsWereSet = 3 } == 1)
    }

    @Test func changesOfTheOtherSideAreSeen() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let album = LiveAlbum(title: "A")
        let song = LiveSong(title: "1")
        try context.insert(album)
        try context.insert(song)
        #expect(notices { _ = song.album } _: { album.songs = [song] } == 1)
        #expect(notices { _ = album.songs } _: { song.album = nil } == 1)
        #expect(notices { _ = album.songs } _: { album.songs.append(song) } == 1)
        #expect(notices { _ = album.songs } _: { song.title = "2" } == 0)
    }

    @Test func rollingBackIsSeen() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "1")
        try context.insert(song)
        try context.save()
        song.title = "2"
        var failure: (any Error)?
        #expect(notices { _ = song.title } _: { do { try context.rollback() } catch { failure = error } } == 1)
        #expect(failure == nil)
        #expect(song.title == "1")
    }

    @Test func contextsCanDoWithoutIt() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store, options: ContextOptions(isObservable: false))
        let song = LiveSong(title: "1")
        try context.insert(song)
        #expect(notices { _ = song.title } _: { song.title = "2" } == 0)
    }
}
