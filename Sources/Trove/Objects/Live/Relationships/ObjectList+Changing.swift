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
        changes?.remove(reference, times: count - references.count)
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
    /// The ``ListChanges/number`` of the list that was given out.
    let number: UInt64
    /// The list that the caller changes. Its references are not in the object meanwhile, so that they are changed where they are.
    public var value: ObjectList<Element>

    /// What was done to the list that was given out; nil when the caller has put another one in its place.
    func changes(of owner: some _LiveObject, _ field: Int) -> ListChanges<Element>? {
        guard let changes = value.changes, changes.number == number, let scope = value.scope, scope.field == field else { return nil }
        return scope.owner === owner ? changes : nil
    }
}

/// What was done to a list while it was changed in place.
@usableFromInline struct ListChanges<Element: LiveModel>: Sendable {
    /// Tells the changes in place of one property apart: the `changeCount` of its object.
    let number: UInt64
    private(set) var added: [Element] = []
    /// How often each was taken out. It may be in the list elsewhere still.
    private(set) var removed: [Reference<Element>: Int] = [:]

    init(number: UInt64) { self.number = number }

    mutating func add(_ object: Element) { added.append(object) }
    mutating func remove(_ reference: Reference<Element>, times: Int = 1) { removed[reference, default: 0] += times }

    /// What was in the list at first, and is not among its references now.
    func released(from references: [Reference<Element>]) -> [Reference<Element>] {
        var left = removed
        for reference in references where !left.isEmpty { left[reference] = nil }
        if left.isEmpty { return [] }
        // What was taken out as often as it was added was not there before.
        for object in added { left[Reference(object)]? -= 1 }
        return left.filter { $0.value > 0 }.map(\.key)
    }
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
        var number: UInt64 = 0
        if domain !== ObjectDomain.detached {
            // The host may look at the former references.
            markChanged(owner, field: field, in: domain)
            // From here on they are not in the object.
            domain.changesUnderWay &+= 1
            access.isCounted = true
            list.scope = _RelationshipScope(owner, field: field)
            number = changeCount
            list.changes = ListChanges(number: number)
        }
        withStorage { storage in
            if let held = storage.held {
                list = held
                storage.held = nil
            } else {
                swap(&list.references, &storage.references)
            }
        }
        return _ListEdit(access: access, number: number, value: list)
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
        let changes = edit.changes(of: owner, field)
        guard let owner = owner._$model else { return }
        if isLost {
            // Nothing is brought in for an object that is stored no more; that the change is lost was told when it began.
            let added = Set(changes?.added.map { Reference($0) } ?? edit.value.references)
            edit.value.references.removeAll { added.contains($0) }
            return withStorage { swap(&$0.references, &edit.value.references) }
        }
        let model = type(of: owner)
        let (side, owns) = (domain.inverse(of: field, in: model), ObjectDomain.owns(field, in: model) && !isAway)
        if changes == nil, let origin = ObjectList._origin(of: edit.value) {
            do {
                try domain.check(origin)
            } catch {
                // What is gone with the list that was given out is known from the record alone.
                domain.host?.refuse(error)
                edit.value = ObjectList()
                edit.value.references = domain.host?.formerTargets(of: owner, field: field, inverse: side?.inverse) ?? []
            }
        }
        let added = edit.value.addedObjects
        let refused = refuse(added, to: owner, in: domain)
        if !refused.isEmpty { edit.value.takeOut(refused) }
        var change = TargetChange<Element>()
        if side != nil || owns {
            if changes == nil {
                change = exchange(of: owner, field, side, for: edit.value.references, in: domain)
            } else {
                change.removed = edit.value.releasedReferences
                if side != nil { change.added = added.map { Reference($0) }.filter { !refused.contains($0) } }
            }
        }
        withStorage { swap(&$0.references, &edit.value.references) }
        tellOthers(of: change, of: owner, field, side, owns: owns, in: domain)
    }

    /// What changes when another list was put in the place of the one that was given out, which may be gone.
    private func exchange<Element: LiveModel>(
        of owner: any LiveModel, _ field: Int, _ side: InverseField?, for references: [Reference<Element>], in domain: ObjectDomain
    ) -> TargetChange<Element> {
        let former: [Reference<Element>] = domain.host?.formerTargets(of: owner, field: field, inverse: side?.inverse) ?? []
        let all = Set(references)
        var change = TargetChange<Element>()
        change.removed = TargetChange.once(former[...]) { !all.contains($0) }
        // Those among them that were there before know of it, and are not changed.
        if side != nil { change.added = TargetChange.once(references[...]) { _ in true } }
        return change
    }

    /// Brings in the objects that are in no context, and returns references to those that cannot be.
    private func refuse<Element: LiveModel>(_ added: [Element], to owner: any LiveModel, in domain: ObjectDomain) -> Set<Reference<Element>> {
        var refused: Set<Reference<Element>> = []
        for object in added where refused.isEmpty || !refused.contains(Reference(object)) {
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
