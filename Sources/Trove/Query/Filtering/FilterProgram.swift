/// A filter as a list of conditions, each of which tells where to go on when it holds and when not.
///
/// `and`, `or` and `not` are in the order and the jumps alone, so that a record takes one loop without calls or reference counts.
///
/// Unchecked: the instructions are written before any other thread can see them and never again, and freed with the program, which
/// also keeps the literals that tests point into.
final class FilterProgram: @unchecked Sendable {
    private enum Condition {
        case test(FieldTest)
        /// The number of one of ``nodes``.
        case node(Int)
    }

    private struct Instruction {
        let condition: Condition
        /// The number of the next instruction, or ``passed`` or ``failed``.
        var next: (ifTrue: Int, ifFalse: Int)
    }

    private static let passed = -1
    private static let failed = -2

    private let instructions: UnsafeMutableBufferPointer<Instruction>
    private let start: Int
    private let nodes: [any FilterNode]
    private let literals: [Literal]

    init(_ tree: FilterTree) {
        var builder = Builder()
        start = builder.add(tree.simplified, ifTrue: Self.passed, ifFalse: Self.failed)
        instructions = .allocate(capacity: builder.instructions.count)
        _ = instructions.initialize(from: builder.instructions)
        nodes = builder.nodes
        literals = builder.literals
    }

    deinit {
        instructions.deinitialize()
        instructions.deallocate()
    }

    /// Whether a record passes.
    @inline(__always)
    func matches(_ record: RecordView) throws -> Bool {
        var next = start
        while next >= 0 {
            let instruction = instructions.baseAddress.unsafelyUnwrapped + next
            let isTrue: Bool
            switch instruction.pointee.condition {
            case .test(let test): isTrue = try test.passes(record)
            case .node(let number): isTrue = try nodes[number].matches(record)
            }
            next = isTrue ? instruction.pointee.next.ifTrue : instruction.pointee.next.ifFalse
        }
        return next == Self.passed
    }

    /// Lays out a tree from its end: where to go on is known before what comes first.
    private struct Builder {
        var instructions: [Instruction] = []
        var nodes: [any FilterNode] = []
        var literals: [Literal] = []

        /// Returns the number of the instruction to begin with.
        mutating func add(_ tree: FilterTree, ifTrue: Int, ifFalse: Int) -> Int {
            switch tree {
            case .constant(let isTrue): return isTrue ? ifTrue : ifFalse
            case .test(let test, let literal):
                if let literal { literals.append(literal) }
                return add(.test(test), ifTrue, ifFalse)
            case .node(let node):
                nodes.append(node)
                return add(.node(nodes.count - 1), ifTrue, ifFalse)
            case .not(let tree): return add(tree, ifTrue: ifFalse, ifFalse: ifTrue)
            case .and(let trees):
                return trees.reversed().reduce(ifTrue) { next, tree in add(tree, ifTrue: next, ifFalse: ifFalse) }
            case .or(let trees):
                return trees.reversed().reduce(ifFalse) { next, tree in add(tree, ifTrue: ifTrue, ifFalse: next) }
            }
        }

        private mutating func add(_ condition: Condition, _ ifTrue: Int, _ ifFalse: Int) -> Int {
            instructions.append(Instruction(condition: condition, next: (ifTrue, ifFalse)))
            return instructions.count - 1
        }
    }
}

/// A filter's conditions, worked out one by one, before they become a ``FilterProgram``.
indirect enum FilterTree {
    case constant(Bool)
    /// A test of plain data, and the literal whose bytes it looks at.
    case test(FieldTest, Literal?)
    case node(any FilterNode)
    case and([FilterTree])
    case or([FilterTree])
    case not(FilterTree)

    /// A tenth of a second. No cost of a tree is above it, so that sums and multiples of costs fit in the 31 bits that a number has on a watch: those of
    /// quantifiers in quantifiers multiply.
    static let maxCost = 100_000_000

    /// About how long an answer takes, in nanoseconds.
    var cost: Int {
        switch self {
        case .constant: 0
        case .test(let test, _): test.cost
        case .node(let node): node.cost
        case .and(let trees), .or(let trees): trees.reduce(0) { min($0 + $1.cost, Self.maxCost) }
        case .not(let tree): tree.cost
        }
    }

    /// The same with constants taken out, and the cheap conditions of `and` and `or` first.
    var simplified: FilterTree {
        switch self {
        case .constant, .test, .node: return self
        case .not(let tree):
            let inner = tree.simplified
            switch inner {
            case .constant(let isTrue): return .constant(!isTrue)
            case .not(let tree): return tree
            default: return .not(inner)
            }
        case .and(let trees): return Self.simplified(trees, neutral: true).map { .and($0) } ?? .constant(false)
        case .or(let trees): return Self.simplified(trees, neutral: false).map { .or($0) } ?? .constant(true)
        }
    }

    /// The conditions that are left; nil when one of them decides. `neutral` is the constant that changes nothing.
    private static func simplified(_ trees: [FilterTree], neutral: Bool) -> [FilterTree]? {
        var rest: [FilterTree] = []
        for tree in trees {
            let simplified = tree.simplified
            guard case .constant(let isTrue) = simplified else {
                rest.append(simplified)
                continue
            }
            if isTrue != neutral { return nil }
        }
        let costs = rest.map(\.cost)
        return rest.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { rest[$0] }
    }
}
