import TestSupport
import Testing

@testable import Trove

@Suite struct ObjectListTests {
    /// A list in a context, one in none and an array are changed alike, and stay alike.
    @Test(arguments: 0..<4) func isLikeAnArray(seed: UInt64) throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let songs = (0..<12).map { LiveSong(title: "\($0)") }
        try songs.forEach { try context.insert($0) }
        let attached = LivePlaylist("attached")
        try context.insert(attached)
        let detached = LivePlaylist("detached")
        var array: [LiveSong] = []
        var random = SeededGenerator(seed: seed)
        func change(_ list: inout ObjectList<LiveSong>, _ operation: Int, _ a: Int, _ b: Int, _ song: LiveSong) {
            switch operation {
            case 0: list.append(song)
            case 1: list.insert(song, at: a)
            case 2 where !list.isEmpty: list.remove(at: a % list.count)
            case 3 where !list.isEmpty: list.replace(at: a % list.count, with: song)
            case 4 where !list.isEmpty: list.move(from: a % list.count, to: b % list.count)
            case 5: list.remove(song)
            case 6: list.append(contentsOf: [song, song])
            default: break
            }
        }
        for step in 0..<300 {
            let operation = Int.random(in: 0...6, using: &random)
            let a = Int.random(in: 0...array.count, using: &random)
            let b = Int.random(in: 0...array.count, using: &random)
            let song = songs.randomElement(using: &random) ?? songs[0]
            change(&attached.songs, operation, a, b, song)
            change(&detached.songs, operation, a, b, song)
            switch operation {
            case 0: array.append(song)
            case 1: array.insert(song, at: a)
            case 2 where !array.isEmpty: array.remove(at: a % array.count)
            case 3 where !array.isEmpty: array[a % array.count] = song
            case 4 where !array.isEmpty: array.insert(array.remove(at: a % array.count), at: b % (array.count + 1))
            case 5: array.removeAll { $0 === song }
            case 6: array += [song, song]
            default: break
            }
            #expect(attached.songs.map(\.title) == array.map(\.title), "step \(step)")
            #expect(detached.songs.map(\.title) == array.map(\.title), "step \(step)")
            #expect(attached.songs.firstIndex(of: song) == array.firstIndex(of: song))
            if step % 100 == 99 { try context.save() }
        }
        #expect(attached.songs.count == array.count)
        #expect(attached.songs.first === array.first)
        #expect(attached.songs.last === array.last)
        let other = ObjectContext(fixture.store)
        let read = try #require(try other.fetch(LivePlaylist.self, id: attached.id))
        #expect(read.songs.map(\.title) == array.map(\.title))
        attached.songs.removeAll()
        #expect(attached.songs.isEmpty)
    }

    @Test func bothSides() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let lists = (0..<4).map { LivePlaylist("\($0)") }
        try lists.forEach { try context.insert($0) }
        lists[0].idols.append(lists[1])
        lists[0].idols.append(lists[1])
        lists[2].idols = [lists[1], lists[3]]
        #expect(Array(lists[1].fans) == [lists[0], lists[2]])
        lists[0].idols.remove(at: 0)
        #expect(lists[1].fans.contains(lists[0]))
        lists[0].idols.remove(at: 0)
        #expect(!lists[1].fans.contains(lists[0]))
        lists[1].fans.replace(at: 0, with: lists[0])
        #expect(Array(lists[0].idols) == [lists[1]])
        #expect(Array(lists[2].idols) == [lists[3]])
        lists[3].fans.removeAll()
        #expect(lists[2].idols.isEmpty)
    }

    @Test func copiesAreValues() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let playlist = LivePlaylist("evening", songs: [LiveSong(title: "1")])
        try context.insert(playlist)
        var copy = playlist.songs
        playlist.songs.append(LiveSong(title: "2"))
        #expect(copy.map(\.title) == ["1"])
        copy.append(LiveSong(title: "3"))
        #expect(playlist.songs.map(\.title) == ["1", "2"])
        playlist.songs = copy
        #expect(playlist.songs.map(\.title) == ["1", "3"])
        #expect(context.insertedObjects.count == 4)
    }

    /// Iteration goes over its batches' ends.
    @Test func longLists() throws {
        let fixture = try liveGraphFixture(.memory)
        let songs = (0..<1_000).map { LiveSong(title: "\($0)") }
        let playlist = LivePlaylist("long", songs: songs)
        let first = ObjectContext(fixture.store)
        try first.insert(playlist)
        try first.save()
        let context = ObjectContext(fixture.store)
        let read = try #require(try context.fetch(LivePlaylist.self, id: playlist.id))
        #expect(read.songs.count == 1_000)
        #expect(read.songs[999]?.title == "999")
        #expect(read.songs.map(\.title) == (0..<1_000).map { "\($0)" })
    }

    /// What was taken out again was inserted with the rest, and stored though nothing pointed at it.
    @Test(arguments: Engine.allCases) func whatIsTakenOutIsNotInserted(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        func songs(_ titles: String...) -> [LiveSong] { titles.map { LiveSong(title: $0) } }
        // Of an object in no context.
        let playlist = LivePlaylist("new")
        for song in songs("1", "2", "3", "4") { playlist.songs.append(song) }
        playlist.songs.remove(at: 0)
        if let song = playlist.songs.first { playlist.songs.remove(song) }
        playlist.songs.replace(at: 0, with: LiveSong(title: "5"))
        try context.insert(playlist)
        #expect(playlist.songs.map(\.title) == ["5", "4"])
        #expect(context.insertedObjects.count == 3)
        // A list that is assigned.
        var list = ObjectList(songs("6", "7", "8"))
        list.remove(at: 1)
        playlist.songs = list
        #expect(context.insertedObjects.count == 5)
        list = ObjectList(songs("9"))
        list.removeAll()
        playlist.songs = list
        #expect(context.insertedObjects.count == 5)
        // In one change in place.
        func change(_ list: inout ObjectList<LiveSong>) {
            let new = songs("10", "11")
            list.append(contentsOf: new)
            list.remove(new[0])
        }
        change(&playlist.songs)
        #expect(playlist.songs.map(\.title) == ["11"])
        func replace(_ list: inout ObjectList<LiveSong>) {
            list = ObjectList(songs("12", "13"))
            list.remove(at: 0)
        }
        replace(&playlist.songs)
        #expect(playlist.songs.map(\.title) == ["13"])
        try context.save()
        #expect(try fixture.store.fetch(LiveSong.self).sorted(by: \.title).all().map(\.title) == ["11", "13", "4", "5", "6", "8"])
    }

    /// As the setter refuses it.
    @Test(arguments: Engine.allCases) func aListOfAnotherContextIsNotPutInPlace(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let (playlist, foreign, song) = (LivePlaylist("a"), LivePlaylist("b"), LiveSong(title: "own"))
        playlist.songs = [song]
        foreign.songs = [LiveSong(title: "foreign")]
        try context.insert(playlist)
        try context.save()
        try other.insert(foreign)
        try other.save()
        func fill(_ list: inout ObjectList<LiveSong>, with new: ObjectList<LiveSong>) { list = new }
        fill(&playlist.songs, with: foreign.songs)
        #expect(Array(playlist.songs) == [song])
        #expect { try context.save() } throws: { if case TroveError.foreignObject = $0 { true } else { false } }
        try context.save()
        let fresh = ObjectContext(fixture.store)
        #expect(try fresh.fetch(LivePlaylist.self).where { $0.name == "a" }.first()?.songs.map(\.title) == ["own"])
    }

    /// An object of another context was in the way though it was no longer in the list.
    @Test(arguments: Engine.allCases) func whatIsTakenOutIsNotRefused(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let (own, foreign, playlist) = (LiveSong(title: "own"), LiveSong(title: "foreign"), LivePlaylist("a"))
        try other.insert(foreign)
        try context.insert(playlist)
        var list = ObjectList([foreign, own])
        list.remove(at: 0)
        playlist.songs = list
        #expect(Array(playlist.songs) == [own])
        try context.save()
        #expect(try fixture.store.fetch(LiveSong.self).all().map(\.title) == ["own"])
    }

    @Test func insertsInItsOrder() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let songs = (0..<20).map { LiveSong(title: "\($0)") }
        let playlist = LivePlaylist("long", songs: songs)
        playlist.songs.append(songs[0])
        try context.insert(playlist)
        #expect(context.insertedObjects.compactMap { $0 as? LiveSong } == songs)
    }

    /// What was taken out does not stay in memory with the list for ever.
    @Test func letsGoOfWhatIsTakenOut() {
        let playlist = LivePlaylist("a")
        weak var first: LiveSong?
        do {
            let song = LiveSong(title: "1")
            first = song
            playlist.songs.append(song)
        }
        #expect(first != nil)
        playlist.songs.remove(at: 0)
        #expect(first == nil)
    }

    private static let blue = "Blue"

    private static let conditions: [(String, @Sendable (Fields<LivePlaylist>, LiveSong) -> Condition, @Sendable ([LiveSong], LiveSong) -> Bool)] = [
        ("count", { list, _ in list.songs.count == 2 }, { list, _ in list.count == 2 }),
        ("more", { list, _ in list.songs.count > 0 }, { list, _ in list.count > 0 }),
        ("empty", { list, _ in list.songs.isEmpty }, { list, _ in list.isEmpty }),
        ("contains", { $0.songs.contains($1) }, { $0.contains($1) }),
        ("first", { $0.songs[0] == $1 }, { $0.first == $1 }),
        ("any", { list, _ in list.songs.any { $0.title == blue } }, { list, _ in list.contains { $0.title == blue } }),
        ("all", { list, _ in list.songs.all { $0.title == blue } }, { list, _ in list.allSatisfy { $0.title == blue } }),
        ("none", { list, song in list.songs.none { $0 == song } }, { list, song in !list.contains(song) }),
    ]

    /// They compiled for arrays only, or threw that a list has no such property.
    @Test(arguments: Engine.allCases) func conditionsAreThoseOfArrays(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let (solar, blue) = (LiveSong(title: "Solar"), LiveSong(title: Self.blue))
        let lists = [("0", []), ("1", [solar]), ("2", [blue]), ("3", [blue, solar]), ("4", [solar, blue, solar])]
        try context.insert(lists.map { LivePlaylist($0, songs: $1) })
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for (name, condition, expected) in Self.conditions {
                let found = try context.fetch(LivePlaylist.self).where { condition($0, solar) }.sorted(by: \.name).all().map(\.name)
                #expect(found == lists.filter { expected($1, solar) }.map { $0.0 }, "\(name), saved: \(isSaved)")
            }
        }
    }
}
