import Foundation
import Testing

@testable import TestModels
@testable import Trove

/// Properties of live objects that are in no context.
@Suite struct LivePropertyTests {
    @Test func initializersAssignAsUsual() {
        let song = LiveSong(title: "So What")
        #expect(song.title == "So What")
        #expect(song.year == 1900)
        #expect(song.rating == nil)
        #expect(song.default == .calm)
        #expect(song.album == nil)
        #expect(song.covers.isEmpty)
        #expect(song.shout == "SO WHAT")
    }

    @Test func propertiesChange() {
        let song = LiveSong(title: "So What")
        song.title = "Blue in Green"
        song.title += "!"
        song.year -= 1
        song.rating = 4.5
        song.default = .wild
        song.tags.append("jazz")
        swap(&song.title, &song.tags[0])
        #expect(song.title == "jazz")
        #expect(song.tags == ["Blue in Green!"])
        #expect(song.year == 1899)
        #expect(song.rating == 4.5)
        #expect(song.default == .wild)
    }

    /// Appending moves an array's elements only when it has to grow, so that they stay where they are if there is room.
    @Test func collectionsChangeInPlace() {
        let song = LiveSong(title: "So What")
        song.tags.reserveCapacity(200)
        let place = song.tags.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        for number in 0..<100 { song.tags.append("\(number)") }
        #expect(song.tags.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } == place)
        #expect(song.tags.count == 100)
    }

    @Test func observersRun() {
        let song = LiveSong(title: "So What")
        song.seconds = 5
        song.seconds += 1
        #expect(song.secondsWereSet == 2)
    }

    @Test func objectsAreEqualWhenTheSame() {
        let song = LiveSong(title: "So What")
        #expect(song == song)
        #expect(song != LiveSong(title: "So What"))
        #expect(Set([song, song]).count == 1)
    }

    @Test func idsAreMadeOnceAndAscend() {
        let songs = (0..<100).map { LiveSong(title: "\($0)") }
        let ids = songs.map(\.id)
        #expect(ids == songs.map(\.id))
        #expect(Set(ids).count == 100)
        #expect(ids == ids.sorted())
        #expect(LivePerson("Bill").id == "Bill")
        #expect(LiveTicket(row: 3, seat: 4).id == LiveTicket.ID(row: 3, seat: 4))
    }

    @Test func recordsRoundTrip() throws {
        let album = LiveAlbum(title: "Kind of Blue")
        let song = LiveSong(title: "So What", created: Date(timeIntervalSince1970: 77), album: album)
        song.tags = ["jazz", "modal"]
        song.rating = 5
        song.default = .wild
        song.label = Reference(album)
        song.covers = [LiveSong(title: "Cover")]
        let read = try RecordRoundTrip.of(song)
        #expect(read !== song)
        #expect(read.id == song.id)
        #expect(read.title == "So What")
        #expect(read.tags == ["jazz", "modal"])
        #expect(read.rating == 5)
        #expect(read.default == .wild)
        #expect(read.created == Date(timeIntervalSince1970: 77))
        #expect(read.label == Reference(album))
        // It knows what it refers to; to find it there is a context.
        #expect(read._$targets(of: position(of: "album")) == [AnyReference(album)])
        #expect(read._$targets(of: position(of: "covers")) == song.covers.map { AnyReference($0) })
    }

    /// What an object in no context cannot see of its relationships is not lost when it is changed and saved.
    @Test func unseenReferencesStay() throws {
        let album = LiveAlbum(title: "Kind of Blue", songs: [LiveSong(title: "So What")])
        let read = try RecordRoundTrip.of(album)
        let added = LiveSong(title: "Flamenco Sketches")
        read.songs.append(added)
        #expect(read.songs == [added])
        #expect(read._$targets(of: 1) == (album.songs + [added]).map { AnyReference($0) })
    }

    @Test func schema() throws {
        let fields = LiveSong.schema.fields
        #expect(
            fields.map(\.name)
                == ["title", "year", "rating", "tags", "seconds", "default", "created", "album", "original", "covers", "label"])
        #expect(fields[4].originalName == "length")
        #expect(fields[7].type == .optional(.objectID))
        #expect(fields[7].relationship?.shape == .optionalOne)
        #expect(fields[9].type == .set(.objectID))
        #expect(fields[10].relationship?.targetModel == LiveAlbum.self)
        #expect(LiveAlbum.schema.fields[1].relationship?.deleteRule == .cascade)
        #expect(LivePlaylist.schema.fields[1].type == .array(.objectID))
        #expect(LiveTicket.schema.name == "Ticket")
        #expect(LiveTicket.schema.version == 2)
        #expect(LiveSong.indexes.count == 2)
    }

    private func position(of field: String) -> Int { LiveSong.schema.fields.firstIndex { $0.name == field } ?? -1 }
}
