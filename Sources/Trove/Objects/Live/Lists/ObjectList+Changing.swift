// None of these loads anything.
extension ObjectList {
    /// Adds an object at the end.
    ///
    /// - Complexity: O(1) on average.
    public mutating func append(_ object: Element) {
        references.append(note(object))
    }

    /// Adds objects at the end.
    public mutating func append(contentsOf objects: some Sequence<Element>) {
        references.reserveCapacity(references.count + objects.underestimatedCount)
        for object in objects { append(object) }
    }

    /// Adds an object before the one at a place, or at the end.
    ///
    /// - Precondition: The position is at least 0 and at most ``count``.
    public mutating func insert(_ object: Element, at position: Int) {
        references.insert(note(object), at: position)
    }

    /// Puts an object in the place of another.
    ///
    /// - Precondition: The position is at least 0 and below ``count``.
    public mutating func replace(at position: Int, with object: Element) {
        changes?.remove(references[position])
        references[position] = note(object)
    }

    /// Takes out what is at a place.
    ///
    /// - Precondition: The position is at least 0 and below ``count``.
    public mutating func remove(at position: Int) {
        let reference = references.remove(at: position)
        changes?.remove(reference)
    }

    /// Takes an object out, in all its places; returns whether it was in the list.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool {
        let reference = Reference(object)
        let count = references.count
        references.removeAll { $0 == reference }
        if references.count == count { return false }
        changes?.remove(reference)
        return true
    }

    /// Takes all objects out.
    public mutating func removeAll() {
        for reference in references { changes?.remove(reference) }
        references.removeAll()
    }

    /// Moves what is at one place to another, at which it is afterwards.
    ///
    /// - Precondition: Both positions are at least 0 and below ``count``.
    public mutating func move(from source: Int, to destination: Int) {
        references.insert(references.remove(at: source), at: destination)
    }

    /// Keeps an object that no context may have, and notes that it was added.
    private mutating func note(_ object: Element) -> Reference<Element> {
        let reference = Reference(object)
        if changes == nil { held[reference] = object }
        changes?.add(object)
        return reference
    }
}
