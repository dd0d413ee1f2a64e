import TestSupport
import Testing

@testable import Trove

/// Observed queries whose results other objects decide, of models that the program does not have or that have no declaration.
@Suite struct UntoldModelObservationTests {
    @Model("ObservedPiece") fileprivate struct Piece: Equatable {
        let id: Int
        var title = ""
    }

    @Model("ObservedProgramme") fileprivate struct Programme {
        let id: Int
        @Relationship var pieces: [Reference<Piece>] = []
    }

    /// A store with three pieces, of which two are in programmes, whose model the program does not have.
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Piece.self, Programme.self) }
        try fixture.store.save((1...3).map { Piece(id: $0) })
        try fixture.store.save((1...2).map { Programme(id: $0, pieces: [Reference(id: $0)]) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Piece.self) }
        return fixture
    }

    private func deleteProgramme(_ id: StoredValue, in store: ObjectStore) throws {
        #expect(try store.documents(of: "ObservedProgramme").delete(id: id))
    }

    @Test(arguments: Engine.allCases) func changesOfTheirRecordsAreHeardOf(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let fetches = [store.fetch(Piece.self).unreferenced(), store.fetch(Piece.self).matching("count($referencing.ObservedProgramme.pieces) = 0")]
        for (fetch, id) in zip(fetches, [1, 2] as [StoredValue]) {
            let observer = Observer(filters: try store.core.observedFilters(of: fetch.query, store.core.binding(for: Piece.self)))
            let registration = ObserverRegistration(observer, store.core.observers)
            #expect(observer.wakeUp.take() && !observer.wakeUp.isDue)
            try deleteProgramme(id, in: store)
            #expect(observer.wakeUp.isDue)
            withExtendedLifetime(registration) {}
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases) func resultsThatTheirRecordsDecide(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var pieces = store.observe(store.fetch(Piece.self).matching("count($referencing.ObservedProgramme.pieces) = 0")).makeAsyncIterator()
        #expect(try await pieces.next()?.map(\.id) == [3])
        try deleteProgramme(1, in: store)
        #expect(try await pieces.next()?.map(\.id) == [1, 3])
        withExtendedLifetime(fixture) {}
    }

    @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases) func documentsThatNothingPointsAt(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes")
        try await notes.save(Document(["title": "first"]))
        var results = fixture.store.observe(notes.fetch().unreferenced()).makeAsyncIterator()
        #expect(try await results.next()?.count == 1)
        try await notes.save(Document(["title": "second"]))
        #expect(try await results.next()?.count == 2)
        withExtendedLifetime(fixture) {}
    }
}
