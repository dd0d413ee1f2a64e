import Foundation
import TestSupport
import Testing

@testable import Trove

@Suite struct ResolvingTests {
    private let a = Composer(id: "a", name: "A")
    private let b = Composer(id: "b", name: "B")
    private let gone = Reference<Composer>(id: "gone")

    @Test(arguments: Engine.allCases)
    func referencesAreResolved(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine, Library.open)
        let store = fixture.store
        try store.save([a, b])
        let (one, other) = (Reference(a), Reference(b))
        #expect(try store.resolve(one) == a)
        #expect(try store.resolve(Reference<Composer>?.some(other)) == b)
        #expect(try store.resolve(Reference<Composer>?.none) == nil)
        #expect(try store.resolve([other, one, other]) == [b, a, b])
        #expect(try store.resolve([Reference<Composer>]()) == [])
        #expect(try store.resolve(Reference(Composer.self, id: "b")) == b)
        #expect(Reference(Composer.self, id: "gone") == gone)
        #expect(try store.resolve(Set([one])) == [a])
        #expect(try store.resolve(["x": one, "y": one, "z": other]) == ["x": a, "y": a, "z": b])
        #expect(try store.fetch(references: [gone, other, one, other]) == [b, a, b])
        try store.write { transaction in
            let c = Composer(id: "c", name: "C")
            try transaction.save(c)
            #expect(try transaction.resolve(Reference(c)) == c)
        }
        let references = [one, gone, other]
        for body in [{ _ = try store.resolve(gone) }, { _ = try store.resolve(references) }, { _ = try store.resolve(["x": gone]) }] as [() throws -> Void] {
            let error = #expect(throws: TroveError.self) { try body() }
            guard case .danglingReference("Composer", "gone")? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func asynchronousTwinsSayTheSame(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine, Library.open)
        let store = fixture.store
        try await store.save([a, b])
        let disc = Disc(id: 1, title: "x", artist: Reference(a))
        let piece = Piece(id: 1, title: "t", album: Reference(disc), writers: [Reference(a), gone], original: Reference(id: 9))
        try await store.save(disc)
        try await store.save(piece)
        #expect(try await store.resolve(Reference(a)) == a)
        #expect(try await store.resolve(disc.artist) == a)
        #expect(try await store.resolve([Reference(b), Reference(a)]) == [b, a])
        #expect(try await store.resolve(["k": Reference(b)]) == ["k": b])
        #expect(try await store.fetch(references: piece.writers) == [a])
        #expect(try await store.referencing(a).map(\.description) == ["Disc(\(StoredRecord.text(of: Int16(1).keyBytes))).artist", "Piece(\(StoredRecord.text(of: 1.keyBytes))).writers"])
        #expect(try await store.referencing(Reference(disc)).map(\.field) == ["album"])
        #expect(try await store.referenceCount(of: a) == 2)
        #expect(try await store.referenceCount(of: gone) == 1)
        #expect(try await store.danglingReferences().map(\.source.field) == ["writers", "original"])
        let graph = try await store.fetch(Piece.self).including { $0.album.artist }
        #expect(graph[piece.album] == disc && graph[disc.artist] == a && graph[gone] == nil)
    }

    @Test func fetchesOfReferencingObjectsGoOn() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let store = fixture.store
        try store.save((1...20).map { Piece(id: $0, title: "\($0 % 3)", writers: $0 % 2 == 0 ? [Reference(a), Reference(a)] : [], original: Reference(id: $0), links: [AnyReference(b)]) })
        #expect(try store.referencing(a, from: Piece.self, \.writers).where { $0.title == "0" }.sorted(by: \.id, .descending).ids() == [18, 12, 6])
        #expect(try store.referencing(b, from: Piece.self, \.links).count() == 20)
        #expect(try store.referencing(Reference<Piece>(id: 3), from: Piece.self, \.original).ids() == [3])
        #expect(try store.referencing(a).count == 10)
    }
}
