import TestSupport
import Testing
import Trove

@Model("rekeyed album") struct RekeyedAlbum: Hashable {
    var id: String
    var songs: [Reference<RekeyedSong>] = []
}

@Model("rekeyed tag") struct RekeyedTag: Hashable {
    var id: String
    var songs: [Reference<RekeyedSong>] = []
}

@Model("rekeyed cover") struct RekeyedCover: Hashable {
    var id: String
    var song: Reference<RekeyedSong>?
}

@Model("rekeyed song") struct RekeyedSong: Hashable {
    var id: String
    /// One to many.
    @Relationship(inverse: \RekeyedAlbum.songs) var album: Reference<RekeyedAlbum>?
    /// Many to many, without an order on this side.
    @Relationship(inverse: \RekeyedTag.songs) var tags: Set<Reference<RekeyedTag>> = []
    /// One to one.
    @Relationship(inverse: \RekeyedCover.song) var cover: Reference<RekeyedCover>?
    @Attribute(.writeOnce) var added: Int = 0
}

/// Its number is another object's sometimes.
@Model("rekeyed label") struct RekeyedLabel: Hashable {
    var id: String
    @Attribute(.unique) var number: Int
    var history: String = ""
    @Relationship(inverse: \RekeyedRecord.label) var records: [Reference<RekeyedRecord>] = []
}

/// Its id is made of what is written once.
@Model("rekeyed record") struct RekeyedRecord: Hashable {
    #Unique<RekeyedRecord>([\.title], identity: true)
    @Attribute(.writeOnce) var title: String
    var label: Reference<RekeyedLabel>?
}

@Model("rekeyed place") struct RekeyedPlace: Hashable {
    var id: Double
}

@Model("rekeyed pin") struct RekeyedPin {
    var id: Int
    var place: Reference<RekeyedPlace>?
    var route: [Reference<RekeyedPlace>] = []
}

/// Objects that get another id where relationships have inverses: what pointed at the old id points at the new one, in the same places, and what else was
/// changed is followed.
@Suite struct RekeyingTests {
    /// All that a store has, as plain dictionaries.
    struct Plain: Equatable {
        struct Song: Equatable {
            var album: String?
            var tags: Set<String> = []
            var cover: String?
            var added = 0
        }

        var albums: [String: [String]] = [:]
        var tags: [String: [String]] = [:]
        var covers: [String: String?] = [:]
        var songs: [String: Song] = [:]

        init(_ store: ObjectStore) throws {
            for album in try store.fetch(RekeyedAlbum.self).all() { albums[album.id] = album.songs.map(\.id) }
            for tag in try store.fetch(RekeyedTag.self).all() { tags[tag.id] = tag.songs.map(\.id) }
            for cover in try store.fetch(RekeyedCover.self).all() { covers[cover.id] = .some(cover.song?.id) }
            for song in try store.fetch(RekeyedSong.self).all() {
                songs[song.id] = Song(album: song.album?.id, tags: Set(song.tags.map(\.id)), cover: song.cover?.id, added: song.added)
            }
        }

