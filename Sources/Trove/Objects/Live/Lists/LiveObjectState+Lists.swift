extension LiveObjectState {
    /// Begins to change a list in place.
    public func beginRelating<Owner: LiveModel, Element>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, ObjectList<Element>>, field: Int,
        _ withStorage: StorageAccess<ObjectList<Element>>
    ) -> ListEdit<Element> {
        let access = beginWriting(owner, property())
        let domain = access.domain.takeUnretainedValue()
        var list = ObjectList<Element>()
        if domain !== ObjectDomain.detached {
            // The host may look at the former references.
            markChanged(owner, field: field, in: domain)
            list.scope = RelationshipScope(owner, field: field)
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
        return ListEdit(access: access, value: list)
    }

    /// Ends a change in place.
    public func endRelating<Owner: LiveModel, Element>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, ObjectList<Element>>, field: Int, _ edit: inout ListEdit<Element>,
        _ withStorage: StorageAccess<ObjectList<Element>>
    ) {
        edit.access.checkThread()
        defer { edit.access.end(owner, property()) }
        let domain = edit.access.domain.takeUnretainedValue()
        if domain === ObjectDomain.detached {
            withStorage { $0.held = ObjectList._kept(edit.value) }
            return
        }
        // Another list was assigned to it when it has no changes; what it took the place of, the next save finds out.
        let added = edit.value.changes?.added ?? Array(edit.value.held.values)
        let refused = refuse(added, in: domain)
        if !refused.isEmpty { edit.value.references.removeAll { refused.contains($0) } }
        var removed = edit.value.changes?.removed ?? []
        if !removed.isEmpty { removed.subtract(edit.value.references) }
        withStorage { swap(&$0.references, &edit.value.references) }
        guard let side = domain.inverse(of: field, in: Owner.self) else { return }
        let references = added.map { Reference($0) }.filter { !refused.contains($0) }
        domain.connect(owner.reference, side, removed: removed.map { AnyReference($0) }, added: references.map { AnyReference($0) })
    }

    /// Brings in the objects that are in no context, and returns references to those that cannot be.
    private func refuse<Element: LiveModel>(_ added: [Element], in domain: ObjectDomain) -> Set<Reference<Element>> {
        var refused: Set<Reference<Element>> = []
        for object in added {
            do {
                try domain.admit([object])
            } catch {
                domain.host?.refuse(error)
                refused.insert(Reference(object))
            }
        }
        return refused
    }
}
