import Foundation

/// Where a program takes Trove from a static archive, the linker leaves out the files that nothing names. That an expression of a predicate is
/// known here is found at run time, by a cast, which names none; so one kind of each file stands here.
enum LinkedExpressions {
    private typealias Number = PredicateExpressions.Value<Int>
    private typealias Truth = PredicateExpressions.Value<Bool>
    private typealias Text = PredicateExpressions.Value<String>
    private typealias Numbers = PredicateExpressions.Value<[Int]>

    /// Keeps the conformances in the program, the first time it is asked for.
    static let areKept: Void = use([
        PredicateExpressions.Arithmetic<Number, Number>.self,
        PredicateExpressions.SequenceContains<Numbers, Number>.self,
        PredicateExpressions.Comparison<Number, Number>.self,
        PredicateExpressions.Conjunction<Truth, Truth>.self,
        PredicateExpressions.SequenceMaximum<Numbers>.self,
        PredicateExpressions.SequenceStartsWith<Text, Text>.self,
        Number.self,
    ])

    /// Neither looked into nor left out by the optimizer.
    @inline(never) @_optimize(none)
    private static func use(_ kinds: [any TranslatableExpression.Type]) {}
}
