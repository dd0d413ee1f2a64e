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
        guard path.names.isEmpty || Object.schema.fields.first(where: { $0.name == path.field })?.relationship == nil else {
            throw TroveError.unsupportedKeyPath(model: Object.schema.name, keyPath: property.shownInErrors)
        }
        return try domain.withLock {
            switch try original(of: object) {
            case .none: return nil
            case .present: return object[keyPath: property]
            case .image(let image):
                // One of its own, in no context: its values alone are asked for.
                let binding = try core.binding(for: Object.self)
                return try binding.withDecoder(image, key: RecordKey(object.contextKey.bytes), annexes: lazyValues(of: binding)) {
                    try Object(from: &$0)[keyPath: property]
                }
            }
        }
    }

    /// The objects of a relationship when its object was last read or saved. Those are left out that are deleted since, also in this context and not saved yet.
    ///
    /// - Throws: as ``originalValue(_:of:)-(KeyPath<Object,Value>,_)``; ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    public func originalValue<Object: LiveModel, Value: LiveRelationship>(_ property: KeyPath<Object, Value>, of object: Object) throws -> Value? {
        let image: [UInt8]? = try domain.withLock {
            switch try original(of: object) {
            case .none: return nil
            case .present: return []
            case .image(let image): return image
            }
        }
        guard let image else { return nil }
        // Objects are loaded without the lock.
        if image.isEmpty { return object[keyPath: property] }
        let name = try Object.path(property).field
        let record = try storedRecord(image, of: object)
        guard let field = Object.schema.fields.firstIndex(where: { $0.name == name }), let value = record[name] else {
            throw TroveError.unsupportedKeyPath(model: Object.schema.name, keyPath: property.shownInErrors)
        }
        let references = try Value.References(converting: value.converted(to: Value.References.fieldType))
        return Value._value(of: references, in: _RelationshipScope(object, field: field))
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
    ///   ``originalValue(_:of:)-(KeyPath<Object,Value>,_)``.
    public func revert<Object: LiveModel, Value>(_ property: ReferenceWritableKeyPath<Object, Value>, of object: Object) throws {
        try revert(property, of: object, to: originalValue(property, of: object))
    }

    /// Sets a relationship back to its objects when its object was last read or saved; see ``revert(_:of:)-(ReferenceWritableKeyPath<Object,Value>,_)``.
    public func revert<Object: LiveModel, Value: LiveRelationship>(
        _ property: ReferenceWritableKeyPath<Object, Value>, of object: Object
    ) throws {
        try revert(property, of: object, to: originalValue(property, of: object))
    }

    private func revert<Object: LiveModel, Value>(
        _ property: ReferenceWritableKeyPath<Object, Value>, of object: Object, to value: Value?
    ) throws {
        guard let value else {
            throw TroveError.contextMisuse(
                reason: "the \(Object.schema.name) \(object.id.shownInErrors) was inserted and not saved yet, so its properties had no value before; set them, or delete it")
        }
        if domain.withLock({ object.live.status != .clean }) { object[keyPath: property] = value }
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
