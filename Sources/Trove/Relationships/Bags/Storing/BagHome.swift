/// Where a bag is saved and its members come from: a store, or a context.
protocol BagHome: Sendable {
    /// The store that has the bag.
    var store: ObjectStore { get }

    /// Runs `body` on one consistent view, from which objects are read.
    func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result

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
        for case let object as any LiveModel in bag.unsavedObjects where object._$live.withLock({ _ in object._$live.status == .detached }) {
            try insert(object)
        }
        try save(durability) { try $0.saveChanges(of: bag) }
    }

    func save(_ bag: Bag, _ durability: Durability?) async throws {
        try await store.readPool.run { try self.save(bag, durability) }
    }
}

extension ReadTransaction {
    /// What bags that are read in this transaction belong to.
    ///
    /// - Throws: ``TroveError/closed(path:)`` when the store is gone.
    var bagHome: any BagHome {
        get throws {
            if let reading { return reading.context }
            guard let store = core.owner.store else { throw TroveError.closed(path: core.backend.path) }
            return store
        }
    }
}
