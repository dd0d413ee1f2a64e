extension ObjectContext {
    /// The object with this id; nil when there is none, or when it was deleted in this context.
    ///
    /// An object that the context has in memory is given without reading the store.
    ///
    /// - Throws: what ``ObjectStore/fetch(_:id:)`` throws.
    public func fetch<Object: LiveModel>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        let key = ObjectKey(ObjectIdentifier(type), id: id)
        guard mayLookUp(type) else { return try read { try $0.fetch(type, id: id) } }
        if let present = map.object(type, key) { return visible(present) }
        let loaded: [Object] = try load([key])
        return loaded.first
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    ///
    /// Those that the context has in memory are given without reading the store.
    ///
    /// - Throws: what ``ObjectStore/fetch(_:ids:)`` throws.
    public func fetch<Object: LiveModel>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        guard mayLookUp(type) else { return try read { try $0.fetch(type, ids: ids) } }
        let model = ObjectIdentifier(type)
        let keys = ids.map { ObjectKey(model, id: $0) }
        let present = map.objects(keys)
        let missing = keys.indices.filter { present[$0] == nil }
        let loaded: [Object] = missing.isEmpty ? [] : try load(missing.map { keys[$0] })
        // Mostly none was in memory, and all are stored.
        if loaded.count == keys.count { return loaded }
        var objects = domain.withLock { present.map { $0.flatMap { visible(unsafeDowncast($0, to: type)) } as AnyObject? } }
        if loaded.count == missing.count {
            // All are there, in the same order.
            for (position, object) in zip(missing, loaded) { objects[position] = object }
        } else {
            withExtendedLifetime(loaded) {
                for position in missing { objects[position] = map.object(type, keys[position]) }
            }
        }
        return [Object](found: objects)
    }

    /// The object with this id; nil when there is none, or when it was deleted in this context. One that is not in memory is read on a reader thread.
    public func fetch<Object: LiveModel>(_ type: Object.Type, id: Object.ID) async throws -> Object? {
        if mayLookUp(type), let present = loadedObject(type, id: id) { return visible(present) }
        return try await _onReader { try self.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids, read on a reader thread; an id without an object is left out.
    public func fetch<Object: LiveModel>(_ type: Object.Type, ids: some Sequence<Object.ID> & Sendable) async throws -> [Object] {
        try await _onReader { try self.fetch(type, ids: ids) }
    }

    /// The object with this id; nil when there is none.
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        try read { try $0.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        try read { try $0.fetch(type, ids: ids) }
    }

    /// The object with this id, read on a reader thread; nil when there is none.
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) async throws -> Object? { try await _onReader { try self.fetch(type, id: id) } }

    /// The objects with these ids, in the order of the ids, read on a reader thread; an id without an object is left out.
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID> & Sendable) async throws -> [Object] {
        try await _onReader { try self.fetch(type, ids: ids) }
    }

    /// The object with this id when the context has it in memory, deleted or not; nil otherwise. The store is not read.
    public func loadedObject<Object: LiveModel>(_ type: Object.Type, id: Object.ID) -> Object? {
        map.object(type, ObjectKey(ObjectIdentifier(type), id: id))
    }

    /// Whether an object is what a fetch by its id would give: it is unless a pending change may delete others with its save.
    private func mayLookUp(_ type: any LiveModel.Type) -> Bool {
        if activeTransaction != nil { return false }
        return domain.withLock { !state.mayDelete } || !pendingChangesConcern(type.schema.name)
    }

    private func visible<Object: LiveModel>(_ object: Object) -> Object? {
        domain.withLock {
            switch object.live.status {
            case .inserted, .clean, .changed: object
            case .detached, .deleted, .gone: nil
            }
        }
    }
}

extension Array where Element: LiveModel {
    /// The objects that there are. They come without their class, since code that is generic over it looks up types at run time
    /// for each object that it puts into an array.
    ///
    /// - Parameter objects: instances of the class.
    init(found objects: [AnyObject?]) {
        self.init(unsafeUninitializedCapacity: objects.count) { buffer, count in
            for case let object? in objects {
                (buffer.baseAddress! + count).initialize(to: unsafeDowncast(object, to: Element.self))
                count += 1
            }
        }
    }
}
