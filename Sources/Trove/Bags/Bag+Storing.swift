extension Bag {
    // MARK: Saving

    /// Stores the bag, and the unsaved objects that were added to it, all or nothing.
    ///
    /// What others changed in the stored bag since it was read is kept: see ``Bag``. Afterwards this bag has the changes of both. When a save fails, the
    /// bag keeps its changes.
    ///
    /// A bag that was got from, or made in, an ``ObjectContext`` takes live objects that are not stored into it, and saves its pending changes in the same
    /// transaction. When that fails, they leave the context again; with undo they stay in it, as a step to undo. Those that are added while the save is under
    /// way wait for the next one.
    /// Members of the context that are deleted by then, by whomever, are left out, and a stored object takes the place of a new one that has become it; see
    /// ``ContextOptions/uniqueConflicts``.
    ///
    /// - Throws: ``TroveError/bagNameTaken(name:)``; ``TroveError/bagDeleted(name:id:)`` when the bag was stored and is no longer;
    ///   ``TroveError/danglingReference(model:id:)`` when a member was added as a reference and is not stored; ``TroveError/invalidCollection(name:reason:)``
    ///   when a document was added without the name of its collection, or a model has that name; what storing an object throws, and in a context what saving it
    ///   throws; ``TroveError/contextMisuse(reason:)`` when a bag of the store has an object that is new in a context.
    public func save(durability: Durability? = nil) throws {
        try home.save(self, durability)
    }

    /// Stores the bag, and the unsaved objects that were added to it, all or nothing.
    public func save(durability: Durability? = nil) async throws {
        try await home.save(self, durability)
    }

    /// The live objects that were added and may not be stored, in the bag's order.
    var unsavedLiveObjects: [(member: AnyReference, object: any LiveModel)] {
        let state = withState { $0 }
        return state.current.members.elements.compactMap { member in
            guard state.unsaved.contains(member), let object = state.additions[member]?.object as? any LiveModel else { return nil }
            return (member, object)
        }
    }

    // MARK: Reloading

    /// Reads the bag again. An inflated one is inflated anew too.
    ///
    /// - Parameter keepingChanges: whether unsaved changes are merged with what is stored, or dropped.
    /// - Throws: ``TroveError/bagDeleted(name:id:)`` when the bag was stored and is no longer. For one that was never saved nothing is read.
    public func refresh(keepingChanges: Bool = true) throws {
        guard isStored else { return keepingChanges ? () : undo() }
        while try !reloadOnce(keepingChanges) {}
    }

    /// Reads the bag anew, unless it is saved meanwhile; returns whether it was read.
    private func reloadOnce(_ keepsChanges: Bool) throws -> Bool {
        let finished = withState { $0.lastFinished }
        return try home.read { transaction in
            guard let stored = try transaction.fetch(StoredBag.self, id: id) else { throw isDeleted }
            let (isRead, isInflated) = withState { state in
                (state.reload(stored, keepingChanges: keepsChanges, since: finished), state.objects != nil)
            }
            if isRead, isInflated { try inflate(transaction) }
            return isRead
        }
    }

    /// Reads the bag again, on a reader thread. An inflated one is inflated anew too.
    public func refresh(keepingChanges: Bool = true) async throws {
        try await home.store.readPool.run { try self.refresh(keepingChanges: keepingChanges) }
    }

    var isDeleted: TroveError { .bagDeleted(name: name, id: id.description) }

    // MARK: Deleting

    /// Deletes the stored bag; its members stay in the store. Returns whether it was stored.
    ///
    /// In memory the bag stays as it is, but can no longer be saved.
    @discardableResult
    public func delete(durability: Durability? = nil) throws -> Bool {
        try home.store.write(durability) { try $0.deleteBag(id: id) }
    }

    /// Deletes the stored bag; its members stay in the store. Returns whether it was stored.
    @discardableResult
    public func delete(durability: Durability? = nil) async throws -> Bool {
        let id = id
        return try await home.store.write(durability) { try $0.deleteBag(id: id) }
    }
}

/// Where a bag is saved and its members come from: a store, or a context.
protocol BagHome: AsyncObjectSource {
    /// The store that has the bag.
    var store: ObjectStore { get }

    /// Stores a bag's changes.
    func save(_ bag: Bag, _ durability: Durability?) throws

    /// Stores a bag's changes, without blocking the task's thread.
    func save(_ bag: Bag, _ durability: Durability?) async throws
}

extension ObjectStore: BagHome {
    var store: ObjectStore { self }

    func save(_ bag: Bag, _ durability: Durability?) throws {
        try write(durability) { try $0.saveChanges(of: bag) }
    }

    func save(_ bag: Bag, _ durability: Durability?) async throws {
        try await write(durability) { try $0.saveChanges(of: bag) }
    }
}

extension ObjectContext: BagHome {
    func save(_ bag: Bag, _ durability: Durability?) throws {
        let own = OwnChanges()
        try save(durability, with: { try $0.saveChanges(of: bag, own) }, own: own) { try insertNewMembers(of: bag, own) }
    }

    func save(_ bag: Bag, _ durability: Durability?) async throws {
        let own = OwnChanges()
        try await save(durability, with: { try $0.saveChanges(of: bag, own) }, own: own) { try self.insertNewMembers(of: bag, own) }
    }

    /// Inserts the bag's new objects, with those they hold.
    private func insertNewMembers(of bag: Bag, _ own: OwnChanges) throws {
        // In the bag's order: so the other sides of their relationships get them, too.
        let new = bag.unsavedLiveObjects
        own.content.withLock { $0.newMembers = Set(new.map { $0.member }) }
        // Without the context's lock, since one of another context has that one's.
        let outside = new.filter { new in new.object.live.withLock { _ in new.object.live.status == .detached } }
        // What a store has given is in no context and stored, so it is a member as it is. The id of a pending deletion is refused.
        let stored = try storedMembers(among: outside)
        let members = outside.filter { !stored.contains($0.member) || isToBeDeleted($0.member, $0.object) }.map { $0.object }
        if !members.isEmpty { try insert(members, noting: own) }
    }

    /// Those that a store has given, or this context had before it was reset, and that are stored. For others nothing is read, which may wait for a writer.
    private func storedMembers(among new: [(member: AnyReference, object: any LiveModel)]) throws -> Set<AnyReference> {
        let known = new.filter { new in new.object.live.withLock { _ in new.object.live.isOfRecord || new.object.live.isForgotten } }
        if known.isEmpty { return [] }
        return try read(includingPendingChanges: false) { transaction in Set(try known.map { $0.member }.filter { try transaction.isStored($0) }) }
    }

    private func isToBeDeleted(_ member: AnyReference, _ object: any LiveModel) -> Bool {
        domain.withLock { map.peek(ObjectKey(ObjectIdentifier(type(of: object)), member.keyBytes))?.live.status == .deleted }
    }
}

extension ReadTransaction {
    /// What bags that are read in this transaction belong to.
    ///
    /// - Throws: ``TroveError/closed(path:)`` when the store is gone.
    var bagHome: any BagHome {
        get throws {
            if let reading = contextReading { return reading.context }
            guard let store = core.owner.store else { throw TroveError.closed(path: core.backend.path) }
            return store
        }
    }
}
