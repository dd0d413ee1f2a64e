import Foundation
import TestSupport
import Testing

@testable import Trove

@Suite struct LiveRelationshipTests {
    // MARK: Without a context

    @Test func newObjectsHoldEachOther() {
        let album = LiveAlbum(title: "Kind of Blue")
        weak var song: LiveSong?
        do {
            let new = LiveSong(title: "So What")
            album.songs.append(new)
            song = new
        }
        #expect(song != nil)
        #expect(album.songs.map(\.title) == ["So What"])
        album.songs.removeAll()
        #expect(song == nil)
    }

    // MARK: In a context

    @Test(arguments: Engine.allCases) func everyFormIsStored(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let album = LiveAlbum(title: "Kind of Blue", songs: ["So What", "Blue in Green"].map { LiveSong(title: $0) })
        let bill = LivePerson("Bill")
        let context = ObjectContext(fixture.store)
        try context.insert(album)
        // The same object twice keeps both places.
        album.songs.append(album.songs[0])
        album.people["piano"] = bill
        album.people["liner notes"] = bill
        bill.friends = [LivePerson("Paul"), LivePerson("Scott")]
        album.songs[0].covers = [LiveSong(title: "Cover A"), LiveSong(title: "Cover B")]
        try context.save()

        let other = ObjectContext(fixture.store)
        let read = try #require(try other.fetch(LiveAlbum.self, id: album.id))
        #expect(read !== album)
        #expect(read.songs.map(\.title) == ["So What", "Blue in Green", "So What"])
        #expect(read.songs[0] === read.songs[2])
        #expect(read.songs.allSatisfy { $0.album === read })
        #expect(Set(read.people.keys) == ["piano", "liner notes"])
        #expect(read.people["piano"]?.friends.map(\.id) == ["Paul", "Scott"])
        #expect(Set(read.songs[0].covers.map(\.title)) == ["Cover A", "Cover B"])
        #expect(read.songs[0].covers.allSatisfy { $0.original === read.songs[0] })
    }

