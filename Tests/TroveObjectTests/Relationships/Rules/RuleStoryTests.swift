import TestSupport
import Testing

@testable import Trove

@Model("story playlist") struct StoryPlaylist: Hashable {
    var name: String
    /// Weak: a playlist does not own its songs.
    var songs: [Reference<StorySong>] = []
}

@Model("story song") struct StorySong: Hashable {
    var title: String
    var album: Reference<StoryAlbum>?
    @Relationship(deleteRule: .cascadeWhenUnreferenced) var cover: Reference<StoryImage>?
}

@Model("story album") struct StoryAlbum: Hashable {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \StorySong.album) var songs: [Reference<StorySong>] = []
    @Relationship(whenTargetDeleted: .deny) var artist: Reference<StoryArtist>?
}

@Model("story image") struct StoryImage: Hashable { var file: String }

@Model("story artist") struct StoryArtist: Hashable { var name: String }

/// Owned from two sides, and owning in a circle.
@Model("story part") struct StoryPart: Hashable {
    var name: String
    @Relationship(deleteRule: .cascade) var parts: [Reference<StoryPart>] = []
}

/// A package, which names others that need not exist.
@Model("story package") struct StoryPackage: Hashable {
    var id: String
    @Relationship(whenTargetDeleted: .deny) var dependencies: [Reference<StoryPackage>] = []
    @Relationship(whenTargetDeleted: .noAction) var suggestions: [Reference<StoryPackage>] = []
    @Relationship(deleteRule: .deny) var bases: [Reference<StoryPackage>] = []
}

