import TestSupport
import Testing
import Trove
import TroveCrypto

@Model private struct SealedSinger {
    var id: Int
    @Attribute(.encrypted) var name: String
}

@Model private struct SealedTune {
    var id: Int
    var singer: Reference<SealedSinger>?
}

/// Sorts, selections and groups by an encrypted property of what a reference points at.
@Suite struct EncryptedReferenceTests {
    @Test(arguments: Engine.allCases) func valuesBehindReferencesAreOpened(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedTune.self)
        }
        let store = fixture.store
        try store.save([SealedSinger(id: 1, name: "c"), SealedSinger(id: 2, name: "a")])
        try store.save((0..<9).map { SealedTune(id: $0, singer: $0 % 3 == 0 ? nil : Reference(id: $0 % 3)) })
        let wanted = [0, 3, 6, 2, 5, 8, 1, 4, 7]
        let fetch = store.fetch(SealedTune.self).sorted { $0.singer.name }
        #expect(try fetch.ids() == wanted)
        var (found, token): ([Int], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(4, after: token)
            found += page.objects.map(\.id)
            token = page.next
        } while token != nil
        #expect(found == wanted)
        let names = try fetch.where { $0.id > 1 }.select { $0.singer.name }.all()
        #expect(names == [nil, nil, "a", "a", "a", "c", "c"])
        #expect(try store.fetch(SealedTune.self).grouped { $0.singer.name }.aggregate(.count).map(\.key) == [nil, "a", "c"])
        withExtendedLifetime(fixture) {}
    }
}
