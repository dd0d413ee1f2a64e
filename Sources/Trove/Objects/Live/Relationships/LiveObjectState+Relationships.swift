import Observation

// What the accessors of relationships are made of. `withStorage` calls its argument with the property's storage:
//
//     get { _$live.related(self, \.album, field: 1) { $0(&_album) } }
//     set { _$live.relate(self, \.album, field: 1, to: newValue) { $0(&_album) } }
extension _LiveObjectState {
    /// The way to the storage of a relationship. Nothing else of the object may be used meanwhile.
    public typealias StorageAccess<Value: LiveRelationship> = ((inout _RelationshipStorage<Value>) -> Void) -> Void

    /// The objects that a relationship points at.
    @inlinable
    public func related<Owner: _LiveObject, Value: LiveRelationship>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int, _ withStorage: StorageAccess<Value>
    ) -> Value {
        let access = beginReading(owner, property())
        let storage = copy(withStorage)
        access.end()
        // Without the lock, as objects may have to be loaded.
        return value(of: storage, owner, field)
    }

    /// Sets the objects of a relationship, and keeps its inverse in step.
    @inlinable
    public func relate<Owner: _LiveObject, Value: LiveRelationship>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int, to value: Value, _ withStorage: StorageAccess<Value>
    ) {
        let access = beginWriting(owner, property())
        defer { access.end(owner, property()) }
        let domain = access.domain.takeUnretainedValue()
        if domain === ObjectDomain.detached {
            withStorage { $0 = _RelationshipStorage(value) }
        } else {
            replace(copy(withStorage).references, with: Value._references(to: value), owner, field, adding: value, in: domain, withStorage)
        }
    }

    /// Begins to change a relationship in place.
    @inlinable
    public func beginRelating<Owner: _LiveObject, Value: LiveRelationship>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int, _ withStorage: StorageAccess<Value>
    ) -> _RelationshipEdit<Value> {
        let access = beginWriting(owner, property())
        let domain = access.domain.takeUnretainedValue()
        if domain === ObjectDomain.detached {
            // Held objects are taken out, so that a collection of them is changed in place.
            var held: Value?
            withStorage { swap(&$0.held, &held) }
            if let held { return _RelationshipEdit(access: access, value: held, shown: nil) }
            // Of what it has references to it has no objects; they stay beside what is added.
            let nothing = Value._value(of: Value._noReferences, in: _RelationshipScope(owner, field: field))
            return _RelationshipEdit(access: access, value: nothing, shown: Value._noReferences)
        }
        let value = value(of: copy(withStorage), owner, field)
        return _RelationshipEdit(access: access, value: value, shown: Value._references(to: value))
    }

    /// Ends a change in place.
    @inlinable
    public func endRelating<Owner: _LiveObject, Value: LiveRelationship>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int, _ edit: inout _RelationshipEdit<Value>,
        _ withStorage: StorageAccess<Value>
    ) {
        edit.access.checkThread()
        defer { edit.access.end(owner, property()) }
        let domain = edit.access.domain.takeUnretainedValue()
        if domain === ObjectDomain.detached {
            if edit.shown != nil, Value._isEmpty(edit.value) {
                // Nothing was added: what was to be changed are objects that it does not have.
                if !copy(withStorage).targets.isEmpty { reportUnreadable(owner) }
            } else {
                withStorage { $0.held = Value._kept(edit.value) }
            }
        } else if let shown = edit.shown {
            let old = copy(withStorage).references
            // What the store no longer has was not shown, and so was not taken out either.
            let new = Value._keeping(old, notIn: shown, beside: Value._references(to: edit.value))
            replace(old, with: new, owner, field, adding: edit.value, in: domain, withStorage)
        }
    }

    @usableFromInline func reportUnreadable(_ owner: some _LiveObject) {
        if let owner = owner._$model { MissingContext.reportNone(of: owner) }
    }

    @inlinable
    func copy<Value: LiveRelationship>(_ withStorage: StorageAccess<Value>) -> _RelationshipStorage<Value> {
        var copy = _RelationshipStorage<Value>()
        withStorage { copy = $0 }
        return copy
    }

    @inlinable
    func value<Value: LiveRelationship>(
        of storage: _RelationshipStorage<Value>, _ owner: some _LiveObject, _ field: Int
    ) -> Value {
        storage.held ?? Value._value(of: storage.references, in: _RelationshipScope(owner, field: field))
    }

    /// Replaces the references of an object in a context.
    @inlinable
    func replace<Owner: _LiveObject, Value: LiveRelationship>(
        _ old: Value.References, with new: Value.References, _ owner: Owner, _ field: Int, adding value: Value, in domain: ObjectDomain,
        _ withStorage: StorageAccess<Value>
    ) {
        // What it points at already may have been deleted since, or have left the context.
        let isSame = old == new
        if isSame, isLost || !Value._hasObject(in: value, where: { !domain.has($0) }) { return }
        guard let owner = owner._$model else { return }
        // What it would point at would point back at nothing.
        if isLost { return tellHost(of: owner, field: field, in: domain) }
        let returning = isSame ? Value._objects(in: value).filter { !domain.has($0) }.map { Reference($0) } : []
        do {
            if let origin = Value._origin(of: value) { try domain.check(origin) }
            try domain.admit(Value._objects(in: value), to: owner)
        } catch {
            domain.tellRefusal(error)
            return
        }
        markChanged(owner, field: field, in: domain)
        withStorage { $0 = _RelationshipStorage(references: new) }
        let model = type(of: owner)
        let (side, owns) = (domain.inverse(of: field, in: model), ObjectDomain.owns(field, in: model) && !isAway)
        guard side != nil || owns else { return }
        var change = TargetChange(from: Value._elements(of: old), to: Value._elements(of: new))
        change.added.append(contentsOf: returning)
        tellOthers(of: change, of: owner, field, side, owns: owns, in: domain)
    }

    /// Tells the host what a relationship that owns objects has let go of, and the other sides what it points at now.
    @inlinable
    func tellOthers<Target: LiveModel>(
        of change: TargetChange<Target>, of owner: some LiveModel, _ field: Int, _ side: InverseField?, owns: Bool, in domain: ObjectDomain
    ) {
        let model = type(of: owner)
        if owns { domain.tellRelease(of: change.removed.map { AnyReference($0) }, by: field, in: model) }
        // Another object may have the place of one that has left the context.
        guard let side, !isAway || domain.presentObject(model, owner.id.keyBytes) == nil else { return }
        domain.connect(
            owner.reference, side, removed: change.removed.map { AnyReference($0) }, added: isAway ? [] : change.added.map { AnyReference($0) })
    }
}

/// A change in place of a relationship, while it is made.
public struct _RelationshipEdit<Value: LiveRelationship> {
    @usableFromInline let access: _LiveAccess
    /// The objects that the caller changes.
    public var value: Value
    /// References to the objects at the beginning, as far as they could be shown; nil where they were held.
    @usableFromInline let shown: Value.References?

    @inlinable init(access: _LiveAccess, value: Value, shown: Value.References?) {
        self.access = access
        self.value = value
        self.shown = shown
    }
}
