/// What was done to a list while it was changed in place.
@usableFromInline struct ListChanges<Element: LiveModel>: Sendable {
    private(set) var added: [Element] = []
    /// Each may be in the list elsewhere still.
    private(set) var removed: Set<Reference<Element>> = []

    mutating func add(_ object: Element) { added.append(object) }
    mutating func remove(_ reference: Reference<Element>) { removed.insert(reference) }
}
