/// Tells the element of one quantifier from that of another: a path can only begin at the innermost.
final class ElementScope: Sendable, Equatable {
    static func == (left: ElementScope, right: ElementScope) -> Bool { left === right }
}
