import Observation

// What the accessors of lazy properties are made of. `withStorage` calls its argument with the property's storage, and returns what that returns:
//
//     get { _$live.loaded(self, \.text, else: "") { $0(&_text) } }
extension _LiveObjectState {
    /// The way to the storage of a lazy property. Nothing else of the object may be used meanwhile.
    public typealias LazyAccess<Value: Sendable> = ((inout Lazy<Value>) -> Lazy<Value>) -> Lazy<Value>

    /// The value of a lazy property, read without the lock and kept. When it cannot be read, the given value stands in, and the context's
    /// ``ObjectContext/faultErrors`` have the error.
    public func loaded<Owner: _LiveObject, Value: Sendable>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, else absent: @autoclosure () -> Value, _ withStorage: LazyAccess<Value>
    ) -> Value {
        let access = beginReading(owner, property())
        let lazy = withStorage { $0 }
        access.end()
        if let value = lazy.box.known { return value }
        do {
            return try load(owner, withStorage)
        } catch {
            note(error, of: owner)
            return absent()
        }
    }

    /// Sets a lazy property.
    public func setLazily<Owner: _LiveObject, Value: Sendable>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int, to value: Lazy<Value>, _ withStorage: LazyAccess<Value>
    ) {
        let access = beginChanging(owner, property(), field: field)
        defer { access.end(owner, property()) }
        replace(with: value, withStorage)
    }

    /// Begins to change a lazy property in place. What could not be read is not changed: a part of it alone would take the place of the whole.
    public func beginLazyChange<Owner: _LiveObject, Value: Sendable>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int, else absent: @autoclosure () -> Value,
        _ withStorage: LazyAccess<Value>
    ) -> _LazyEdit<Value> {
        while true {
            if copy(lockedWith: withStorage).box.known == nil {
                do {
                    _ = try load(owner, withStorage)
                } catch {
                    note(error, of: owner)
                    return _LazyEdit(access: beginReading(owner, property()), value: absent(), isRefused: true)
                }
            }
            let access = beginChanging(owner, property(), field: field)
            if let value = withStorage({ $0 }).box.known { return _LazyEdit(access: access, value: value, isRefused: false) }
            // It was read anew meanwhile.
            access.end(owner, property())
        }
    }

    /// Ends a change in place.
    public func endLazyChange<Owner: _LiveObject, Value: Sendable>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, _ edit: inout _LazyEdit<Value>, to value: (Value) -> Lazy<Value>,
        _ withStorage: LazyAccess<Value>
    ) {
        edit.access.checkThread()
        if edit.isRefused { return edit.access.end() }
        defer { edit.access.end(owner, property()) }
        replace(with: value(edit.value), withStorage)
    }

    /// Reads the value of a lazy property, keeps it in the object and returns it.
    ///
    /// - Throws: ``TroveError/lazyValueGone(model:id:property:)`` when the object is deleted; what reading throws.
    public func load<Value: Sendable>(_ owner: any _LiveObject, _ withStorage: LazyAccess<Value>) throws -> Value {
        do {
            return try loadOnce(withStorage)
        } catch let gone as TroveError {
            // Somebody else has given the object another value since it was read.
            guard case .lazyValueGone = gone, let object = owner._$model, let context = withLock({ $0.host as? ObjectContext }) else { throw gone }
            do {
                try context.refresh(object)
                return try loadOnce(withStorage)
            } catch is TroveError {
                // Where the context cannot read the object anew, or its own changes keep it from that, this property alone is as it is stored now.
                let lazy = copy(lockedWith: withStorage)
                guard let annex = lazy.box.stored, let form = try context.storedForm(of: annex) else { throw gone }
                return try keep(lazy.box.taking(form, of: annex, from: ContextAnnexes(context)).loaded(), inPlaceOf: lazy, withStorage)
            }
        }
    }

    private func loadOnce<Value: Sendable>(_ withStorage: LazyAccess<Value>) throws -> Value {
        let lazy = copy(lockedWith: withStorage)
        return try keep(lazy.box.loaded(), inPlaceOf: lazy, withStorage)
    }

    private func keep<Value: Sendable>(_ box: LazyBox<Value>, inPlaceOf lazy: Lazy<Value>, _ withStorage: LazyAccess<Value>) throws -> Value {
        let domain = lock().takeUnretainedValue()
        defer { domain.lock.unlock() }
        // What was assigned meanwhile stays.
        if withStorage({ $0 }).box === lazy.box { replace(with: Lazy(box), withStorage) }
        return try box.value()
    }

    private func copy<Value: Sendable>(lockedWith withStorage: LazyAccess<Value>) -> Lazy<Value> {
        let domain = lock().takeUnretainedValue()
        defer { domain.lock.unlock() }
        return withStorage { $0 }
    }

    private func replace<Value: Sendable>(with value: Lazy<Value>, _ withStorage: LazyAccess<Value>) {
        _ = withStorage { storage in
            storage = value
            return value
        }
    }

    private func note(_ error: any Error, of owner: any _LiveObject) {
        let isTold = withLock { domain in
            guard let context = domain.host as? ObjectContext else { return false }
            context.noteFault(error)
            return true
        }
        if !isTold, let owner = owner._$model { MissingContext.report(error, of: owner) }
    }
}

/// A change in place of a lazy property, while it is made.
public struct _LazyEdit<Value: Sendable> {
    let access: _LiveAccess
    /// The value that the caller changes.
    public var value: Value
    /// Whether the value could not be read, so that the change is not kept.
    let isRefused: Bool
}
