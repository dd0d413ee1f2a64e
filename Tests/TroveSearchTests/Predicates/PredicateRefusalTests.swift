import Foundation
import Testing

@testable import Trove

/// What has no equal in a store is refused by an error that names the expression.
@Suite struct PredicateRefusalTests {
    /// An expression that a program defines itself.
    private struct Foreign<Wrapped: StandardPredicateExpression>: StandardPredicateExpression {
        let wrapped: Wrapped

        func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output { try wrapped.evaluate(bindings) }
    }

    private func refusal(_ predicate: Predicate<Recording>) -> (expression: String, reason: String)? {
        do {
            _ = try Filter(predicate)
            return nil
        } catch TroveError.unsupportedPredicate(let expression, let reason) {
            return (expression, reason)
        } catch {
            return nil
        }
    }

    static var samples: [(expression: String, predicate: Predicate<Recording>)] {
        let names = ["a", "b"]
        let place = 7
        let (least, most, zero) = (Int.min, Int.max, 0)
        // The compiler warns of casts that it can tell the outcome of, so these are built by hand.
        typealias Build = PredicateExpressions
        func title(_ recording: Build.Variable<Recording>) -> Build.KeyPath<Build.Variable<Recording>, String> {
            Build.build_KeyPath(root: recording, keyPath: \.title)
        }
        return [
            ("$0.title.count", #Predicate { $0.isLive && $0.title.count == 3 }),
            ("$0.image.count", #Predicate { $0.image.count == 3 }),
            ("($0.year + 1)", #Predicate { $0.year + 1 > 1990 }),
            ("-$0.year", #Predicate { -$0.year < 0 }),
            ("($0.year / 10)", #Predicate { $0.year / 10 == 195 }),
            ("($0.year % 10)", #Predicate { $0.year % 10 == 3 }),
            ("(($0.rating ?? 1.0) / 2.0)", #Predicate { ($0.rating ?? 1) / 2 > 1 }),
            ("$0.scores.max()", #Predicate { $0.scores.max() == 5 }),
            ("$0.scores.min()", #Predicate { $0.scores.min() == 5 }),
            ("$0.tags[0]", #Predicate { $0.tags[0] == "live" }),
            ("$0.tags[(0..<1)]", #Predicate { $0.tags[0..<1].isEmpty }),
            ("$0.tags.first", #Predicate { $0.tags.first == "live" }),
            ("$0.tags.last", #Predicate { $0.tags.last == "live" }),
            ("$0.tags.starts(with: [\"a\", \"b\"])", #Predicate { $0.tags.starts(with: names) }),
            ("$0.tags.contains([\"a\", \"b\"])", #Predicate { $0.tags.contains(names) }),
            ("($0.title as? Int)", Predicate { Build.build_Equal(lhs: Build.ConditionalCast<_, Int>(title($0)), rhs: Build.build_NilLiteral()) }),
            ("($0.title as! Int)", Predicate { Build.build_Equal(lhs: Build.ForceCast<_, Int>(title($0)), rhs: Build.build_Arg(5)) }),
            ("($0.title is Int)", Predicate { Build.TypeCheck<_, Int>(title($0)) }),
            ("$0.labels.contains", #Predicate { $0.labels.contains { $0.key == "a" } }),
            ("$0.counts[7]", #Predicate { $0.counts[7] == 7 }),
            ("$0.(a computed property of type String)", #Predicate { $0.display == "x" }),
            ("$0.place.(a computed property of type String)", #Predicate { $0.place.label == "x" }),
            ("$0.place.country", #Predicate { $0.place.country == "Norway" }),
            ("$0.mood <", #Predicate { $0.mood < $0.mood }),
            ("[\"a\", \"b\"][7]", #Predicate { $0.title == names[place] }),
            ("(9223372036854775807 + 1)", #Predicate { $0.year < most + 1 }),
            ("--9223372036854775808", #Predicate { $0.year < -least }),
            ("(9223372036854775807 / 0)", #Predicate { $0.year < most / zero }),
            ("(9223372036854775807 % 0)", #Predicate { $0.year < most % zero }),
            ("$0.price", #Predicate { $0.lines.contains { line in line.parts.contains { $0 == "a" && line.price > 5 } } }),
        ]
    }

    @Test(arguments: samples.map(\.expression))
    func namesTheExpression(_ expression: String) throws {
        let predicate = try #require(Self.samples.first { $0.expression == expression }).predicate
        let refusal = try #require(self.refusal(predicate))
        #expect(refusal.expression.contains(expression))
        #expect(!refusal.reason.isEmpty)
    }

    @Test func unknownExpressions() {
        let foreign = Predicate<Recording> { recording in
            Foreign(wrapped: PredicateExpressions.build_KeyPath(root: recording, keyPath: \.isLive))
        }
        #expect(refusal(foreign)?.reason == "Trove has no equivalent")
        #expect(refusal(foreign)?.expression.contains("Foreign") == true)
    }

    @Test func theFetchThrowsWhenItRuns() throws {
        let store = try ObjectStore(MemoryBackend(), models: Recording.self)
        let fetch = store.fetch(Recording.self).where(#Predicate { $0.title.count > 2 })
        let error = #expect(throws: TroveError.self) { try fetch.all() }
        #expect(error.map { "\($0)".hasPrefix("a store cannot evaluate '$0.title.count' of the predicate: ") } == true)
        try store.close()
    }

    @Test func conditionsDoNotMultiplyWithoutEnd() {
        func doubled(_ expression: some StandardPredicateExpression<Bool>, _ times: Int) -> any StandardPredicateExpression<Bool> {
            let both = PredicateExpressions.build_Equal(lhs: expression, rhs: expression)
            return times == 0 ? both : doubled(both, times - 1)
        }
        let predicate = Predicate<Recording> { recording in
            doubled(PredicateExpressions.build_KeyPath(root: recording, keyPath: \.isLive), 12)
        }
        #expect(refusal(predicate)?.reason == "it becomes more than 10000 conditions")
    }
}
