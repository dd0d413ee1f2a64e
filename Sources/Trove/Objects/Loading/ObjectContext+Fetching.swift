extension ObjectContext {
    /// The object with this id; nil when there is none, or when it was deleted in this context.
    ///
    /// An object that the context has in memory is given without reading the store.
    public func fetch<Object: LiveModel>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        let key = ObjectKey(ObjectIdentifier(type), id.keyBytes)
        guard mayLookUp(type) else { return try read { try $0.fetch(type, id: id) } }
        if let present = map.object(type, key) { return visible(present) }
        let loaded: [Object] = try load([key])
        return loaded.first
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    ///
    /// Those that the context has in memory are given without reading the store.
    public func fetch<Object: LiveModel>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        guard mayLookUp(type) else { return try read { try $0.fetch(type, ids: ids) } }
        let model = ObjectIdentifier(type)
        var objects: [Object?] = []
        var missing: [(position: Int, key: ObjectKey)] = []
        for id in ids {
            let key = ObjectKey(model, id.keyBytes)
            if let present = map.object(type, key) {
                objects.append(visible(present))
            } else {
                missing.append((objects.count, key))
                objects.append(nil)
            }
        }
        if !missing.isEmpty {
            let loaded: [Object] = try load(missing.map { $0.key })
            if loaded.count == missing.count {
                // All are there, in the same order.
                for number in loaded.indices { objects[missing[number].position] = loaded[number] }
            } else {
                withExtendedLifetime(loaded) {
                    for (position, key) in missing { objects[position] = map.object(type, key) }
                }
            }
        }
        return objects.compactMap(\.self)
    }

    /// The object with this id; nil when there is none.
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        try read { try $0.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids; an id without an object is left out.
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        try read { try $0.fetch(type, ids: ids) }
    }

    /// The object with this id when the context has it in memory, deleted or not; nil otherwise. The store is not read.
    public func loadedObject<Object: LiveModel>(_ type: Object.Type, id: Object.ID) -> Object? {
        map.object(type, ObjectKey(ObjectIdentifier(type), id.keyBytes))
    }

    /// Whether an object is what a fetch by its id would give: it is unless a pending change may delete others with its save.
    private func mayLookUp(_ type: any LiveModel.Type) -> Bool {
        if activeTransaction != nil { return false }
        return domain.withLock { !state.mayDelete } || !pendingChangesConcern(type.schema.name)
    }

    private func visible<Object: LiveModel>(_ object: Object) -> Object? {
        domain.withLock {
            switch object._$live.status {
            case .inserted, .clean, .changed: object
            case .detached, .deleted, .gone: nil
            }
        }
    }
}
