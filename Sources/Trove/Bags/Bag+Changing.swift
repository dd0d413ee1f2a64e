extension Bag {
    // MARK: Adding

    /// Adds an object at the end, unless it is a member already. Returns whether it was not one.
    ///
    /// The object need not be stored: saving the bag stores it too if it is not by then. An object that is stored is left as it is stored,
    /// so changes of it are saved by saving the object.
    @discardableResult
    public func add(_ object: some Model) -> Bool { add(AnyReference(object), object) }

    /// Adds the object of a reference at the end, unless it is a member already. Returns whether it was not one.
    ///
    /// The object must be stored when the bag is saved.
    @discardableResult
    public func add<Target: Model>(_ reference: Reference<Target>) -> Bool { add(AnyReference(reference), nil) }

    /// Adds the object of a reference at the end, unless it is a member already. Returns whether it was not one.
    ///
    /// The program need not have its model. The object must be stored when the bag is saved.
    @discardableResult
    public func add(_ reference: AnyReference) -> Bool { add(reference, nil) }

    /// Adds objects of any models at the end, in the given order; see ``add(_:)``.
    public func add(contentsOf objects: [any Model]) {
        let members = objects.map { (AnyReference($0), $0) }
        withState { state in for (member, object) in members { state.add(member, object) } }
    }

    /// Adds the objects of references at the end, in the given order.
    public func add<Target: Model>(contentsOf references: some Sequence<Reference<Target>>) {
        add(contentsOf: references.map { AnyReference($0) })
    }

    /// Adds the objects of references at the end, in the given order.
    public func add(contentsOf references: some Sequence<AnyReference>) {
        let members = Array(references)
        withState { state in for member in members { state.add(member, nil) } }
    }

    /// Inserts an object at a position; a member is moved there.
    ///
    /// - Parameter position: the object's position afterwards, from 0; one beyond the end is the end.
    /// - Complexity: O(*n*).
    public func insert(_ object: some Model, at position: Int) {
        let member = AnyReference(object)
        withState { _ = $0.add(member, object, at: position) }
    }

    /// Inserts the object of a reference at a position; a member is moved there.
    ///
    /// - Parameter position: the object's position afterwards, from 0; one beyond the end is the end.
    /// - Complexity: O(*n*).
    public func insert<Target: Model>(_ reference: Reference<Target>, at position: Int) {
        insert(AnyReference(reference), at: position)
    }

    /// Inserts the object of a reference at a position; a member is moved there.
    ///
    /// - Parameter position: the object's position afterwards, from 0; one beyond the end is the end.
    /// - Complexity: O(*n*).
    public func insert(_ reference: AnyReference, at position: Int) {
        withState { _ = $0.add(reference, nil, at: position) }
    }

    private func add(_ member: AnyReference, _ object: (any Model)?) -> Bool {
        withState { $0.add(member, object) }
    }

    // MARK: Removing

    /// Removes an object from the bag, not from the store; returns whether it was a member. A document, which does not tell its collection, is removed as one
    /// of whichever; see ``remove(_:in:)``.
    @discardableResult
    public func remove(_ object: some Model) -> Bool {
        guard let document = object as? Document else { return remove(AnyReference(object)) }
        let members = members(of: document)
        remove(contentsOf: members)
        return !members.isEmpty
    }

    /// Removes the object of a reference from the bag, not from the store; returns whether it was a member.
    @discardableResult
    public func remove<Target: Model>(_ reference: Reference<Target>) -> Bool { remove(AnyReference(reference)) }

    /// Removes the object of a reference from the bag, not from the store; returns whether it was a member.
    @discardableResult
    public func remove(_ reference: AnyReference) -> Bool { withState { $0.remove(reference) } }

    /// Removes objects of any models from the bag.
    public func remove(contentsOf objects: [any Model]) {
        remove(contentsOf: objects.flatMap { object in (object as? Document).map { members(of: $0) } ?? [AnyReference(object)] })
    }

    /// Removes the objects of references from the bag.
    public func remove<Target: Model>(contentsOf references: some Sequence<Reference<Target>>) {
        remove(contentsOf: references.map { AnyReference($0) })
    }

    /// Removes the objects of references from the bag.
    public func remove(contentsOf references: some Sequence<AnyReference>) {
        let members = Array(references)
        withState { state in for member in members { state.remove(member) } }
    }

    /// Removes all members.
    public func removeAll() {
        withState { state in for member in state.current.members.elements { state.remove(member) } }
    }

    // MARK: Undoing

    /// Discards all unsaved changes, also that of the name; the store is not read.
    ///
    /// A bag that was never saved becomes empty and has no name.
    public func undo() { withState { $0.undo() } }
}
