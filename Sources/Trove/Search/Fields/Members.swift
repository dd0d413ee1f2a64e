/// The elements of an array or set, or the keys or values of a dictionary, that a condition asks about.
///
/// ```swift
/// store.fetch(Order.self).where { $0.lines.any { $0.price > 5 && $0.quantity > 1 } && $0.labels.keys.contains("urgent") }
/// ```
///
/// Of nil, `any` is false and `all` and `none` are true.
public struct Members<Element>: Sendable {
    let path: FieldPath
    let part: CollectionPart
    let scope: ElementScope?
    let problem: TroveError?

    /// Whether a condition is true of one of them at least.
    public func any(_ condition: (Field<Element>) -> Condition) -> Condition { quantified(.any, condition) }

    /// Whether a condition is true of each of them.
    public func all(_ condition: (Field<Element>) -> Condition) -> Condition { quantified(.all, condition) }

    /// Whether a condition is true of none of them.
    public func none(_ condition: (Field<Element>) -> Condition) -> Condition { quantified(.none, condition) }

    /// Whether one of them equals a value.
    public func contains(_ element: Element) -> Condition { any { $0 == element } }

    /// Whether there are none.
    public var isEmpty: Condition { none { _ in Condition(.constant(true)) } }

    private func quantified(_ quantifier: Quantifier, _ condition: (Field<Element>) -> Condition) -> Condition {
        let element = ElementScope()
        let inner = condition(Field(path: .element, scope: element))
        return Condition(scopes: scope.map { [$0] } ?? [], problem: problem) { () throws(TroveError) in
            let filter = try inner.filter()
            guard inner.scopes.allSatisfy({ $0 == element }) else {
                throw .invalidQuery(
                    reason: "in the condition on the members of '\(path)' stands a member of another collection; compare members with values, with each other or with the object's own fields"
                )
            }
            return .quantified(quantifier, path, part, filter)
        }
    }
}
