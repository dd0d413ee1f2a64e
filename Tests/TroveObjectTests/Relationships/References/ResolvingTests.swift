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
        #expect(try await store.referencing(a).map(\.description) == ["Disc(1).artist", "Piece(1).writers"])
        #expect(try await store.referencing(Reference(disc)).map(\.field) == ["album"])
        #expect(try await store.referenceCount(of: a) == 2)
        #expect(try await store.referenceCount(of: gone) == 1)
        #expect(try await store.danglingReferences().map(\.source.field) == ["writers", "original"])
        let graph = try await store.fetch(Piece.self).including { $0.album.artist }
        #expect(graph[piece.album] == disc && graph[disc.artist] == a && graph[gone] == nil)
    }

    @Test(arguments: Engine.allCases) func idsAreShownAsTheyAreWritten(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine, Library.open)
        let store = fixture.store
        let id = PrintingID("a", 3)
        try store.save(Printing(id: id, printed: 1, of: Reference(id: 7)))
        try store.save(
            Piece(id: 1, title: "t", edition: Reference(id: PrintingID("b", 2)), original: Reference(id: 1), about: AnyReference(Composer.self, id: "gone")))
        #expect(try Set(store.danglingReferences().map(\.description)) == [
            #"Printing(PrintingID(work: "a", number: 3)).of points at Disc(7), which is not stored"#,
            #"Piece(1).edition points at Printing(PrintingID(work: "b", number: 2)), which is not stored"#,
            "Piece(1).about points at Composer(gone), which is not stored",
        ])
        let bag = Bag(in: store)
        bag.add(Reference(Printing.self, id: PrintingID("c", 1)))
        #expect { try bag.save() } throws: {
            if case TroveError.danglingReference("Printing", #"PrintingID(work: "c", number: 1)"#) = $0 { true } else { false }
        }
        try store.core.backend.write(.relaxed) { writer in
            let keyspace = try #require(try writer.keyspace(named: "Printing"))
            var record = try #require(try writer.value(of: id.keyBytes, in: keyspace))
            record[record.count - 1] ^= 0x55
            try writer.put(id.keyBytes, record, in: keyspace)
        }
        let problems = try store.verify().problems.map(\.description)
        let expected = #"Printing PrintingID(work: "a", number: 3): the record of Printing PrintingID(work: "a", number: 3) is damaged"#
        #expect(problems.contains { $0.hasPrefix(expected) }, "\(problems)")
    }

    @Test(arguments: Engine.allCases) func idsOfUnknownModelsAreShownByTheCatalogue(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: ShownSeat.self) }
        try fixture.store.save(ShownSeat(row: "a", place: 1, next: Reference(id: .init(row: "b", place: 2))))
        func descriptions() throws -> [String] { try fixture.store.danglingReferences().map(\.description) }
        #expect(try descriptions() == [#"ShownSeat(ID(row: "a", place: 1)).next points at ShownSeat(ID(row: "b", place: 2)), which is not stored"#])
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        #expect(try descriptions() == [#"ShownSeat(["a",1]).next points at ShownSeat(["b",2]), which is not stored"#])
    }

    /// A reference alone knows the bytes only.
    @Test func referencesToAnyModelShowWhatTheirIDIsLike() {
        let id = ObjectID()
        #expect("\(AnyReference(Composer.self, id: "gone"))" == "Composer(gone)")
        #expect("\(AnyReference(Piece.self, id: 7)) \(AnyReference(Piece.self, id: -3))" == "Piece(7) Piece(-3)")
        #expect("\(AnyReference(collection: "notes", id: id))" == "notes(\(id))")
        #expect("\(AnyReference(Disc.self, id: 7))" == "Disc(0x8007)")
        #expect("\(AnyReference(modelName: "Composer", keyBytes: [1, 0]))" == "Composer(0x0100)")
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

@Model
private struct ShownSeat {
    #Unique<ShownSeat>([\.row, \.place], identity: true)
    var row: String
    var place: Int
    var next: Reference<ShownSeat>?
}
