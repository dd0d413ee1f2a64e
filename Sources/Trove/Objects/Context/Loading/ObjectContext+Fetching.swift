extension ObjectContext {
    /// The object with this id; nil when there is none, or when it is deleted in this context.
    ///
    /// An object that the context has in memory is given without reading the store.
    public func fetch<Object: LiveModel>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        let key = ObjectKey(ObjectIdentifier(type), id.keyBytes)
        if mayLookUp, let present = map.object(key) { return visible(unsafeDowncast(present, to: type)) }
        // Pending changes change no record of an object that is not in memory but by what a save deletes.
        return try read(includingPendingChanges: !mayLookUp) { try $0.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids; ids without an object are left out.
    ///
    /// Those that the context has in memory are given without reading the store.
    public func fetch<Object: LiveModel>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        guard mayLookUp else { return try read { try $0.fetch(type, ids: ids) } }
        let model = ObjectIdentifier(type)
        var objects: [Object?] = []
        var missing: [(position: Int, id: Object.ID)] = []
        for id in ids {
            if let present = map.object(ObjectKey(model, id.keyBytes)) {
                objects.append(visible(unsafeDowncast(present, to: type)))
            } else {
                missing.append((objects.count, id))
                objects.append(nil)
            }
        }
        if !missing.isEmpty {
            let found = try read(includingPendingChanges: false) { try $0.fetch(type, ids: missing.map(\.id)) }
            let byID = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            for (position, id) in missing { objects[position] = byID[id] }
        }
        return objects.compactMap(\.self)
    }

    /// The object with this id; nil when there is none.
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        try read { try $0.fetch(type, id: id) }
    }

    /// The objects with these ids, in the order of the ids; ids without an object are left out.
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        try read { try $0.fetch(type, ids: ids) }
    }

    /// The object with this id when the context has it in memory, deleted or not; nil otherwise. The store is not read.
    public func loadedObject<Object: LiveModel>(_ type: Object.Type, id: Object.ID) -> Object? {
        map.object(ObjectKey(ObjectIdentifier(type), id.keyBytes)).map { unsafeDowncast($0, to: type) }
    }

    /// Whether an object is what a fetch by its id would give: it is unless a pending change may delete others with its save.
    private var mayLookUp: Bool {
        if activeTransaction != nil { return false }
        return domain.withLock { !state.mayDelete }
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
