import Testing
import Trove

/// The example of docs/bags.md, as it stands there.
@Suite struct BagExampleTests {
    @Test func theExampleDoesWhatItSays() throws {
        typealias Song = ExampleSong
        typealias Album = ExampleAlbum
        let store = try ObjectStore(MemoryBackend(), models: Song.self, Album.self)
        let songs = [Song(title: "So What", seconds: 545), Song(title: "Blue in Green", seconds: 327)]
        try store.save(songs)

        let bag = Bag(named: "tonight", in: store)
        bag.add(contentsOf: songs)
        bag.add(Album(title: "Portrait in Jazz"))
        try bag.save()

        if let bag = try store.bag(named: "tonight") {
            bag.remove(songs[0])
            bag.insert(songs[0], at: 2)
            try bag.save()
            #expect(try bag.objects().map { "\($0)" }.map { $0.contains("So What") } == [false, false, true])
            let long = try bag.fetch(Song.self).where { $0.seconds > 400 }.all()
            #expect(long == [songs[0]])
            #expect(try store.bags(containing: songs[0]).map(\.id) == [bag.id])
        } else {
            Issue.record("the bag is not there")
        }
        try store.close()
    }
}

@Model
struct ExampleSong: Hashable {
    var title: String
    var seconds: Int
}

@Model
struct ExampleAlbum: Hashable {
    var title: String
}
