import Observation

// What the accessors that `@Model` writes are made of. A read is
//
//     let access = _$live.beginReading(self, \.title)
//     defer { access.end() }
//     return _title
//
// and inlined where the property is used, so that it costs little more than the lock.
extension _LiveObjectState {
    /// Begins to read a property.
    @inlinable @inline(__always)
    public func beginReading<Owner: _LiveObject, Value>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>
    ) -> _LiveAccess {
        let domain = lock()
        if domain._withUnsafeGuaranteedRef({ $0.isObservable }) { knownObservers.registrar.access(owner, keyPath: property()) }
        return _LiveAccess(domain, nil)
    }

    /// Begins to change a property; the object still has its former value.
    @inlinable @inline(__always)
    public func beginChanging<Owner: _LiveObject, Value>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>, field: Int
    ) -> _LiveAccess {
        var access = beginWriting(owner, property())
        access.domain._withUnsafeGuaranteedRef {
            markChanged(owner, field: field, in: $0)
            $0.changesUnderWay &+= 1
        }
        access.isCounted = true
        return access
    }

    /// Begins to change a property that is not stored: takes the lock, after those who observe the property were told that it will change: they run code of
    /// their own, which may wait for other threads.
    @inlinable @inline(__always)
    public func beginWriting<Owner: _LiveObject, Value>(
        _ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>
    ) -> _LiveAccess {
        let domain = lock()
        guard domain._withUnsafeGuaranteedRef({ $0.isObservable }), let observers else { return _LiveAccess(domain, nil) }
        domain._withUnsafeGuaranteedRef { $0.lock.unlock() }
        observers.registrar.willSet(owner, keyPath: property())
        return _LiveAccess(lock(), observers)
    }

    /// Notes that a field is about to change. The lock is held.
    @inlinable @inline(__always)
    func markChanged(_ owner: some _LiveObject, field: Int, in domain: ObjectDomain) {
        if (edits?.notedEpoch ?? 0) != domain.epoch { tellHost(of: owner, field: field, in: domain) }
        edits?.fields.insert(field)
        changeCount &+= 1
        domain.changesLeft &-= 1
        if domain.changesLeft == 0 { domain.tellLimit() }
    }

    @usableFromInline func tellHost(of owner: any _LiveObject, field: Int, in domain: ObjectDomain) {
        // An object of an abstract model is in no context.
        guard let owner = owner._$model else { return }
        if let host = domain.host {
            host.willChange(owner, field: field)
        } else if domain !== ObjectDomain.detached {
            MissingContext.report("a property was changed", of: owner)
        }
        // Each change that is lost is told.
        if !isLost { noteEpoch(domain.epoch) }
    }

    /// Those who observe an object that can be, known from its first read on. The lock is held.
    @usableFromInline var knownObservers: ObjectObservers {
        if let observers { return observers }
        let new = ObjectObservers()
        observers = new
        return new
    }
}
