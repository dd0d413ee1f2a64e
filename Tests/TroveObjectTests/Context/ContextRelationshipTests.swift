import TestSupport
import Testing

@testable import Trove

@Suite struct ContextRelationshipTests {
    /// Stores `teamCount` teams with `size` players each, and returns their ids.
    @discardableResult
    private func fill(_ store: ObjectStore, _ teamCount: Int, _ size: Int) throws -> [ObjectID] {
        let context = ObjectContext(store)
        let teams = (0..<teamCount).map { team in
            let new = Team(name: "team \(team)")
            new.players = (0..<size).map { Player(name: "player \(team).\($0)") }
            return new
        }
        try context.insert(teams as [any LiveModel])
        try context.save()
        return teams.map(\.id)
    }

    @Test(arguments: Engine.allCases) func graphsAreInsertedAndLoaded(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 3, 4)
        #expect(try fixture.store.fetch(Player.self).count() == 12)
        let context = ObjectContext(fixture.store)
        let team = try #require(try context.fetch(Team.self, id: ids[1]))
        #expect(team.players.map(\.name) == (0..<4).map { "player 1.\($0)" })
        #expect(team.players[0] === team.players[0])
        #expect(team.players.allSatisfy { $0.team === team })
        #expect(try context.fetch(Player.self).where { $0.name == "player 1.2" }.first() === team.players[2])
        #expect(context.faultErrors.isEmpty)
        #expect(!context.hasChanges)
    }

    /// What siblings point at through the same field comes with the first.
    @Test func faultsComeInBatches() throws {
        let fixture = try liveFixture(.memory)
        try fill(fixture.store, 50, 4)
        let context = ObjectContext(fixture.store)
        let players = try context.fetch(Player.self).all()
        #expect(players.count == 200)
        let first = players[0].team
        #expect(first?.name == "team 0")
        #expect(context.map.objects.count == 250)
        // Collections: from the second on, when somebody walks over them.
        let other = ObjectContext(fixture.store)
        let teams = try other.fetch(Team.self).all()
        #expect(teams[0].players.count == 4)
        #expect(other.map.objects.count == 54)
        #expect(teams[1].players.count == 4)
        #expect(other.map.objects.count == 250)
        // No more than half of what the context keeps.
        let small = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 20))
        let some = try small.fetch(Player.self).all()
        #expect(some[0].team?.name == "team 0")
        #expect(small.map.objects.count == 210)
    }

    /// Former owners are changed once for all that leave them, which must come to the same as one by one.
    @Test(arguments: Engine.allCases) func manyChildrenMoveAtOnce(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 3, 100)
        let context = ObjectContext(fixture.store)
        let teams = try ids.map { try #require(try context.fetch(Team.self, id: $0)) }
        let (first, second) = (teams[0].players, teams[1].players)
        let moved = first.filter { Int($0.name.suffix(2)).map { $0 % 3 != 0 } ?? true } + second.suffix(40)
        teams[2].players += moved
        let movedIDs = Set(moved.map(\.id))
        #expect(teams[0].players == first.filter { !movedIDs.contains($0.id) })
        #expect(teams[1].players == Array(second.dropLast(40)))
        #expect(teams[2].players.suffix(moved.count) == moved[...])
        #expect(moved.allSatisfy { $0.team === teams[2] })
        try context.save()
        let stored = ObjectContext(fixture.store)
        for team in teams {
            #expect(try stored.fetch(Team.self, id: team.id)?.players.map(\.id) == team.players.map(\.id))
        }
        #expect(try fixture.store.verify().isSound)
    }

    /// The lock was held while the sequence ran, which may wait for a thread that wants it.
    @Test(arguments: Engine.allCases) func loadingGoesThroughASequenceWithoutTheLock(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 2, 2)
        let context = ObjectContext(fixture.store)
        var wasHeld: [Bool] = []
        let teams = try context.fetch(Team.self, ids: ids).lazy.map { team in
            wasHeld.append(context.domain.lock.isHeld)
            return team
        }
        #expect(try context.load(\.players, of: teams).count == 4)
        #expect(wasHeld == [false, false])
    }

    @Test(arguments: Engine.allCases) func danglingReferences(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 1, 3)
        let context = ObjectContext(fixture.store)
        let team = try #require(try context.fetch(Team.self, id: ids[0]))
        let gone = try #require(try fixture.store.fetch(Player.self).first())
        try fixture.store.delete(gone)
        #expect(team.players.map(\.name) == ["player 0.1", "player 0.2"])
        #expect(context.faultErrors.count == 1)
        if case .danglingReference(model: "Player", _)? = context.faultErrors.first as? TroveError {} else { Issue.record("\(context.faultErrors)") }
        #expect { try context.load(\.players, of: [team]) } throws: { error in
            if case TroveError.danglingReference(model: "Player", _) = error { true } else { false }
        }
        context.forgetFaultErrors()
        #expect(context.faultErrors.isEmpty)
        try context.refresh(team)
        #expect(try context.load(\.players, of: [team]).count == 2)
        #expect(throws: TroveError.self) { try context.load(\.name, of: [team]) }
    }

    @Test(arguments: Engine.allCases) func inversesFollowAndAreSaved(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 2, 3)
        let context = ObjectContext(fixture.store)
        let (first, second) = (try #require(try context.fetch(Team.self, id: ids[0])), try #require(try context.fetch(Team.self, id: ids[1])))
        let player = first.players[1]
        player.team = second
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.2"])
        #expect(second.players.map(\.name) == ["player 1.0", "player 1.1", "player 1.2", "player 0.1"])
        #expect(try context.fetch(Player.self).where { $0.team == second }.count() == 4)
        try context.save()
        let other = ObjectContext(fixture.store)
        let (one, two) = (try #require(try other.fetch(Team.self, id: ids[0])), try #require(try other.fetch(Team.self, id: ids[1])))
        #expect(one.players.map(\.name) == ["player 0.0", "player 0.2"])
        #expect(two.players.map(\.name) == ["player 1.0", "player 1.1", "player 1.2", "player 0.1"])
        #expect(try fixture.store.verify().isSound)
        #expect(!context.hasChanges)
        // A new player that only points at the team.
        let new = Player(name: "new")
        new.team = first
        #expect(throws: Never.self) { try context.insert(new) }
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.2", "new"])
        try context.save()
        try other.mergeChanges()
        #expect(one.players.map(\.name) == ["player 0.0", "player 0.2", "new"])
    }

    /// The other side need not be in memory.
    @Test(arguments: Engine.allCases) func unloadedInverses(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 2, 3)
        let context = ObjectContext(fixture.store)
        let player = try #require(try context.fetch(Player.self).where { $0.name == "player 0.1" }.first())
        let second = try #require(try context.fetch(Team.self, id: ids[1]))
        player.team = second
        // The former team is loaded only now, by a fetch that shows pending changes, as changed.
        let first = try #require(try context.fetch(Team.self).where { $0.name == "team 0" }.first())
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.2"])
        try context.rollback()
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.1", "player 0.2"])
        #expect(second.players.count == 3)
        #expect(player.team === first)
        player.team = second
        try context.save()
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.2"])
        #expect(!context.hasChanges)
        let other = ObjectContext(fixture.store)
        let stored = try #require(try other.fetch(Team.self, id: ids[0]))
        #expect(stored.players.map(\.name) == ["player 0.0", "player 0.2"])
    }

    /// As above, where the other side is loaded by its id or by a getter, which read the store as it is.
    @Test(arguments: Engine.allCases) func unloadedInversesByFaults(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 2, 3)
        let context = ObjectContext(fixture.store)
        let player = try #require(try context.fetch(Player.self).where { $0.name == "player 0.1" }.first())
        let neighbour = try #require(try context.fetch(Player.self).where { $0.name == "player 0.0" }.first())
        let second = try #require(try context.fetch(Team.self, id: ids[1]))
        player.team = second
        let first = try #require(neighbour.team)
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.2"])
        #expect(context.changedObjects.count == 3)
        try context.rollback()
        #expect(first.players.map(\.name) == ["player 0.0", "player 0.1", "player 0.2"])
    }

    @Test(arguments: Engine.allCases) func deletionsTakeObjectsOutOfRelationships(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 1, 3)
        let context = ObjectContext(fixture.store)
        let team = try #require(try context.fetch(Team.self, id: ids[0]))
        let players = team.players
        try context.delete(players[0])
        #expect(team.players.map(\.name) == ["player 0.1", "player 0.2"])
        #expect(context.faultErrors.isEmpty)
        try context.save()
        #expect(team.players.map(\.name) == ["player 0.1", "player 0.2"])
        #expect(context.faultErrors.isEmpty)
        #expect(!context.hasChanges)
        try context.delete(team)
        try context.save()
        #expect(players[1].team == nil)
        #expect(try fixture.store.fetch(Player.self).count() == 2)
        #expect(try context.fetch(Team.self).count() == 0)
        #expect(try fixture.store.verify().danglingReferences.isEmpty)
    }

    /// An object that was loaded as a pending deletion changes it is as it was when that is taken back.
    @Test(arguments: Engine.allCases) func deletionTakenBack(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let ids = try fill(fixture.store, 1, 3)
        let context = ObjectContext(fixture.store)
        let player = try #require(try context.fetch(Player.self).where { $0.name == "player 0.1" }.first())
        try context.delete(player)
        let team = try #require(try context.fetch(Team.self).first())
        #expect(team.players.map(\.name) == ["player 0.0", "player 0.2"])
        try context.insert(player)
        #expect(team.players.map(\.name) == ["player 0.0", "player 0.1", "player 0.2"])
        try context.save()
        #expect(player.team === team)
        let other = ObjectContext(fixture.store)
        let stored = try other.fetch(Team.self).all()
        #expect(stored.map(\.id) == ids && stored[0].players.count == 3)
    }

    /// What is assigned is what is referred to already, so nothing was looked at, and the next save deleted it.
    @Test(arguments: Engine.allCases) func deletedTargetsAreRefusedWhereTheyWereBefore(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let (playlist, album, song, person) = (LivePlaylist("evening"), LiveAlbum(title: "A"), LiveSong(title: "1"), LivePerson("p"))
        playlist.songs = [song]
        playlist.guests = [song]
        playlist.opener = song
        album.songs = [song]
        album.people = ["writer": person]
        try context.insert([playlist, album] as [any LiveModel])
        try context.save()
        func expectRefusal(_ assign: () -> Void, _ location: SourceLocation = #_sourceLocation) {
            assign()
            #expect(sourceLocation: location, performing: { try context.save() }, throws: { error in
                if case TroveError.notInContext = error { true } else { false }
            })
        }
        try context.delete([song, person] as [any LiveModel])
        expectRefusal { playlist.songs = [song] }
        expectRefusal { playlist.guests = [song] }
        expectRefusal { playlist.guests.insert(song) }
        expectRefusal { playlist.opener = song }
        expectRefusal { album.songs = [song] }
        expectRefusal { album.people = ["writer": person] }
        expectRefusal { album.people["writer"] = person }
        #expect(context.deletedObjects.count == 2)
        try context.save()
        // The playlist refers to it still.
        expectRefusal { playlist.songs = [song] }
        expectRefusal { playlist.opener = song }
        try context.save()
        #expect(try fixture.store.fetch(LiveSong.self).count() == 0)
    }

    /// They stayed outside, and the save left out the references to them.
    @Test(arguments: Engine.allCases) func newTargetsThatHaveLeftComeInAgainWhereTheyWere(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let (playlist, album) = (LivePlaylist("evening"), LiveAlbum(title: "A"))
        try context.insert([playlist, album] as [any LiveModel])
        try context.save()
        let assignments: [(LiveSong) -> Void] = [
            { playlist.songs = [$0] }, { playlist.guests = [$0] }, { playlist.guests.insert($0) }, { playlist.opener = $0 }, { album.songs = [$0] },
        ]
        var songs: [LiveSong] = []
        for (number, assign) in assignments.enumerated() {
            let song = LiveSong(title: "\(number)")
            assign(song)
            try context.delete(song)
            #expect(song.modelContext == nil)
            assign(song)
            #expect(song.modelContext === context && context.insertedObjects.count == 1, "\(number)")
            try context.save()
            songs.append(song)
        }
        #expect(Array(playlist.songs) == [songs[0]] && playlist.guests == [songs[1], songs[2]] && playlist.opener === songs[3])
        #expect(album.songs == [songs[4]] && songs[4].album === album)
        let late = LiveAlbum(title: "B")
        songs[0].album = late
        try context.delete(late)
        songs[0].album = late
        #expect(songs[0].album === late && late.songs == [songs[0]])
        try context.save()
        let fresh = ObjectContext(fixture.store)
        #expect(try fresh.fetch(LiveSong.self, id: songs[0].id)?.album?.title == "B")
        #expect(try fixture.store.fetch(LiveSong.self).count() == songs.count)
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
        withExtendedLifetime((context, fresh)) {}
    }

    /// The same of a new object under the id of one that is gone: the other side knows of it.
    @Test(arguments: Engine.allCases) func aNewTargetComesInWhereOneIsGone(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: PencilBox.self, Pencil.self) }
        let filling = ObjectContext(fixture.store)
        let box = PencilBox(id: 1)
        box.own = [Pencil(id: 1)]
        try filling.insert(box)
        try filling.save()
        let context = ObjectContext(fixture.store)
        let same = try #require(try context.fetch(PencilBox.self, id: 1))
        try fixture.store.delete(Pencil.self, id: 1)
        let new = Pencil(id: 1)
        same.own = [new]
        #expect(new.modelContext === context && new.box === same && same.own == [new])
        withExtendedLifetime((fixture, context)) {}
    }

    @Test func objectsOfTwoContextsDoNotMix() throws {
        let fixture = try liveFixture(.memory)
        let ids = try fill(fixture.store, 2, 1)
        let (one, two) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let team = try #require(try one.fetch(Team.self, id: ids[1]))
        let stranger = try #require(try two.fetch(Player.self).first())
        stranger.team = team
        #expect(stranger.team?.name == "team 0")
        #expect { try two.save() } throws: { error in
            if case TroveError.foreignObject(model: "Team", _) = error { true } else { false }
        }
        // It was said once.
        try two.save()
    }
}
