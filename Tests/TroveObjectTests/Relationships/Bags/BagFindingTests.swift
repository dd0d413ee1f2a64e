import TestSupport
import Testing
import Trove

/// Bags found by conditions, against the same asked of all of them.
@Suite struct BagFindingTests {
    @Test(arguments: Engine.allCases) func conditionsOrdersAndLimits(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: ExampleSong.self, ExampleAlbum.self) }
        let store = fixture.store
        #expect(try store.bags { $0.name == "none yet" }.isEmpty)
        let songs = (0..<4).map { ExampleSong(title: "song \($0)", seconds: $0) }
        try store.save(songs)
        for number in 0..<12 {
            let bag = Bag(named: number % 4 == 0 ? nil : "bag \((number * 5) % 12)", in: store)
            bag.add(contentsOf: songs.filter { (number + $0.seconds) % 3 == 0 })
            try bag.save()
        }
        let all = try store.bags()
        func names(_ bags: [Bag]) -> [String?] { bags.map(\.name) }
        #expect(names(try store.bags { $0.name.hasPrefix("bag 1") }) == names(all.filter { $0.name?.hasPrefix("bag 1") ?? false }))
        #expect(try store.bags { $0.members.contains(songs[1]) }.map(\.id) == all.filter { $0.contains(songs[1]) }.map(\.id))
        #expect(names(try store.bags { $0.name.hasPrefix("BÁG 1", ignoring: [.case, .diacritics]) }) == names(all.filter { $0.name?.hasPrefix("bag 1") ?? false }))
        #expect(try store.bags { $0.name == nil }.map(\.id) == all.filter { $0.name == nil }.map(\.id))
        #expect(try store.bags { $0.members.isEmpty || $0.name == "bag 7" }.map(\.id) == all.filter { $0.isEmpty || $0.name == "bag 7" }.map(\.id))
        let sorted = all.compactMap(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(names(try store.bags(sortedBy: .name) { $0.name != nil }) == sorted)
        #expect(names(try store.bags(sortedBy: .nameDescending, limit: 2) { $0.name != nil }) == sorted.reversed().prefix(2).map { $0 })
        #expect(try store.read { try $0.bags(limit: 3) { $0.name != nil }.count } == 3)
        #expect { try store.bags(limit: -1) { $0.name != nil } } throws: { if case TroveError.invalidQuery = $0 { true } else { false } }
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: ExampleSong.self, ExampleAlbum.self) }
        for name in ["b", "a", "other"] { try await Bag(named: name, in: fixture.store).save() }
        #expect(try await fixture.store.bags(sortedBy: .name) { $0.name != "other" }.map(\.name) == ["a", "b"])
        #expect(try await fixture.store.bags(sortedBy: .name, limit: 1) { $0.name != nil }.map(\.name) == ["a"])
    }
}
