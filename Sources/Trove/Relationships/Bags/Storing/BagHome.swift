/// Where a bag is saved and its members come from.
protocol BagHome: Sendable {
    /// The store that has the bag.
    var store: ObjectStore { get }

    /// Runs `body` on one consistent view, from which objects are read.
    func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result

    /// Called before a bag is saved with objects that may not be stored.
    func prepareToSave(_ objects: [any Model]) throws
}

extension ObjectStore: BagHome {
    var store: ObjectStore { self }

    func prepareToSave(_ objects: [any Model]) throws {}
}

extension ReadTransaction {
    /// What bags that are read in this transaction belong to.
    ///
    /// - Throws: ``TroveError/closed(path:)`` when the store is gone.
    var bagHome: any BagHome {
        get throws {
            guard let store = core.owner.store else { throw TroveError.closed(path: core.backend.path) }
            return store
        }
    }
}