/// Each rule in a small story, through the public interface.
@Suite struct RuleStoryTests {
    private struct Abandoned: Error {}

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) {
            try ObjectStore(
                $0, durability: .relaxed, models: StoryPlaylist.self, StorySong.self, StoryAlbum.self, StoryImage.self, StoryArtist.self,
                StoryPart.self, StoryPackage.self)
        }
    }

    // MARK: Inverses

    @Test(arguments: Engine.allCases) func eitherSideSetsTheOther(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let album = StoryAlbum(name: "Kind of Blue")
        var song = StorySong(title: "So What", album: Reference(album))
        try store.save(album)
        try store.save(song)
        #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == [Reference(song)])
        var other = StoryAlbum(name: "Milestones", songs: [Reference(song)])
        try store.save(other)
        #expect(try store.fetch(StorySong.self, id: song.id)?.album == Reference(other))
        #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == [])
        other.songs = []
        song.album = Reference(album)
        // Setting one side again and clearing the other, in either order, comes to the same.
        try store.write { transaction in
            try transaction.save(other)
            try transaction.save(song)
        }
        #expect(try store.fetch(StorySong.self, id: song.id)?.album == Reference(album))
        #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == [Reference(song)])
    }

    @Test(arguments: Engine.allCases) func theOrderOfSavingDoesNotMatter(engine: Engine) throws {
        for albumComesFirst in [true, false] {
            for songNamesAlbum in [true, false] {
                let fixture = try fixture(engine)
                let store = fixture.store
                var song = StorySong(title: "So What")
                var album = StoryAlbum(name: "Kind of Blue")
                if songNamesAlbum { song.album = Reference(album) } else { album.songs = [Reference(song)] }
                if albumComesFirst { try store.save(album) }
                try store.save(song)
                if !albumComesFirst { try store.save(album) }
                #expect(try store.fetch(StorySong.self, id: song.id)?.album == Reference(album))
                #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == [Reference(song)])
            }
        }
    }

    @Test(arguments: Engine.allCases) func orderAndRepetitionsStay(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var songs = (0..<4).map { StorySong(title: "\($0)") }
        let order = [2, 0, 2, 3].map { Reference(songs[$0]) }
        var album = StoryAlbum(name: "album", songs: order)
        try store.save(album)
        try store.save(songs)
        #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == order)
        songs[1].album = Reference(album)
        try store.save(songs[1])
        #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == order + [Reference(songs[1])])
        try store.delete(StorySong.self, id: songs[2].id)
        album = try #require(try store.fetch(StoryAlbum.self, id: album.id))
        #expect(album.songs == [songs[0], songs[3], songs[1]].map { Reference($0) })
    }

    @Test(arguments: Engine.allCases) func aBatchRewritesWhatItPointsAtOnce(engine: Engine) throws {
        let fixture = try fixture(engine)
        let album = StoryAlbum(name: "album")
        try fixture.store.save(album)
        let songs = (0..<500).map { StorySong(title: "\($0)", album: Reference(album)) }
        let journal = ChangeJournal()
        try fixture.store.core.write(.relaxed, journal: journal) { try $0.save(songs) }
        #expect(journal.changes.count == songs.count + 1)
        #expect(journal.mark == songs.count + 1, "each record was written once")
        #expect(try fixture.store.fetch(StoryAlbum.self, id: album.id)?.songs == songs.map { Reference($0) })
    }

    // MARK: Owners

    @Test(arguments: Engine.allCases) func ownedObjectsGoAndSharedOnesStay(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let (shared, own) = (StoryPart(name: "shared"), StoryPart(name: "own"))
        let first = StoryPart(name: "first", parts: [Reference(shared), Reference(own)])
        let second = StoryPart(name: "second", parts: [Reference(shared)])
        try store.save([shared, own, first, second])
        #expect(try store.delete(first))
        #expect(Set(try store.fetch(StoryPart.self).all()) == [shared, second])
        #expect(try store.delete(second))
        #expect(try store.fetch(StoryPart.self).count() == 0)
    }

    @Test(arguments: Engine.allCases) func ownersDeletedTogetherDoNotKeepWhatTheyShare(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let shared = StoryPart(name: "shared")
        let owners = (0..<3).map { StoryPart(name: "\($0)", parts: [Reference(shared)]) }
        try store.save([shared] + owners)
        #expect(try store.delete(StoryPart.self, ids: owners.map(\.id)) == 3)
        #expect(try store.fetch(StoryPart.self).count() == 0)
    }

    @Test(arguments: Engine.allCases) func circlesEnd(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var parts = (0..<5).map { StoryPart(name: "\($0)") }
        for number in parts.indices { parts[number].parts = [Reference(parts[(number + 1) % 5]), Reference(parts[number])] }
        try store.save(parts)
        #expect(try store.delete(parts[2]))
        #expect(try store.fetch(StoryPart.self).count() == 0)
    }

    @Test(arguments: Engine.allCases) func whatIsTakenOutIsDeletedAndWhatIsMovedStays(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let songs = (0..<3).map { StorySong(title: "\($0)") }
        var album = StoryAlbum(name: "album", songs: songs.map { Reference($0) })
        var other = StoryAlbum(name: "other")
        try store.save(songs)
        try store.save([album, other])
        // Taken out: gone at the end of the transaction, and not before.
        album.songs.removeFirst()
        try store.write { transaction in
            try transaction.save(album)
            #expect(try transaction.contains(StorySong.self, id: songs[0].id))
        }
        #expect(try store.fetch(StorySong.self).ids() == songs[1...].map(\.id))
        // Moved, by two saves of which the first takes it out.
        album.songs = [Reference(songs[2])]
        other.songs = [Reference(songs[1])]
        try store.write { transaction in
            try transaction.save(album)
            try transaction.save(other)
        }
        #expect(try store.fetch(StorySong.self, id: songs[1].id)?.album == Reference(other))
        // Moved from the other side.
        var moved = try #require(try store.fetch(StorySong.self, id: songs[2].id))
        moved.album = Reference(other)
        try store.save(moved)
        #expect(try store.fetch(StoryAlbum.self, id: other.id)?.songs == [Reference(songs[1]), Reference(songs[2])])
        #expect(try store.fetch(StoryAlbum.self, id: album.id)?.songs == [])
        #expect(try store.fetch(StorySong.self).count() == 2)
        // Taken out from the other side.
        moved.album = nil
        try store.save(moved)
        #expect(try !store.contains(StorySong.self, id: moved.id))
    }

    @Test(arguments: Engine.allCases) func orphansOfASavepointThatIsTakenBackStay(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let song = StorySong(title: "song")
        var album = StoryAlbum(name: "album", songs: [Reference(song)])
        try store.save(song)
        try store.save(album)
        album.songs = []
        try store.write { transaction in
            #expect(throws: Abandoned.self) {
                try transaction.savepoint {
                    try transaction.save(album)
                    throw Abandoned()
                }
            }
        }
        #expect(try store.fetch(StorySong.self, id: song.id)?.album == Reference(album))
        try store.write { transaction in
            try transaction.savepoint { try transaction.save(album) }
            #expect(try !transaction.contains(StorySong.self, id: song.id), "a savepoint that ends well looks at its orphans")
        }
    }

    @Test(arguments: Engine.allCases) func weakReferencesNeverDelete(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let song = StorySong(title: "song")
        var playlist = StoryPlaylist(name: "playlist", songs: [Reference(song), Reference(song)])
        try store.save(song)
        try store.save(playlist)
        playlist.songs = []
        try store.save(playlist)
        #expect(try store.contains(StorySong.self, id: song.id))
        playlist.songs = [Reference(song), Reference(song)]
        try store.save(playlist)
        try store.delete(song)
        #expect(try store.fetch(StoryPlaylist.self, id: playlist.id)?.songs == [], "taken out in all places")
    }

    @Test(arguments: Engine.allCases) func theLastReferenceDeletes(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let image = StoryImage(file: "cover.jpg")
        var songs = (0..<3).map { StorySong(title: "\($0)", cover: Reference(image)) }
        try store.save(image)
        try store.save(songs)
        try store.delete(songs[0])
        #expect(try store.contains(StoryImage.self, id: image.id))
        songs[1].cover = nil
        try store.save(songs[1])
        #expect(try store.contains(StoryImage.self, id: image.id))
        try store.delete(songs[2])
        #expect(try !store.contains(StoryImage.self, id: image.id))
    }

    // MARK: Denials

    @Test(arguments: Engine.allCases) func denialsNameWhatIsInTheWay(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let packages = [
            StoryPackage(id: "libc"), StoryPackage(id: "bash", dependencies: [Reference(id: "libc")]),
            StoryPackage(id: "git", dependencies: [Reference(id: "libc"), Reference(id: "bash")]),
            StoryPackage(id: "doc", suggestions: [Reference(id: "libc")]),
        ]
        try store.save(packages)
        let all = try store.fetch(StoryPackage.self).all()
        #expect {
            try store.delete(StoryPackage.self, id: "libc")
        } throws: { error in
            guard case TroveError.deletionDenied("story package", "libc", let blockers) = error else { return false }
            return blockers.map(\.id) == ["bash", "git"] && Set(blockers.map(\.relationship)) == ["story package.dependencies"]
        }
        // One is named once, however often a list has it, by either side's rule.
        let (bash, doc) = (Reference<StoryPackage>(id: "bash"), Reference<StoryPackage>(id: "doc"))
        try store.save(StoryPackage(id: "shell", dependencies: [bash, bash], bases: [doc, doc]))
        #expect {
            try store.delete(StoryPackage.self, id: "shell")
        } throws: { error in
            guard case TroveError.deletionDenied("story package", "shell", let blockers) = error else { return false }
            return blockers == [DeletionBlocker(model: "story package", id: "doc", relationship: "story package.bases")]
        }
        #expect {
            try store.delete(StoryPackage.self, id: "bash")
        } throws: { error in
            guard case TroveError.deletionDenied("story package", "bash", let blockers) = error else { return false }
            return blockers.map(\.id) == ["git", "shell"]
        }
        try store.save(StoryPackage(id: "shell"))
        try store.delete(StoryPackage.self, id: "shell")
        // A denial leaves the transaction usable, and what it did before.
        try store.write { transaction in
            try transaction.save(StoryPackage(id: "new"))
            #expect(throws: TroveError.self) { try transaction.delete(StoryPackage.self, ids: ["libc", "bash"]) }
            #expect(throws: TroveError.self) { try transaction.fetch(StoryPackage.self).where { $0.id < "bz" }.delete() }
            #expect(try transaction.fetch(StoryPackage.self).count() == 5)
            try transaction.delete(StoryPackage.self, id: "new")
        }
        #expect(try store.fetch(StoryPackage.self).all() == all)
        // What denies may go together with what it denies.
        #expect(try store.delete(StoryPackage.self, ids: ["libc", "bash", "git"]) == 3)
        // A rule of no action leaves a reference to nothing.
        #expect(try store.fetch(StoryPackage.self, id: "doc")?.suggestions == [Reference(id: "libc")])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func namesOfNothingAreNobodysBusiness(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.save([
            StoryPackage(id: "mail", dependencies: [Reference(id: "virtual"), Reference(id: "postfix")]), StoryPackage(id: "postfix"),
        ])
        // The reference that points at nothing keeps nothing and denies nothing; a deletion of nothing changes nothing.
        #expect(try !store.delete(StoryPackage.self, id: "virtual"))
        #expect(try store.fetch(StoryPackage.self, id: "mail")?.dependencies.count == 2)
        try store.save(StoryPackage(id: "virtual"))
        #expect(throws: TroveError.self) { try store.delete(StoryPackage.self, id: "virtual") }
        #expect(try store.delete(StoryPackage.self, id: "mail"))
        #expect(try store.delete(StoryPackage.self, id: "virtual"))
        #expect(try store.fetch(StoryPackage.self).ids() == ["postfix"])
    }

    @Test(arguments: Engine.allCases) func deletingAllHeedsTheRules(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let artist = StoryArtist(name: "Miles Davis")
        let song = StorySong(title: "So What")
        let album = StoryAlbum(name: "Kind of Blue", songs: [Reference(song)], artist: Reference(artist))
        try store.save(artist)
        try store.save(song)
        try store.save(album)
        #expect(throws: TroveError.self) { try store.deleteAll(StoryArtist.self) }
        #expect(try store.deleteAll(StoryAlbum.self) == 1)
        #expect(try store.fetch(StorySong.self).count() == 0)
        #expect(try store.deleteAll(StoryArtist.self) == 1)
    }

    /// With this name in it a reference is too long for an entry of an index, which has the beginning of it.
    @Model("Longnamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamenamename")
    fileprivate struct LongNamed {
        let id: Int
    }

    @Model("pointer") fileprivate struct Pointer {
        let id: Int
        @Relationship(whenTargetDeleted: .cascade) var target: AnyReference?
    }

    @Test(arguments: Engine.allCases) func deletingAllOfALongNamedModel(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: LongNamed.self, Pointer.self) }
        let target = LongNamed(id: 1)
        try fixture.store.save(target)
        try fixture.store.save(Pointer(id: 2, target: AnyReference(target)))
        #expect(try fixture.store.deleteAll(LongNamed.self) == 1)
        #expect(try fixture.store.fetch(Pointer.self).count() == 0)
        #expect(try fixture.store.verify().isSound)
    }

    // MARK: Depth

    /// A chain this long would overflow a recursion's stack.
    @Test(arguments: Engine.allCases) func longChains(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var parts = (0..<20_000).map { StoryPart(name: "\($0)") }
        for number in parts.indices.dropLast() { parts[number].parts = [Reference(parts[number + 1])] }
        try store.save(parts)
        try store.delete(parts[1])
        #expect(try store.fetch(StoryPart.self).all().map(\.id) == [parts[0].id])
        #expect(try store.verify().isSound)
    }

    /// The reverse index is not ready: what points where is found in the records.
    @Test(arguments: Engine.allCases) func withoutTheIndex(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let songs = (0..<5).map { StorySong(title: "\($0)") }
        let album = StoryAlbum(name: "album", songs: songs.map { Reference($0) })
        let playlist = StoryPlaylist(name: "playlist", songs: songs.map { Reference($0) })
        try store.save(songs)
        try store.save(album)
        try store.save(playlist)
        try store.write { transaction in
            try transaction.restartIndexes(try transaction.indexTable.entries.map(\.number), .asked)
            try transaction.delete(songs[0])
            #expect(try transaction.fetch(StoryPlaylist.self, id: playlist.id)?.songs == Array(playlist.songs.dropFirst()))
            try transaction.delete(album)
        }
        #expect(try store.fetch(StorySong.self).count() == 0)
        #expect(try store.fetch(StoryPlaylist.self, id: playlist.id)?.songs == [])
        try store.buildIndexes()
        #expect(try store.verify().isSound)
    }
}
