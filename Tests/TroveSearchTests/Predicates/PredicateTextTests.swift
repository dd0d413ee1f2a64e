import Foundation
import Testing

@testable import Trove

/// Comparisons of texts that Foundation has in predicates on Apple's systems alone, with expressions of the same form in their place.
@Suite struct PredicateTextTests {
    private struct StandardContains<Root: PredicateExpression<String>, Other: PredicateExpression<String>>: TranslatableExpression {
        let root: Root
        let other: Other
        var source: String { "\(root.sourceText).localizedStandardContains(\(other.sourceText))" }

        func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).range(of: other.evaluate(bindings), options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }

        func term(in scope: PredicateScope) throws -> PredicateTerm {
            guard let filter = try scope.standardContains(root, other, of: self) else { return try constant(in: scope) }
            return .filter(filter)
        }
    }

    private struct CaseInsensitiveCompare<Root: PredicateExpression<String>, Other: PredicateExpression<String>>: TextOrderExpression {
        let root: Root
        let other: Other
        var source: String { "\(root.sourceText).caseInsensitiveCompare(\(other.sourceText))" }

        func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
        }
    }

    private typealias Text = PredicateExpressions.Value<String>
    private typealias Title = PredicateExpressions.KeyPath<PredicateExpressions.Variable<Recording>, String>

    private let recording = PredicateExpressions.Variable<Recording>()
    private let text = PredicateExpressions.Value("Ä")

    private var title: Title { PredicateExpressions.build_KeyPath(root: recording, keyPath: \Recording.title) }

    private func filter(_ expression: some PredicateExpression<Bool>) throws -> Filter {
        let scope = PredicateScope { property throws(TroveError) in try Recording.path(property as? PartialKeyPath<Recording> ?? \.id) }
        return try scope.binding(recording, to: .object).filter(expression)
    }

    private func compared(_ result: ComparisonResult) -> PredicateExpressions.Equal<CaseInsensitiveCompare<Title, Text>, PredicateExpressions.Value<ComparisonResult>> {
        PredicateExpressions.build_Equal(lhs: CaseInsensitiveCompare(root: title, other: text), rhs: PredicateExpressions.Value(result))
    }

    @Test func containsIgnoresCaseAndAccents() throws {
        #expect(try filter(StandardContains(root: title, other: text)) == Condition.of { $0.title.contains("Ä", ignoring: [.case, .diacritics]) })
        #expect(try filter(StandardContains(root: text, other: PredicateExpressions.Value("a"))) == .constant(true))
    }

    @Test func aComparedOrderIsAComparison() throws {
        let path = Operand.path(FieldPath("title"))
        for (result, comparison) in [(ComparisonResult.orderedSame, Comparison.equal), (.orderedAscending, .less), (.orderedDescending, .greater)] {
            #expect(try filter(compared(result)) == .comparison(path, comparison, .value(.string("Ä")), ignoring: .case))
        }
        let other = PredicateExpressions.build_NotEqual(lhs: PredicateExpressions.Value(ComparisonResult.orderedSame), rhs: CaseInsensitiveCompare(root: title, other: text))
        #expect(try filter(other) == !.comparison(path, .equal, .value(.string("Ä")), ignoring: .case))
        let constant = PredicateExpressions.build_Equal(
            lhs: CaseInsensitiveCompare(root: text, other: PredicateExpressions.Value("ä")), rhs: PredicateExpressions.Value(ComparisonResult.orderedSame))
        #expect(try filter(constant) == .constant(true))
    }

    /// What is not compared with one of the results is no value.
    @Test func anOrderAloneIsRefused() throws {
        let two = PredicateExpressions.build_Equal(lhs: CaseInsensitiveCompare(root: title, other: text), rhs: CaseInsensitiveCompare(root: text, other: title))
        #expect { try filter(two) } throws: { error in
            guard case TroveError.unsupportedPredicate(let expression, let reason) = error else { return false }
            return expression.contains("caseInsensitiveCompare") && reason.contains(".orderedSame")
        }
    }
}
