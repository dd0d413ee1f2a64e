import Synchronization

/// An ordered group of objects of any models and documents of any collections, with or without a name.
///
/// ```swift
/// let bag = Bag(named: "to play tonight", in: store)
/// bag.add(song)
/// bag.add(album)
/// try bag.save()
///
/// if let bag = try store.bag(named: "to play tonight") {
///     let songs = try bag.objects(of: Song.self)                     // in the bag's order
///     let old = try bag.fetch(Song.self).where { $0.year < 1960 }.all()
/// }
/// ```
///
/// A bag has each object once, in the order in which they were added or put. It does not own them: deleting a bag leaves its members in the store, an
/// object may be in any number of bags, and when a member is deleted, the bags that have it lose it in the same transaction.
/// Membership is no reference either: it does not keep an object from being deleted, and is not among what ``ObjectSource/referencing(_:)`` finds.
///
/// What is said of objects holds for documents too, which are members by the name of their collection: ``add(_:in:)``, ``documents(_:)``.
///
/// Changes are made in memory and stored by ``save(durability:)``. When others have changed the stored bag meanwhile, the changes are merged: what
/// either added is in it, what either removed is not. Names are unique.
///
/// A `Bag` may be used from any thread. Two of one stored bag are independent of each other until they are saved, and read again
/// by ``refresh(keepingChanges:)``.
/// `docs/bags.md` tells more.
public final class Bag: Sendable, Identifiable {
    /// The id of the bag.
    public let id: ObjectID
    let home: any BagHome
    private let state: Mutex<BagState>

    /// Creates a bag that is not stored yet.
    ///
    /// - Parameters:
    ///   - name: how it can be found again; saving it throws ``TroveError/bagNameTaken(name:)`` when another bag has the name.
    ///   - id: the bag's id. Give one to a bag that is to have the same id each time, as one that an import brings. When a bag with this id is stored
    ///     by the time of the save, the members are added to that one, which keeps its name unless this one has a name.
    ///   - store: where it is to be saved.
    public convenience init(named name: String? = nil, id: ObjectID = ObjectID(), in store: ObjectStore) {
        self.init(id: id, BagState(name: name), store)
    }

    /// Creates a bag of a context's objects that is not stored yet.
    ///
    /// Its members of live classes are the context's objects, with the context's pending changes. Saving it saves the context too, in the same transaction.
    ///
    /// - Parameters:
    ///   - name: how it can be found again; saving it throws ``TroveError/bagNameTaken(name:)`` when another bag has the name.
    ///   - id: the bag's id. When a bag with this id is stored by the time of the save, the members are added to that one.
    ///   - context: where it is to be saved.
    public convenience init(named name: String? = nil, id: ObjectID = ObjectID(), in context: ObjectContext) {
        self.init(id: id, BagState(name: name), context)
    }

    init(id: ObjectID, _ state: BagState, _ home: any BagHome) {
        self.id = id
        self.home = home
        self.state = Mutex(state)
    }

    /// Reads or changes what the bag holds. `body` must not use the store, nor the properties of objects.
    func withState<Result>(_ body: (inout sending BagState) -> sending Result) -> sending Result {
        var released: [any Sendable] = []
        defer { withExtendedLifetime(released) {} }
        return state.withLock { state in
            defer { released = state.takeReleased() }
            return body(&state)
        }
    }

    /// The bag's name; nil when it has none. A new one is stored by the next save.
    public var name: String? {
        get { withState { $0.current.name } }
        set { withState { $0.rename(newValue) } }
    }

    // MARK: Members

    /// The members in their order, saved or not.
    public var members: [AnyReference] { withState { $0.current.members.elements } }

    /// The number of members, saved or not. Those that were deleted by others are among them until the bag is saved or read again.
    public var count: Int { withState { $0.current.members.count } }

    /// Whether there are no members.
    public var isEmpty: Bool { count == 0 }

    /// Whether an object is a member, saved or not. A document, which does not tell its collection, is looked for in all of them; see ``contains(_:in:)``.
    ///
    /// - Complexity: O(1) on average; O(*n*) for a document.
    public func contains(_ object: some Model) -> Bool {
        if let document = object as? Document { return !members(of: document).isEmpty }
        return contains(AnyReference(object))
    }

    /// Whether the object of a reference is a member, saved or not.
    public func contains<Target: Model>(_ reference: Reference<Target>) -> Bool { contains(AnyReference(reference)) }

    /// Whether the object of a reference is a member, saved or not.
    public func contains(_ reference: AnyReference) -> Bool { withState { $0.current.members.contains(reference) } }

    // MARK: Unsaved changes

    /// Whether the bag was saved or read from the store.
    public var isStored: Bool { withState { $0.saved != nil } }

    /// Whether ``save(durability:)`` would store something; true for a bag that was never saved.
    public var hasUnsavedChanges: Bool { withState { $0.hasChanges } }

    /// The number of saved members.
    public var savedCount: Int { withState { $0.current.members.count - $0.unsaved.count } }

    /// The number of members that were added and not saved.
    public var unsavedCount: Int { withState { $0.unsaved.count } }

    /// The number of members that were removed but are still in the stored bag.
    public var removedCount: Int { withState { $0.removed.count } }

    /// The members that were added and not saved, in the bag's order.
    public var unsavedMembers: [AnyReference] {
        withState { state in state.current.members.elements.filter { state.unsaved.contains($0) } }
    }

    /// The saved members that were removed, in their former order.
    public var removedMembers: [AnyReference] {
        withState { state in state.base.members.elements.filter { state.removed.contains($0) } }
    }
}

extension Bag: CustomStringConvertible {
    public var description: String { "bag \(name.map { "'\($0)'" } ?? id.description) of \(count)" }
}
