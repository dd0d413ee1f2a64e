import TestSupport
import Testing
@testable import Trove

/// Random queries against plain Swift over an array.
@Suite struct RandomQueryTests {
    @Test(arguments: TestShare.trials(IndexSet.allCases))
    func answersAreThoseOfPlainSwift(_ engine: Engine, _ indexes: IndexSet) throws {
        let seed: UInt64 = 20_261_121 + UInt64(indexes.number)
        var random = SeededGenerator(seed: seed)
        let (fixture, tracks) = try indexes.fixture(engine, count: 250, &random)
        for number in 0..<TestShare.rounds(80) {
            let query = OracleQuery.random(&random, tracks)
            let expected = query.answer(tracks)
            let fetch = query.fetch(fixture.store.fetch(Tune.self))
            let note: Comment = "seed \(seed), query \(number): \(query)"
            #expect(try fetch.ids() == expected.map(\.id), note)
            #expect(try fetch.all().map(\.id) == expected.map(\.id), note)
            #expect(try fetch.count() == expected.count, note)
            #expect(try fetch.exists() == !expected.isEmpty, note)
            #expect(try fetch.first()?.id == expected.first?.id, note)
        }
    }

    @Test(arguments: TestShare.trials(IndexSet.allCases))
    func pagesAreTheWholeInPieces(_ engine: Engine, _ indexes: IndexSet) throws {
        var random = SeededGenerator(seed: 7 + UInt64(indexes.number))
        let (fixture, tracks) = try indexes.fixture(engine, count: 200, &random)
        for number in 0..<15 {
            var query = OracleQuery.random(&random, tracks)
            (query.offset, query.limit) = (0, nil)
            let fetch = query.fetch(fixture.store.fetch(Tune.self))
            let size = Int.random(in: 1...70, using: &random)
            var found: [ObjectID] = []
            var next: ContinuationToken?
            repeat {
                let page = try fetch.page(size, after: next)
                #expect(page.next == nil || page.objects.count == size)
                found += page.objects.map(\.id)
                next = page.next.map { ContinuationToken($0.text) }
            } while next != nil
            #expect(found == query.answer(tracks).map(\.id), "query \(number): \(query)")
        }
    }
}
