import Foundation
import TestSupport
import Testing

@testable import Trove

/// Aggregates of members in fetches of a context, compared with the live objects.
@Suite struct LiveMemberAggregateTests {
    private struct Scene {
        let albums: [LiveAlbum]
        let playlists: [LivePlaylist]

        init(_ context: ObjectContext) throws {
            albums = try (0..<7).map { (number: Int) in
                let album = LiveAlbum(title: "album \(number)")
                album.songs = (0..<number * 3 % 5).map { place in
                    let song = LiveSong(title: "song \(number) \(place)")
                    song.year = 1_950 + number * place
                    song.seconds = 100 * number + place
                    return song
                }
                album.people = ["a": LivePerson("a\(number)"), "b": LivePerson("b\(number)")]
                for (place, person) in album.people.values.enumerated() { person.age = number + place }
                try context.insert(album)
                return album
            }
            let songs = albums.flatMap(\.songs)
            playlists = try (0..<4).map { (number: Int) in
                let playlist = LivePlaylist("playlist \(number)", songs: songs.enumerated().filter { $0.offset % (number + 1) == 0 }.map(\.element))
                try context.insert(playlist)
                return playlist
            }
        }

        func check(_ context: ObjectContext, _ comment: Comment) throws {
            func sorted<Object: AnyObject>(_ objects: [Object], _ title: (Object) -> String, _ number: (Object) -> Int) -> [String] {
                objects.sorted { (-number($0), title($0)) < (-number($1), title($1)) }.map(title)
            }
            func albumsBy(_ field: (Fields<LiveAlbum>) -> Field<Int?>) throws -> [String] {
                try context.fetch(LiveAlbum.self).sorted(by: field, .descending).sorted(by: \.title).all().map(\.title)
            }
            func seconds(_ album: LiveAlbum) -> Int { album.songs.reduce(0) { $0 + $1.seconds } }
            #expect(try albumsBy { $0.songs.count } == sorted(albums, \.title) { $0.songs.count }, comment)
            #expect(try albumsBy { $0.songs.sum(\.seconds) } == sorted(albums, \.title, seconds), comment)
            #expect(try albumsBy { $0.songs.maximum(\.year) } == sorted(albums, \.title) { $0.songs.map(\.year).max() ?? -1 }, comment)
            #expect(try albumsBy { $0.people.values.sum(\.age) } == sorted(albums, \.title) { $0.people.values.reduce(0) { $0 + ($1.age ?? 0) } }, comment)
            // What is stored by the other side alone is asked of that.
            #expect(try albumsBy { $0.referencing(LiveSong.self, \.album).sum(\.seconds) } == sorted(albums, \.title, seconds), comment)
            let byCount = try context.fetch(LiveAlbum.self).sorted(by: \.songs.count, .descending).sorted(by: \.title).all().map(\.title)
            #expect(byCount == sorted(albums, \.title) { $0.songs.count }, comment)
            let lists = try context.fetch(LivePlaylist.self).sorted(by: { $0.songs.sum(\.seconds) }, .descending).sorted(by: \.name).all().map(\.name)
            #expect(lists == sorted(playlists, \.name) { $0.songs.reduce(0) { $0 + $1.seconds } }, comment)
            #expect(try context.fetch(LivePlaylist.self).sorted(by: \.songs.count, .descending).first()?.name == "playlist 0", comment)
            let found = try context.fetch(LiveAlbum.self).where { $0.songs.sum(\.seconds) > 250 && $0.songs.count > 1 }.all().map(\.title).sorted()
            #expect(found == albums.filter { seconds($0) > 250 && $0.songs.count > 1 }.map(\.title).sorted(), comment)
        }
    }

    @Test(arguments: Engine.allCases) func theyShowPendingChanges(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let scene = try Scene(context)
        try scene.check(context, "inserted")
        try context.save()
        try scene.check(context, "saved")
        for (place, song) in scene.albums.flatMap(\.songs).enumerated() {
            if place % 3 == 0 { song.seconds += 1_000 - place * 17 }
            if place % 5 == 0 { song.album = scene.albums[place % 7] }
        }
        try scene.check(context, "changed")
        try context.save()
        try scene.check(context, "saved again")
        withExtendedLifetime((fixture, context)) {}
    }
}
