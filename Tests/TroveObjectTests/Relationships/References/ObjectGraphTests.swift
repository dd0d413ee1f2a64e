import Foundation
import TestSupport
import Testing

@testable import Trove

@Suite struct ObjectGraphTests {
    @Test(arguments: Engine.allCases)
    func objectsOnPathsAreReadOnce(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine, Library.open)
        var random = RandomLibrary(seed: 3)
        try fixture.store.write { transaction in for _ in 0..<80 { try random.change(transaction) } }
        let plain = PlainLibrary(library: random)
        let graph = try fixture.store.fetch(Piece.self).where { $0.rank > 0 }.including(
            { $0.album.artist.mentor }, { $0.writers }, { $0.roles }, { $0.original.guests }, { $0.edition })
        #expect(graph.roots.map(\.id) == plain.pieces { $0.rank > 0 })
        var reached: Set<String> = []
        for piece in graph.roots {
            let disc = plain.disc(piece.album)
            #expect(graph[piece.album] == disc)
            let artist = plain.composer(disc?.artist)
            #expect(graph[disc?.artist] == artist && graph[artist?.mentor] == plain.composer(artist?.mentor))
            #expect(graph[piece.writers] == piece.writers.compactMap { plain.composer($0) })
            #expect(graph[piece.roles] == piece.roles.compactMapValues { plain.composer($0) })
            #expect(graph[piece.edition] == plain.printing(piece.edition))
            let original = plain.piece(piece.original)
            #expect(graph[piece.original] == original)
            let guests = (original?.guests ?? []).compactMap { plain.composer($0) }
            #expect(Set(graph[original?.guests ?? []].map(\.id)) == Set(guests.map(\.id)))
            for composer in [artist, plain.composer(artist?.mentor)].compactMap(\.self) + piece.writers.compactMap({ plain.composer($0) })
                + piece.roles.values.compactMap({ plain.composer($0) }) + guests
            {
                reached.insert(composer.id)
            }
        }
        #expect(Set(graph.objects(of: Composer.self).map(\.id)) == reached)
        #expect(graph.objects(of: Composer.self).count == reached.count)
    }

    @Test func pathsWithoutObjectsAreEmpty() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let graph = try fixture.store.fetch(Piece.self).including { $0.album }
        #expect(graph.roots.isEmpty && graph.objects(of: Disc.self).isEmpty && graph[Reference<Disc>(id: 1)] == nil)
    }
}
