// None of these loads anything.
extension ObjectList {
    /// Adds an object at the end.
    ///
    /// - Complexity: O(1) on average.
    public mutating func append(_ object: Element) {
        references.append(note(object))
    }

    /// Adds objects at the end.
    ///
    /// The sequence is gone through while the list is being changed. One that fetches then what this change may concern, as ``ReferencingObjects`` do, gives
    /// nothing, and ``ObjectContext/faultErrors`` have the error: make an array of it first.
    public mutating func append(contentsOf objects: some Sequence<Element>) {
        references.reserveCapacity(references.count + objects.underestimatedCount)
        for object in objects { append(object) }
    }

    /// Inserts an object at a position, or at the end.
    ///
    /// - Precondition: The position is at least 0 and at most ``count``.
    public mutating func insert(_ object: Element, at position: Int) {
        references.insert(note(object), at: position)
    }

    /// Replaces the object at a position.
    ///
    /// - Precondition: The position is at least 0 and below ``count``.
    public mutating func replace(at position: Int, with object: Element) {
        changes?.remove(references[position])
        references[position] = note(object)
    }

    /// Removes the object at a position.
    ///
    /// - Precondition: The position is at least 0 and below ``count``.
    public mutating func remove(at position: Int) {
        let reference = references.remove(at: position)
        changes?.remove(reference)
    }

    /// Removes an object from all its places; returns whether it was in the list.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool {
        let reference = Reference(object)
        let count = references.count
        references.removeAll { $0 == reference }
        if references.count == count { return false }
        held[reference] = nil
        changes?.remove(reference)
        return true
    }

    /// Removes all objects.
    public mutating func removeAll() {
        for reference in references { changes?.remove(reference) }
        references.removeAll()
        held.removeAll()
    }

    /// Moves the object at one position to another, which is its position afterwards.
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

/// A change in place of a list, while it is made.
public struct _ListEdit<Element: LiveModel> {
    let access: _LiveAccess
    /// The list that the caller changes. Its references are not in the object meanwhile, so that they are changed where they are.
    public var value: ObjectList<Element>
}

/// What was done to a list while it was changed in place.
@usableFromInline struct ListChanges<Element: LiveModel>: Sendable {
    private(set) var added: [Element] = []
    /// Each may be in the list elsewhere still.
    private(set) var removed: Set<Reference<Element>> = []

    mutating func add(_ object: Element) { added.append(object) }
    mutating func remove(_ reference: Reference<Element>) { removed.insert(reference) }
}

extension _LiveObjectState {
    /// Begins to change a list in place.
    public func beginRelating<Owner: _LiveObject, Element>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, ObjectList<Element>>, field: Int,
        _ withStorage: StorageAccess<ObjectList<Element>>
    ) -> _ListEdit<Element> {
        var access = beginWriting(owner, property())
        let domain = access.domain.takeUnretainedValue()
        var list = ObjectList<Element>()
        if domain !== ObjectDomain.detached {
            // The host may look at the former references.
            markChanged(owner, field: field, in: domain)
            // From here on they are not in the object.
            domain.changesUnderWay &+= 1
            access.isCounted = true
            list.scope = _RelationshipScope(owner, field: field)
            list.changes = ListChanges()
        }
        withStorage { storage in
            if let held = storage.held {
                list = held
                storage.held = nil
            } else {
                swap(&list.references, &storage.references)
            }
        }
        return _ListEdit(access: access, value: list)
    }

    /// Ends a change in place.
    public func endRelating<Owner: _LiveObject, Element>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, ObjectList<Element>>, field: Int, _ edit: inout _ListEdit<Element>,
        _ withStorage: StorageAccess<ObjectList<Element>>
    ) {
        edit.access.checkThread()
        defer { edit.access.end(owner, property()) }
        let domain = edit.access.domain.takeUnretainedValue()
        if domain === ObjectDomain.detached {
            withStorage { $0.held = ObjectList._kept(edit.value) }
            return
        }
        guard let owner = owner._$model else { return }
        let model = type(of: owner)
        if isLost {
            // Nothing is brought in for an object that is stored no more; that the change is lost was told when it began.
            let added = Set(edit.value.changes?.added.map { Reference($0) } ?? edit.value.references)
            edit.value.references.removeAll { added.contains($0) }
            return withStorage { swap(&$0.references, &edit.value.references) }
        }
        // Another list was assigned to it when it has no changes; what it took the place of, the next save finds out.
        var added = edit.value.changes?.added ?? edit.value.heldObjects
        var removed = edit.value.changes?.removed ?? []
        if !removed.isEmpty {
            removed.subtract(edit.value.references)
            // What was added and taken out again is not brought in.
            added.removeAll { removed.contains(Reference($0)) }
        }
        let refused = refuse(added, to: owner, in: domain)
        if !refused.isEmpty {
            edit.value.references.removeAll { refused.contains($0) }
            removed.formUnion(refused.intersection(edit.value.changes?.removed ?? []))
        }
        withStorage { swap(&$0.references, &edit.value.references) }
        if !isAway, ObjectDomain.owns(field, in: model) {
            domain.tellRelease(of: removed.map { AnyReference($0) }, by: field, in: model)
        }
        // Another object may have the place of one that has left the context.
        guard let side = domain.inverse(of: field, in: model), !isAway || domain.presentObject(model, owner.id.keyBytes) == nil else { return }
        let references = isAway ? [] : added.map { Reference($0) }.filter { !refused.contains($0) }
        domain.connect(owner.reference, side, removed: removed.map { AnyReference($0) }, added: references.map { AnyReference($0) })
    }

    /// Brings in the objects that are in no context, and returns references to those that cannot be.
    private func refuse<Element: LiveModel>(_ added: [Element], to owner: any LiveModel, in domain: ObjectDomain) -> Set<Reference<Element>> {
        var refused: Set<Reference<Element>> = []
        for object in added {
            do {
                try domain.admit([object], to: owner)
            } catch {
                domain.host?.refuse(error)
                refused.insert(Reference(object))
            }
        }
        return refused
    }
}