        /// Gives one id in the place of another; no two objects of the tests have the same, whatever they are.
        mutating func rename(_ old: String, _ new: String) {
            func named(_ id: String) -> String { id == old ? new : id }
            func renamed<Value>(_ values: [String: Value], _ body: (Value) -> Value) -> [String: Value] {
                Dictionary(uniqueKeysWithValues: values.map { (named($0.key), body($0.value)) })
            }
            albums = renamed(albums) { $0.map(named) }
            tags = renamed(tags) { $0.map(named) }
            covers = renamed(covers) { $0.map(named) }
            songs = renamed(songs) { Song(album: $0.album.map(named), tags: Set($0.tags.map(named)), cover: $0.cover.map(named), added: $0.added) }
        }
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: RekeyedAlbum.self, RekeyedTag.self, RekeyedCover.self, RekeyedSong.self)
        }
        let store = fixture.store
        func songs(_ ids: String...) -> [Reference<RekeyedSong>] { ids.map { Reference(id: $0) } }
        try store.save(["s1", "s2", "s3", "s4"].map { RekeyedSong(id: $0, added: 7) })
        try store.save([
            RekeyedAlbum(id: "a1", songs: songs("s3", "s1", "s2")), RekeyedAlbum(id: "a2", songs: songs("s4")), RekeyedAlbum(id: "a3"),
        ])
        try store.save([RekeyedTag(id: "t1", songs: songs("s4", "s1", "s3")), RekeyedTag(id: "t2", songs: songs("s1", "s2"))])
        try store.save([RekeyedCover(id: "c1", song: Reference(id: "s1")), RekeyedCover(id: "c2", song: Reference(id: "s4")), RekeyedCover(id: "c3")])
        return fixture
    }

    @Test(arguments: Engine.allCases) func placesAreKept(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var expected = try Plain(store)
        #expect(expected.songs["s1"] == Plain.Song(album: "a1", tags: ["t1", "t2"], cover: "c1", added: 7))
        func check(_ old: String, _ new: String, _ location: SourceLocation = #_sourceLocation) throws {
            expected.rename(old, new)
            #expect(try Plain(store) == expected, sourceLocation: location)
        }
        // From the one to the many, and back; each way on both sides of all relationships.
        var song = try #require(try store.fetch(RekeyedSong.self, id: "s1"))
        song.id = "s9"
        try store.rekey(RekeyedSong.self, from: "s1", to: song)
        try check("s1", "s9")
        var album = try #require(try store.fetch(RekeyedAlbum.self, id: "a1"))
        album.id = "a0"
        try store.rekey(RekeyedAlbum.self, from: "a1", to: album)
        try check("a1", "a0")
        var tag = try #require(try store.fetch(RekeyedTag.self, id: "t1"))
        tag.id = "t9"
        try store.rekey(RekeyedTag.self, from: "t1", to: tag)
        try check("t1", "t9")
        var cover = try #require(try store.fetch(RekeyedCover.self, id: "c1"))
        cover.id = "c9"
        try store.rekey(RekeyedCover.self, from: "c1", to: cover)
        try check("c1", "c9")
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatIsChangedBesideIsFollowed(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var expected = try Plain(store)
        try store.rekey(
            RekeyedSong.self, from: "s1",
            to: RekeyedSong(id: "s9", album: Reference(id: "a2"), tags: [Reference(id: "t2")], cover: Reference(id: "c2"), added: 99))
        expected.rename("s1", "s9")
        expected.albums["a1"] = ["s3", "s2"]
        expected.albums["a2"] = ["s4", "s9"]
        expected.tags["t1"] = ["s4", "s3"]
        expected.covers["c1"] = .some(nil)
        expected.covers["c2"] = "s9"
        // What is written once stays.
        expected.songs["s9"] = Plain.Song(album: "a2", tags: ["t2"], cover: "c2", added: 7)
        expected.songs["s4"]?.cover = nil
        #expect(try Plain(store) == expected)
        // From the side of the list: one song leaves, another comes.
        try store.rekey(RekeyedAlbum.self, from: "a1", to: RekeyedAlbum(id: "a9", songs: [Reference(id: "s2"), Reference(id: "s4")]))
        expected.rename("a1", "a9")
        expected.albums["a9"] = ["s2", "s4"]
        expected.albums["a2"] = ["s9"]
        expected.songs["s3"]?.album = nil
        expected.songs["s4"]?.album = "a9"
        #expect(try Plain(store) == expected)
        #expect(try store.verify().isSound)
    }

    /// A list may have had the new id before there was an object with it.
    @Test(arguments: Engine.allCases) func whatPointedAtTheNewIDBefore(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try store.save(RekeyedTag(id: "t3", songs: [Reference(id: "s9")]))
        try store.save(RekeyedAlbum(id: "a3", songs: [Reference(id: "s9")]))
        var expected = try Plain(store)
        var song = try #require(try store.fetch(RekeyedSong.self, id: "s1"))
        song.id = "s9"
        try store.rekey(RekeyedSong.self, from: "s1", to: song)
        expected.rename("s1", "s9")
        expected.songs["s9"]?.tags.insert("t3")
        // A song is on one album: the one that it says itself.
        expected.albums["a3"] = []
        #expect(try Plain(store) == expected)
        #expect(try store.verify().isSound)
    }

    /// What points at an object may have the same id as this, of another model.
    @Test(arguments: Engine.allCases) func objectsOfOtherModelsWithTheID(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: RekeyedAlbum.self, RekeyedTag.self, RekeyedCover.self, RekeyedSong.self)
        }
        let store = fixture.store
        try store.save([RekeyedSong(id: "x"), RekeyedSong(id: "y")])
        try store.save(RekeyedAlbum(id: "x", songs: [Reference(id: "y"), Reference(id: "x")]))
        try store.save(RekeyedTag(id: "x", songs: [Reference(id: "x")]))
        try store.save(RekeyedCover(id: "x", song: Reference(id: "x")))
        var album = try #require(try store.fetch(RekeyedAlbum.self, id: "x"))
        album.id = "a"
        try store.rekey(RekeyedAlbum.self, from: "x", to: album)
        var song = try #require(try store.fetch(RekeyedSong.self, id: "x"))
        #expect(song.album?.id == "a" && song.tags == [Reference(id: "x")] && song.cover?.id == "x")
        song.id = "s"
        try store.rekey(RekeyedSong.self, from: "x", to: song)
        #expect(try store.fetch(RekeyedAlbum.self, id: "a")?.songs.map(\.id) == ["y", "s"])
        #expect(try store.fetch(RekeyedTag.self, id: "x")?.songs.map(\.id) == ["s"])
        #expect(try store.fetch(RekeyedCover.self, id: "x")?.song?.id == "s")
        #expect(try store.fetch(RekeyedSong.self, id: "s") == song)
        #expect(try store.danglingReferences().isEmpty && store.verify().isSound)
    }

    /// All ids that are no numbers are one, by which objects are found though they equal nothing.
    @Test(arguments: Engine.allCases) func idsThatAreNoNumbers(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: RekeyedPlace.self, RekeyedPin.self) }
        let store = fixture.store
        let route = [Double.nan, 1, .nan].map { Reference<RekeyedPlace>(id: $0) }
        try store.save([RekeyedPlace(id: .nan), RekeyedPlace(id: 1)])
        try store.save(RekeyedPin(id: 1, place: route[0], route: route))
        try store.rekey(RekeyedPlace.self, from: .nan, to: RekeyedPlace(id: 2))
        let moved = try #require(try store.fetch(RekeyedPin.self, id: 1))
        #expect(moved.place?.id == 2 && moved.route.map(\.id) == [2, 1, 2])
        try store.rekey(RekeyedPlace.self, from: 2, to: RekeyedPlace(id: .nan))
        #expect(try store.delete(RekeyedPlace.self, id: .nan))
        let left = try #require(try store.fetch(RekeyedPin.self, id: 1))
        #expect(left.place == nil && left.route.map(\.id) == [1])
        #expect(try store.danglingReferences().isEmpty && store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func nothingIsMadeOfNothing(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let before = try Plain(store)
        for id in ["nobody", "else"] {
            #expect { try store.rekey(RekeyedSong.self, from: "nobody", to: RekeyedSong(id: id)) } throws: { error in
                if case TroveError.notFound = error { true } else { false }
            }
        }
        #expect { try store.rekey(RekeyedSong.self, from: "s1", to: RekeyedSong(id: "s2")) } throws: { error in
            if case TroveError.alreadyExists = error { true } else { false }
        }
        #expect(try Plain(store) == before)
    }

    /// Why an object cannot get another id.
    enum Refusal: CaseIterable {
        case nobodyHasTheOldID, somebodyHasTheNewID, theIDIsWrittenOnce, aUniqueValueIsTaken, theEngineRefusesTheRecord

        /// Whether it is found out before anything is changed.
        var comesFirst: Bool { [.nobodyHasTheOldID, .somebodyHasTheNewID, .theIDIsWrittenOnce].contains(self) }
    }

    private static func labels(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) {
            try ObjectStore(SmallValueBackend($0), durability: .relaxed, models: RekeyedLabel.self, RekeyedRecord.self)
        }
        try fixture.store.save([RekeyedRecord(title: "r1"), RekeyedRecord(title: "r2")])
        try fixture.store.save([RekeyedLabel(id: "l1", number: 1, records: [Reference(id: "r1")]), RekeyedLabel(id: "l2", number: 2)])
        return fixture
    }

    private func rekey(_ transaction: WriteTransaction, refusedAs refusal: Refusal) throws {
        switch refusal {
        case .nobodyHasTheOldID: try transaction.rekey(RekeyedLabel.self, from: "l9", to: RekeyedLabel(id: "l3", number: 3))
        case .somebodyHasTheNewID: try transaction.rekey(RekeyedLabel.self, from: "l1", to: RekeyedLabel(id: "l2", number: 1))
        case .theIDIsWrittenOnce: try transaction.rekey(RekeyedRecord.self, from: "r1", to: RekeyedRecord(title: "r3"))
        case .aUniqueValueIsTaken: try transaction.rekey(RekeyedLabel.self, from: "l1", to: RekeyedLabel(id: "l3", number: 2))
        case .theEngineRefusesTheRecord:
            let history = String(repeating: "x", count: SmallValueBackend.limit)
            try transaction.rekey(RekeyedLabel.self, from: "l1", to: RekeyedLabel(id: "l3", number: 1, history: history))
        }
    }

    private func isMeant(_ error: any Error, _ refusal: Refusal) -> Bool {
        if case StorageError.valueTooLarge = error { return refusal == .theEngineRefusesTheRecord }
        return switch (error as? TroveError, refusal) {
        case (.notFound, .nobodyHasTheOldID), (.alreadyExists, .somebodyHasTheNewID), (.encodingFailed, .theIDIsWrittenOnce),
            (.uniqueViolation, .aUniqueValueIsTaken):
            true
        default: false
        }
    }

    private struct Labels: Equatable {
        let labels: [RekeyedLabel]
        let records: [RekeyedRecord]

        init(_ store: ObjectStore) throws {
            labels = try store.fetch(RekeyedLabel.self).all()
            records = try store.fetch(RekeyedRecord.self).all()
        }
    }

    /// Who catches the error and goes on loses nothing: either nothing was changed, or the transaction cannot be committed.
    @Test(arguments: Engine.allCases, Refusal.allCases) func aCaughtErrorLosesNothing(engine: Engine, refusal: Refusal) throws {
        let fixture = try Self.labels(engine)
        let store = fixture.store
        let before = try Labels(store)
        func goOn() throws {
            try store.write { transaction in
                #expect { try rekey(transaction, refusedAs: refusal) } throws: { isMeant($0, refusal) }
                try transaction.save(RekeyedLabel(id: "l4", number: 4))
            }
        }
        if refusal.comesFirst {
            try goOn()
            try store.delete(RekeyedLabel.self, id: "l4")
        } else {
            #expect { try goOn() } throws: { error in
                if case TroveError.transactionPoisoned = error { true } else { false }
            }
        }
        #expect(try Labels(store) == before)
        #expect(try store.verify().isSound && store.danglingReferences().isEmpty)
    }

    /// A savepoint takes back what was done in the middle, and the transaction goes on.
    @Test(arguments: Engine.allCases, Refusal.allCases) func aSavepointTakesItBack(engine: Engine, refusal: Refusal) throws {
        let fixture = try Self.labels(engine)
        let store = fixture.store
        let before = try Labels(store)
        try store.write { transaction in
            #expect { try transaction.savepoint { try rekey(transaction, refusedAs: refusal) } } throws: { isMeant($0, refusal) }
            try transaction.save(RekeyedLabel(id: "l4", number: 4))
        }
        try store.delete(RekeyedLabel.self, id: "l4")
        #expect(try Labels(store) == before)
        #expect(try store.verify().isSound && store.danglingReferences().isEmpty)
    }
}
