import TestSupport
import Testing

@testable import Trove

/// References, graphs, bags and updates tell ids by their bytes: random programs, held to dictionaries of bytes.
@Suite struct NormalFormReferenceTests {
    private typealias Key = NormalForms.Key

    private struct Song: Equatable {
        var plays: Int
        var cover: Key?
        var order: [Key]
        var parts: Set<Key>
        var named: [String: Key]
    }

    private static func reference(_ key: Key) -> Reference<FormSong> { Reference(id: NormalForms.text(key)) }

    private static func key(_ reference: Reference<FormSong>) -> Key { NormalForms.key(reference.id) }

    private static func plain(_ song: FormSong) -> Song {
        Song(
            plays: song.plays, cover: song.cover.map(key), order: song.order.map(key), parts: Set(song.parts.map(key)), named: song.named.mapValues(key))
    }

    private static func object(_ key: Key, _ song: Song) -> FormSong {
        FormSong(
            id: NormalForms.text(key), plays: song.plays, cover: song.cover.map(reference), order: song.order.map(reference),
            parts: Set(song.parts.map(reference)), named: song.named.mapValues(reference))
    }

    private static func randomSong(_ random: inout SeededGenerator) -> Song {
        Song(
            plays: Int.random(in: 0..<4, using: &random), cover: Bool.random(using: &random) ? NormalForms.random(&random) : nil,
            order: NormalForms.someKeys(&random), parts: Set(NormalForms.someKeys(&random)),
            named: Dictionary(NormalForms.someKeys(&random).enumerated().map { ("\($0)", $1) }) { $1 })
    }