    @Test func oneToMany() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let (a, b) = (LiveAlbum(title: "A"), LiveAlbum(title: "B"))
        let songs = (0..<4).map { LiveSong(title: "\($0)") }
        try context.insert(a)
        try context.insert(b)
        a.songs = songs
        #expect(songs.allSatisfy { $0.album === a })
        // Each side, and each way of changing one.
        songs[0].album = b
        #expect(a.songs == Array(songs[1...]))
        #expect(b.songs == [songs[0]])
        b.songs.insert(songs[3], at: 0)
        #expect(a.songs == [songs[1], songs[2]])
        #expect(songs[3].album === b)
        a.songs.remove(at: 0)
        #expect(songs[1].album == nil)
        b.songs.swapAt(0, 1)
        #expect(b.songs == [songs[0], songs[3]])
        songs[2].album = nil
        #expect(a.songs.isEmpty)
        // An object that is there twice leaves when both its places are gone.
        a.songs = [songs[1], songs[2], songs[1]]
        a.songs.removeLast()
        #expect(songs[1].album === a)
        a.songs.removeAll { $0 === songs[1] }
        #expect(songs[1].album == nil)
    }

    @Test func oneToOneAndManyToManyToItself() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let people = ["A", "B", "C", "D"].map { LivePerson($0) }
        try people.forEach { try context.insert($0) }
        people[0].spouse = people[1]
        #expect(people[1].spouse === people[0])
        people[2].spouse = people[1]
        #expect(people[0].spouse == nil)
        #expect(people[1].spouse === people[2])
        people[1].spouse = nil
        #expect(people[2].spouse == nil)
        people[3].spouse = people[3]
        #expect(people[3].spouse === people[3])
        people[0].friends = [people[1], people[2], people[0]]
        #expect(people[1].friends == [people[0]])
        people[2].friends.append(people[1])
        #expect(people[1].friends == [people[0], people[2]])
        people[0].friends.removeFirst()
        #expect(people[1].friends == [people[2]])
        #expect(people[0].friends == [people[2], people[0]])
    }

    @Test func sidesAreJoinedAtInsertion() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let album = LiveAlbum(title: "A")
        let song = LiveSong(title: "1", album: album)
        let both = LiveSong(title: "2", album: album)
        album.songs = [both]
        #expect(album.songs == [both])
        try context.insert(song)
        #expect(album.songs == [both, song])
        #expect(context.insertedObjects.count == 3)
    }

    @Test func assigningInserts() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let playlist = LivePlaylist("evening")
        try context.insert(playlist)
        let song = LiveSong(title: "1", album: LiveAlbum(title: "A", songs: [LiveSong(title: "2")]))
        playlist.songs.append(song)
        #expect(context.insertedObjects.count == 4)
        #expect(song.album?.songs.map(\.title) == ["2", "1"])
        try context.save()
        #expect(try fixture.store.fetch(LiveSong.self).count() == 2)
    }

    @Test func objectsOfOtherContextsAreRefused() throws {
        let fixture = try liveGraphFixture(.memory)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let (album, playlist) = (LiveAlbum(title: "A"), LivePlaylist("evening"))
        let (song, foreign) = (LiveSong(title: "1"), LiveSong(title: "2"))
        try context.insert(album)
        try context.insert(playlist)
        try other.insert(foreign)
        for change in [
            { album.songs = [song, foreign] }, { album.songs.append(foreign) }, { foreign.album = album }, { playlist.songs.append(foreign) },
            { playlist.songs = [song, foreign] }, { song.covers = [foreign]; album.songs = [song] },
        ] {
            change()
            #expect(album.songs.isEmpty)
            #expect(playlist.songs.isEmpty)
            #expect(foreign.album == nil)
            #expect(throws: TroveError.self) { try context.save(); try other.save() }
        }
        try context.save()
        try other.save()
        #expect(try fixture.store.fetch(LiveSong.self).all().map(\.title) == ["2"])
    }

    /// A record that is gone does not show, and leaves no other reference when the relationship is changed in place.
    @Test func missingObjects() throws {
        let fixture = try liveGraphFixture(.memory)
        let songs = (0..<4).map { LiveSong(title: "\($0)") }
        let playlist = LivePlaylist("evening", songs: songs)
        playlist.guests = Set(songs)
        playlist.opener = songs[1]
        let first = ObjectContext(fixture.store)
        try first.insert(playlist)
        try first.save()
        try fixture.store.delete(LiveSong.self, id: songs[1].id)
        let context = ObjectContext(fixture.store)
        let read = try #require(try context.fetch(LivePlaylist.self, id: playlist.id))
        #expect(read.songs.count == 4)
        #expect(read.songs.map(\.title) == ["0", "2", "3"])
        #expect(read.songs[1] == nil)
        #expect(throws: TroveError.self) { try read.songs.object(at: 1) }
        #expect(read.opener == nil)
        #expect(Set(read.guests.map(\.title)) == ["0", "2", "3"])
        read.guests.insert(LiveSong(title: "6"))
        read.songs.remove(at: 3)
        #expect(read._$targets(of: 1) == songs[0..<3].map { AnyReference($0) })
        #expect(read._$targets(of: 2).count == 5)
        #expect(!context.faultErrors.isEmpty)
    }

    /// Circles of objects are freed with the application's last reference, once they are saved.
    @Test func circlesAreFreed() throws {
        let fixture = try liveGraphFixture(.memory)
        weak var album: LiveAlbum?
        weak var song: LiveSong?
        do {
            let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 0))
            let new = LiveAlbum(title: "A", songs: [LiveSong(title: "1")])
            let first = new.songs[0]
            (album, song) = (new, first)
            try context.insert(new)
            try context.save()
            #expect(first.album === new)
        }
        #expect(album == nil)
        #expect(song == nil)
    }
}
