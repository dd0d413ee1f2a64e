import Foundation
import TestSupport
import Testing

@testable import Trove

/// Predicates give the objects that Foundation's evaluation gives.
@Suite struct PredicateTranslationTests {
    @Test(arguments: PredicateSamples.all.map(\.name))
    func sameAnswersAsFoundation(_ name: String) throws {
        let predicate = try #require(PredicateSamples.all.first { $0.name == name }).predicate
        let objects = Recording.samples(150, seed: 7).sorted { $0.id < $1.id }
        let store = try ObjectStore(MemoryBackend(), models: Recording.self)
        try store.save(objects)
        let expected = try objects.filter { try predicate.evaluate($0) }.map(\.id)
        #expect(!expected.isEmpty && expected.count < objects.count, "\(name) tells nothing")
        let filter = try Filter(predicate)
        #expect(try store.fetch(Recording.self).where(predicate).ids() == expected, "\(name): \(filter)")
        try store.close()
    }

    @Test func filtersAreThoseOfTypedFields() throws {
        #expect(try Filter(#Predicate<Recording> { $0.year > 1990 && $0.artist == "x" }) == Condition.of { $0.year > 1990 && $0.artist == "x" })
        #expect(try Filter(#Predicate<Recording> { $0.rating != nil }) == Condition.of { $0.rating != nil })
        #expect(try Filter(#Predicate<Recording> { $0.tags.contains("x") }) == Condition.of { $0.tags.contains("x") })
        #expect(try Filter(#Predicate<Recording> { $0.home?.geo?.latitude == 5 }) == Condition.of { $0.home.geo.latitude == 5 })
        #expect(try Filter(#Predicate<Recording> { (1...5).contains($0.year) }) == Condition.of { $0.year.isIn(1...5) })
        #expect(try Filter(#Predicate<Recording> { !$0.tags.isEmpty }) == Condition.of { !$0.tags.isEmpty })
        #expect(try Filter(#Predicate<Recording> { $0.labels.keys.contains("x") }) == Condition.of { $0.labels.keys.contains("x") })
        #expect(try Filter(#Predicate<Recording> { $0.tags.count > 2 && $0.scores.count == 1 }) == Condition.of { $0.tags.count > 2 && $0.scores.count == 1 })
        #expect(try Filter(#Predicate<Recording> { $0.labels.count < 3 }) == Condition.of { $0.labels.count < 3 })
        let id = ObjectID()
        #expect(try Filter(#Predicate<Recording> { $0.id == id }) == Condition.of { $0.id == id })
        #expect(try Filter(Predicate<Recording>.true) == .constant(true))
        #expect(try Filter(Predicate<Recording>.false) == .constant(false))
    }

    @Test func whatIsTheSameForAllObjectsFolds() throws {
        let (yes, no) = (true, false)
        #expect(try Filter(#Predicate<Recording> { yes && $0.isLive }) == Condition.of { $0.isLive.isTrue })
        #expect(try Filter(#Predicate<Recording> { $0.isLive || yes }) == .constant(true))
        #expect(try Filter(#Predicate<Recording> { $0.isLive && no }) == .constant(false))
        #expect(try Filter(#Predicate<Recording> { !no && 2 * 3 == 6 && $0.isLive }) == Condition.of { $0.isLive.isTrue })
        #expect(try Filter(#Predicate<Recording> { (no ? $0.year : $0.limit) == 5 }) == Condition.of { $0.limit == 5 })
    }

    /// Neither the macro nor, on Linux, a predicate can have them, but Foundation declares them.
    @Test func capturedExpressionsAreInlined() throws {
        let year = #Expression<Recording, Int> { $0.year }
        let recording = PredicateExpressions.Variable<Recording>()
        let evaluated = PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(year), recording)
        let scope = PredicateScope { property throws(TroveError) in try Recording.path(property as? PartialKeyPath<Recording> ?? \.id) }
        guard case .path(let path) = try scope.binding(recording, to: .object).term(evaluated) else {
            Issue.record("no path")
            return
        }
        #expect(path == FieldPath("year"))
    }
}

extension Condition {
    static func of(_ condition: (Fields<Recording>) -> Condition) throws -> Filter {
        try condition(Fields()).filter()
    }
}