    @Test(arguments: Engine.allCases, 1...4 as ClosedRange<UInt64>) func referencesAreTheirBytes(engine: Engine, seed: UInt64) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: FormSong.self) }
        let store = fixture.store
        var random = SeededGenerator(seed: seed)
        var songs: [Key: Song] = [:]
        for round in 0..<40 {
            let place: Testing.Comment = "seed \(seed), round \(round)"
            let key = NormalForms.random(&random)
            let song = Self.randomSong(&random)
            songs[key] = song
            try store.save(Self.object(key, song))
            let stored = try store.fetch(FormSong.self).all()
            #expect(Dictionary(uniqueKeysWithValues: stored.map { (NormalForms.key($0.id), Self.plain($0)) }) == songs, place)
            #expect(try store.fetch(FormSong.self).ids().map(NormalForms.key) == songs.keys.sorted { $0.lexicographicallyPrecedes($1) }, place)

            // What points where.
            let target = NormalForms.random(&random)
            let pointing = try store.referencing(Self.reference(target), from: FormSong.self, \.parts).all().map { NormalForms.key($0.id) }
            #expect(Set(pointing) == Set(songs.filter { $0.value.parts.contains(target) }.keys), place)

            // What is pointed at.
            let found = try store.fetch(references: song.order.map(Self.reference)).map { NormalForms.key($0.id) }
            #expect(found == song.order.filter { songs[$0] != nil }, place)
            try check(store, song, songs, place)
            try checkGraph(store, songs, place)
        }
        #expect(try store.verify().isSound)
    }

    private func check(_ store: ObjectStore, _ song: Song, _ songs: [Key: Song], _ place: Testing.Comment) throws {
        let missing = song.order.first { songs[$0] == nil }
        do {
            #expect(try store.resolve(song.order.map(Self.reference)).map { NormalForms.key($0.id) } == song.order, place)
            #expect(missing == nil, place)
        } catch TroveError.danglingReference(_, let id) {
            #expect(NormalForms.key(id) == missing, place)
        }
        do {
            #expect(try store.resolve(song.named.mapValues(Self.reference)).mapValues { NormalForms.key($0.id) } == song.named, place)
            #expect(song.named.values.allSatisfy { songs[$0] != nil }, place)
        } catch TroveError.danglingReference {
            #expect(!song.named.values.allSatisfy { songs[$0] != nil }, place)
        }
    }

    private func checkGraph(_ store: ObjectStore, _ songs: [Key: Song], _ place: Testing.Comment) throws {
        let graph = try store.fetch(FormSong.self).including({ $0.order }, { $0.parts }, { $0.named }, { $0.cover })
        for root in graph.roots {
            let song = try #require(songs[NormalForms.key(root.id)])
            #expect(graph[root.order].map { NormalForms.key($0.id) } == song.order.filter { songs[$0] != nil }, place)
            #expect(Set(graph[root.parts].map { NormalForms.key($0.id) }) == song.parts.filter { songs[$0] != nil }, place)
            #expect(graph[root.named].mapValues { NormalForms.key($0.id) } == song.named.filter { songs[$0.value] != nil }, place)
            #expect(graph[root.cover].map { NormalForms.key($0.id) } == song.cover.flatMap { songs[$0] == nil ? nil : $0 }, place)
        }
        let all = graph.objects(of: FormSong.self).map { NormalForms.key($0.id) }
        #expect(Set(all) == Set(songs.keys), place)
        #expect(all.count == songs.count, place)
    }

    /// An update may not give an object another id, nor the same text in other scalars, which is one.
    @Test(arguments: Engine.allCases) func anUpdateCannotRewriteAnID(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: FormSong.self) }
        let song = FormSong(id: "é", plays: 1, cover: nil, order: [], parts: [], named: [:])
        try fixture.store.save(song)
        #expect(throws: TroveError.self) {
            try fixture.store.write { try $0.fetch(FormSong.self).update { $0.id = "e\u{301}" } }
        }
        #expect(try fixture.store.fetch(FormSong.self).ids().map(NormalForms.key) == [NormalForms.key("é")])
    }

    /// Composite ids, whose `==` is Swift's for each part.
    @Test(arguments: Engine.allCases) func compositeIDsAreTheirBytes(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: FormPrint.self) }
        let ids = NormalForms.ids.map { FormEdition(work: $0, year: 1) }
        let others = Set(ids.map { Reference<FormPrint>(id: $0) })
        #expect(others.count == ids.count)
        try fixture.store.save(ids.map { FormPrint(id: $0, others: others) })
        #expect(try fixture.store.fetch(FormPrint.self).all().map(\.others.count) == ids.map { _ in ids.count })
        #expect(try fixture.store.resolve(Array(others)).count == ids.count)
    }

    @Test(arguments: Engine.allCases, 1...3 as ClosedRange<UInt64>) func bagsTellMembersAndNamesByBytes(engine: Engine, seed: UInt64) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: FormSong.self) }
        let store = fixture.store
        var random = SeededGenerator(seed: seed)
        try store.save(NormalForms.ids.map { FormSong(id: $0, plays: 0, cover: nil, order: [], parts: [], named: [:]) })
        let bag = Bag(named: NormalForms.ids[0], in: store)
        var members: [Key] = []
        var name = NormalForms.key(NormalForms.ids[0])
        for round in 0..<60 {
            let key = NormalForms.random(&random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                bag.add(Self.reference(key))
                if !members.contains(key) { members.append(key) }
            case 2:
                bag.remove(Self.reference(key))
                members.removeAll { $0 == key }
            default:
                bag.name = NormalForms.text(key)
                name = key
            }
            try bag.save()
            let place: Testing.Comment = "seed \(seed), round \(round)"
            #expect(try bag.objects(of: FormSong.self).map { NormalForms.key($0.id) } == members, place)
            let stored = try #require(try store.bag(named: NormalForms.text(name)), place)
            #expect(try stored.objects(of: FormSong.self).map { NormalForms.key($0.id) } == members, place)
            #expect(try store.bags().count == 1, place)
            for id in NormalForms.ids where NormalForms.key(id) != name { #expect(try store.bag(named: id) == nil, place) }
            #expect(try store.bags(containing: Self.reference(key)).count == (members.contains(key) ? 1 : 0), place)
            #expect(Set(try stored.fetch(FormSong.self).ids().map(NormalForms.key)) == Set(members), place)
        }
    }
}
