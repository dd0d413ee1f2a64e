/// How many steps an ``ObjectContext`` can undo.
public enum UndoLimit: Sendable, Hashable {
    /// None: changes are not kept.
    case none
    /// At most this many steps, the last ones; at least 1.
    case steps(Int)
    /// All steps since the context was made.
    case unlimited

    /// The greatest number of steps.
    var count: Int {
        switch self {
        case .none: 0
        case .steps(let count): max(1, count)
        case .unlimited: .max
        }
    }
}
