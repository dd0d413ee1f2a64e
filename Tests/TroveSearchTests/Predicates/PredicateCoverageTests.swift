import Foundation
import Testing
import Trove

/// Every kind of expression that this toolchain's Foundation declares is translated or refused, and has a sample that shows it.
@Suite struct PredicateCoverageTests {
    enum Outcome {
        /// It has a meaning in a store.
        case translated
        /// It has one where it is the same for all objects.
        case constantsOnly
        /// `ExpressionEvaluate` cannot stand in a predicate on Linux; it has a test of its own.
        case notInPredicates
    }

    static let table: [(name: String, outcome: Outcome)] = [
        ("Arithmetic", .constantsOnly), ("ClosedRange", .translated), ("CollectionContainsCollection", .translated),
        ("CollectionIndexSubscript", .constantsOnly), ("CollectionRangeSubscript", .constantsOnly), ("Comparison", .translated),
        ("Conditional", .translated), ("ConditionalCast", .constantsOnly), ("Conjunction", .translated),
        ("DictionaryKeyDefaultValueSubscript", .translated), ("DictionaryKeySubscript", .translated), ("Disjunction", .translated),
        ("Equal", .translated), ("ExpressionEvaluate", .notInPredicates), ("Filter", .translated), ("FloatDivision", .constantsOnly),
        ("ForceCast", .constantsOnly), ("ForcedUnwrap", .translated), ("IntDivision", .constantsOnly), ("IntRemainder", .constantsOnly),
        ("KeyPath", .translated), ("Negation", .translated), ("NilCoalesce", .translated), ("NilLiteral", .translated), ("NotEqual", .translated),
        ("OptionalFlatMap", .translated), ("Range", .translated), ("RangeExpressionContains", .translated), ("SequenceAllSatisfy", .translated),
        ("SequenceContains", .translated), ("SequenceContainsWhere", .translated), ("SequenceMaximum", .constantsOnly),
        ("SequenceMinimum", .constantsOnly), ("SequenceStartsWith", .translated), ("StringContainsRegex", .translated),
        ("TypeCheck", .constantsOnly), ("UnaryMinus", .constantsOnly), ("Value", .translated), ("Variable", .translated),
    ]

    private static func kinds(_ predicates: [Predicate<Recording>]) -> Set<String> {
        var kinds: Set<String> = []
        for predicate in predicates {
            for match in String(reflecting: type(of: predicate.expression)).matches(of: #/PredicateExpressions\.(\w+)/#) {
                kinds.insert(String(match.1))
            }
        }
        return kinds
    }

    @Test func everyKindHasASample() {
        let translated = Self.kinds(PredicateSamples.all.map(\.predicate))
        let refused = Self.kinds(PredicateRefusalTests.samples.map(\.predicate))
        for (name, outcome) in Self.table {
            switch outcome {
            case .translated: #expect(translated.contains(name), "\(name)")
            case .constantsOnly: #expect(refused.contains(name), "\(name)")
            case .notInPredicates: #expect(!translated.contains(name) && !refused.contains(name), "\(name)")
            }
        }
        // The regular expression itself is a value.
        #expect(translated.union(refused).subtracting(["PredicateRegex"]).isSubset(of: Self.table.map(\.name)))
    }
}
