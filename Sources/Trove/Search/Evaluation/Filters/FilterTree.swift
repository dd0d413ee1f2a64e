/// A filter's conditions, worked out one by one, before they become a ``FilterProgram``.
indirect enum FilterTree {
    case constant(Bool)
    /// A test of plain data, and the literal whose bytes it looks at.
    case test(FieldTest, Literal?)
    case node(any FilterNode)
    case and([FilterTree])
    case or([FilterTree])
    case not(FilterTree)

    /// About how long an answer takes, in nanoseconds.
    var cost: Int {
        switch self {
        case .constant: 0
        case .test(let test, _): test.cost
        case .node(let node): node.cost
        case .and(let trees), .or(let trees): trees.reduce(0) { $0 + $1.cost }
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
