import TestSupport
import Testing
import Trove

/// Sorts, selections and groups of live objects through relationships, which see what the context has not saved.
@Suite struct LiveReferencedValueTests {
    @Model fileprivate final class Town {
        let id: Int
        var name: String
        var people: Int?

        init(id: Int, name: String, people: Int? = nil) { (self.id, self.name, self.people) = (id, name, people) }
    }

    @Model fileprivate final class Band {
        let id: Int
        var name: String
        @Relationship var town: Town?
        @Relationship var rival: Band?

        init(id: Int, name: String, town: Town? = nil) { (self.id, self.name, self.town) = (id, name, town) }
    }

    private static func filled(_ engine: Engine) throws -> (StoreFixture, ObjectContext, [Town], [Band]) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Band.self) }
        let context = ObjectContext(fixture.store)
        let towns = [Town(id: 1, name: "Rome", people: 3), Town(id: 2, name: "Bern", people: 1), Town(id: 3, name: "Oslo")]
        let bands = (0..<8).map { Band(id: $0, name: "band \($0)", town: $0 % 4 == 3 ? nil : towns[$0 % 4]) }
        for band in bands.dropFirst() { band.rival = bands[(band.id + 1) % 8] }
        try context.insert(towns)
        try context.insert(bands)
        try context.save()
        return (fixture, context, towns, bands)
    }

    @Test(arguments: Engine.allCases) func keyPathsAndClosuresSayTheSame(engine: Engine) throws {
        let (fixture, context, _, bands) = try Self.filled(engine)
        let byTown = [3, 7, 1, 5, 2, 6, 0, 4]
        #expect(try context.fetch(Band.self).sorted(by: \.town?.name).all().map(\.id) == byTown)
        #expect(try context.fetch(Band.self).sorted { $0.town.name }.all().map(\.id) == byTown)
        #expect(try context.fetch(Band.self).sorted(by: { $0.town.people }, .descending).ids() == [0, 4, 1, 5, 2, 3, 6, 7])
        let rivals = bands.sorted { ($0.rival?.town?.name ?? "", $0.id) < ($1.rival?.town?.name ?? "", $1.id) }.map(\.id)
        #expect(try context.fetch(Band.self).sorted(by: \.rival?.town?.name).ids() == rivals)
        #expect(try context.fetch(Band.self).sorted { $0.rival.town.name }.ids() == rivals)
        let rows = try context.fetch(Band.self).select(\.id, \.town?.name, \.rival?.town?.people).all()
        #expect(rows.map { $0.1 } == bands.map { $0.town?.name } && rows.map { $0.2 } == bands.map { $0.rival?.town?.people })
        let groups = try context.fetch(Band.self).grouped(by: \.town?.name).aggregate(.count, .sum { $0.town.people })
        #expect(groups.map(\.key) == [nil, "Bern", "Oslo", "Rome"] && groups.map { $0.values.0 } == [2, 2, 2, 2])
        #expect(groups.map { $0.values.1 } == [0, 2, 0, 6])
        #expect(try context.fetch(Band.self).maximum(\.town?.people) == 3)
        withExtendedLifetime(fixture) {}
    }

    /// The id of a class that declares none is a computed property.
    @Test(arguments: Engine.allCases) func keyPathsLeadToIDs(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let albums = [LiveAlbum(title: "A"), LiveAlbum(title: "B")]
        let songs = (0..<5).map { LiveSong(title: "\($0)", album: $0 == 4 ? nil : albums[$0 % 2]) }
        songs[0].original = songs[1]
        try context.insert(albums)
        try context.insert(songs)
        try context.save()
        let fetch = context.fetch(LiveSong.self)
        let rows = try fetch.sorted(by: \.title).select(\.album?.id, \.original?.album?.id).all()
        #expect(rows.map { $0.0 } == songs.map { $0.album?.id } && rows.map { $0.1 } == [albums[1].id, nil, nil, nil, nil])
        #expect(try fetch.sorted(by: \.album?.id).ids() == fetch.sorted(using: [SortKey(FieldPath("album.id"))]).ids())
        let groups = try fetch.grouped(by: \.album?.id).aggregate(.count)
        #expect(groups.first?.key == nil && Set(groups.map(\.key)) == [nil, albums[0].id, albums[1].id] && groups.map { $0.values } == [1, 2, 2])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.allCases) func changesThatAreNotSavedAreSeen(engine: Engine) throws {
        let (fixture, context, towns, _) = try Self.filled(engine)
        towns[0].name = "Aba"
        #expect(try context.fetch(Band.self).sorted { $0.town.name }.ids() == [3, 7, 0, 4, 1, 5, 2, 6])
        let names = try context.fetch(Band.self).select { $0.town.name }.all()
        #expect(names[0] == "Aba" && names[1] == "Bern")
        #expect(try context.fetch(Band.self).grouped { $0.town.name }.aggregate(.count).map(\.key) == [nil, "Aba", "Bern", "Oslo"])
        towns[0].people = 10
        #expect(try context.fetch(Band.self).aggregate(.maximum { $0.town.people }) == 10)
        #expect(try context.fetch(Band.self).distinct { $0.town.name } == [nil, "Aba", "Bern", "Oslo"])
        #expect(try context.fetch(Band.self).partial("town.name").first?.values == [.string("Aba")])
        // Others see what is stored.
        #expect(try fixture.store.fetchRecords(of: ["Band"]).aggregate([.maximum(FieldPath("town.people"))])[0].values == [.int(3)])
        withExtendedLifetime(fixture) {}
    }
}
