extension ObjectContext {
    /// The value of a property when its object was last read or saved.
    ///
    /// ```swift
    /// if try context.originalValue(\.title, of: song) != song.title { markAsEdited() }
    /// ```
    ///
    /// It is the present value where nothing was changed since, and nil for an object that was inserted and not saved yet.
    ///
    /// - Throws: ``TroveError/notInContext(model:id:)``; ``TroveError/unsupportedKeyPath(model:keyPath:)`` of what is not stored in the object: a computed
    ///   property, or one of another object that it refers to; ``TroveError/contextMisuse(reason:)`` while a property of the object is being changed in place,
    ///   and when what it was could not be kept, which `onError` was told.
    public func originalValue<Object: LiveModel, Value>(_ property: KeyPath<Object, Value>, of object: Object) throws -> Value? {
        let path = try Object.path(property)
        guard path.isOfWholeField || Object.schema.fields.first(where: { $0.name == path.field })?.relationship == nil else {
            throw TroveError.unsupportedKeyPath(model: Object.schema.name, keyPath: property.shownInErrors)
        }
        return try domain.withLock {
            switch try original(of: object) {
            case .none: return nil
            case .present: return object[keyPath: property]
            case .image(let image):
                // One of its own, in no context: its values alone are asked for.
                let binding = try core.binding(for: Object.self)
                return try binding.withDecoder(image, key: RecordKey(key(of: object).bytes), annexes: lazyValues(of: binding)) {
                    try Object(from: &$0)[keyPath: property]
                }
            }
        }
    }

    /// The objects of a relationship when its object was last read or saved. Those are left out that are deleted since, also in this context and not saved yet.
    ///
    /// - Throws: as ``originalValue(_:of:)``; ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    public func originalValue<Object: LiveModel, Value: LiveRelationship>(_ property: KeyPath<Object, Value>, of object: Object) throws -> Value? {
        switch try domain.withLock({ try original(of: object) }) {
        case .none: return nil
        // Objects are loaded without the lock.
        case .present: return object[keyPath: property]
        case .image(let image):
            let (references, scope) = try references(property, of: object, in: image)
            return Value._value(of: references, in: scope)
        }
    }

    /// What a relationship pointed at in a record of its object.
    private func references<Object: LiveModel, Value: LiveRelationship>(
        _ property: KeyPath<Object, Value>, of object: Object, in image: [UInt8]
    ) throws -> (Value.References, _RelationshipScope) {
        let name = try Object.path(property).field
        let record = try storedRecord(image, of: object)
        guard let field = Object.schema.fields.firstIndex(where: { $0.name == name }), let value = record[name] else {
            throw TroveError.unsupportedKeyPath(model: Object.schema.name, keyPath: property.shownInErrors)
        }
        return (try Value.References(converting: value.converted(to: Value.References.fieldType)), _RelationshipScope(object, field: field))
    }

    /// Sets a property back to its value when the object was last read or saved; other changes of the object stay.
    ///
    /// ```swift
    /// try context.revert(\.title, of: song)
    /// ```
    ///
    /// It is a change like any other: the other side of a relationship follows, and it can be undone.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` for an object that was inserted and not saved yet, whose properties had no value before; otherwise as
    ///   ``originalValue(_:of:)``.
    public func revert<Object: LiveModel, Value>(_ property: ReferenceWritableKeyPath<Object, Value>, of object: Object) throws {
        guard let value = try originalValue(property, of: object) else { throw hasNoOriginal(object) }
        if domain.withLock({ object.live.status != .clean }) { object[keyPath: property] = value }
    }

    /// Sets a relationship back to its objects when its object was last read or saved; see ``revert(_:of:)-(ReferenceWritableKeyPath<Object,Value>,_)``.
    ///
    /// Those are left out that this context has deleted since. An ``ObjectList`` gets its references back, and nothing is loaded.
    ///
    /// - Throws: as that, ``TroveError/danglingReference(model:id:)`` when one of them is no longer stored, as far as this
    ///   context knows, and what reading throws; then nothing is changed.
    public func revert<Object: LiveModel, Value: LiveRelationship>(
        _ property: ReferenceWritableKeyPath<Object, Value>, of object: Object
    ) throws {
        switch try domain.withLock({ try original(of: object) }) {
        case .none: throw hasNoOriginal(object)
        case .present: return
        case .image(let image):
            let (references, scope) = try references(property, of: object, in: image)
            // A list has references alone. Of the others what cannot be loaded would be left out.
            let objects = Value.self == ObjectList<Value.Target>.self ? [] : try loadAll(Value._elements(of: references))
            withExtendedLifetime(objects) { object[keyPath: property] = Value._value(of: references, in: scope) }
        }
    }

    private func hasNoOriginal<Object: LiveModel>(_ object: Object) -> TroveError {
        let reason = "was inserted and not saved yet, so its properties had no value before; set them, or delete it"
        return .contextMisuse(reason: "the \(Object.schema.name) \(object.id.shownInErrors) \(reason)")
    }

    /// What an object was when it was read or saved last.
    private enum Original {
        /// It was not stored.
        case none
        /// What it is.
        case present
        case image([UInt8])
    }

    private func original<Object: LiveModel>(of object: Object) throws -> Original {
        let live = object.live
        guard live.domain === domain, !live.isLost, live.status != .detached else { throw object.isNotInContext }
        try checkNoChangeUnderWay()
        if live.status == .inserted { return .none }
        if let image = live.image { return .image(image) }
        if live.status == .changed {
            throw TroveError.contextMisuse(
                reason: "the state of the \(Object.schema.name) \(object.id.shownInErrors) before its changes could not be kept, see onError; refresh it from the store")
        }
        return .present
    }
}

extension _LiveObject {
    /// The context of the object; nil when it is in none, or when the context is gone.
    ///
    /// ```swift
    /// try song.modelContext?.save()
    /// ```
    ///
    /// Its store is ``ObjectContext/store``.
    public var modelContext: ObjectContext? {
        live.withLock { domain in live.isLost || live.status == .detached ? nil : domain.host as? ObjectContext }
    }
}
