extension WriteTransaction {
    /// Stores a bag, and the unsaved objects that were added to it.
    ///
    /// ```swift
    /// try store.write { transaction in
    ///     try transaction.save(album)
    ///     bag.add(album)
    ///     try transaction.save(bag)
    /// }
    /// ```
    ///
    /// The bag takes note of it when the transaction is committed. Another save of it in the transaction stores what was changed since this one.
    /// A bag of a live objects' context is saved by its own ``Bag/save(durability:)``.
    ///
    /// - Throws: as ``Bag/save(durability:)``, and ``TroveError/foreignBag(name:id:)`` for a bag of another store; then nothing is changed.
    public func save(_ bag: Bag) throws {
        try savepoint { try saveChanges(of: bag) }
    }

    /// Stores a bag's changes; when it throws, some of them may have been made.
    ///
    /// - Parameter own: what a context's save has done, whose stored objects take the place of the new ones that they stand for. These and the context's new
    ///   members are left out where they are not stored any more, as a stored bag loses members that are deleted.
    func saveChanges(of bag: Bag, _ own: OwnChanges? = nil) throws {
        try requireOwn(bag)
        let stored = try fetch(StoredBag.self, id: bag.id).map { BagContents($0) }
        let meant = try own.map { try meantMembers(of: bag, $0) }
        let changes = bag.withState { $0.beginSave(in: identity, stored, meant: meant) }
        if stored == nil, changes.saved != nil { throw bag.isDeleted }
        var contents = changes.merged(with: stored)
        let moves = own?.content.withLock { $0.moves } ?? [:]
        contents.members.replace(moves)
        for member in moves.values where try contents.members.contains(member) && !isStored(member) { _ = contents.members.remove(member) }
        let inserted = try insertMembers(&contents, changes, stored, own.flatMap { _ in bag.home as? ObjectContext })
        if contents != stored {
            do {
                try save(StoredBag(id: bag.id, name: contents.name, members: contents.members.elements))
            } catch TroveError.uniqueViolation(StoredBag.schema.name, _, _, _, _) {
                throw TroveError.bagNameTaken(name: contents.name ?? "")
            }
        }
        let save = UncommittedBagSave(changes, contents, inserted: inserted, in: identity)
        bag.withState { $0.noteSave(save) }
        whenCommitted { bag.withState { $0.finishSave(save) } }
    }

    /// The new live members that a context's save has brought into the context, and those that are stored by now. What was added since the save began
    /// would not come into the context any more.
    private func meantMembers(of bag: Bag, _ own: OwnChanges) throws -> Set<AnyReference> {
        let known = own.content.withLock { $0.newMembers }
        let late = bag.unsavedLiveObjects.map { $0.member }.filter { !known.contains($0) }
        return known.union(try late.filter { try isStored($0) })
    }

    /// Stores the new members' objects that are not stored.
    ///
    /// - Parameter context: the one whose save has stored all that it has; its other objects, and those in no context, are left out.
    private func insertMembers(
        _ contents: inout BagContents, _ changes: BagChanges, _ stored: BagContents?, _ context: ObjectContext?
    ) throws -> [AnyReference: any Model] {
        var missing: [AnyReference: any Model] = [:]
        for member in contents.members.elements {
            guard let addition = changes.additions[member], stored?.members.contains(member) != true else { continue }
            if addition is Document { try checkCollection(of: member) }
            if try isStored(member) { continue }
            guard let object = addition else {
                throw TroveError.danglingReference(model: member.modelName, id: try shownID(of: member))
            }
            if let object = object as? any LiveModel, let context, context.domain.isHome(of: object.live) || ObjectDomain.detached.isHome(of: object.live) {
                // It is deleted: by a rule, by a settled conflict, or by somebody else.
                contents.members.remove(member)
                continue
            }
            if let object = object as? any LiveModel, object.live.domain !== ObjectDomain.detached {
                throw try TroveError.contextMisuse(
                    reason: "the \(member.modelName) \(shownID(of: member)) in the bag is an object of a context and not stored; save the context first, "
                        + "or create the bag in that context, and remove it from the bag when it is deleted")
            }
            missing[member] = object
        }
        if missing.isEmpty { return missing }
        for member in contents.members.elements where missing[member] is Document { _ = try openCollectionForSaving(named: member.modelName) }
        try batch {
            for member in contents.members.elements {
                guard let object = missing[member] else { continue }
                if let document = object as? Document {
                    try withDocumentBuffer { try insert(document, openCollection(named: member.modelName), &$0) }
                } else {
                    try insert(object)
                }
            }
        }
        return missing
    }

    /// Throws when a member that was added as a document is of no collection.
    private func checkCollection(of member: AnyReference) throws {
        // It was added as an object, without the name of its collection.
        if member.modelName.hasBytes(of: Document.schema.name) { _ = try core.binding(for: Document.self) }
        _ = try openCollection(named: member.modelName)
    }

    /// Deletes the bag with this name; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(named name: String) throws -> Bool {
        guard let bag = try storedBag(named: name) else { return false }
        return try deleteBag(id: bag.id)
    }

    /// Deletes the bag with this id; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(id: ObjectID) throws -> Bool {
        try delete(StoredBag.self, id: id)
    }

    /// Deletes a stored bag; its members stay. Returns whether it was stored.
    ///
    /// - Throws: ``TroveError/foreignBag(name:id:)`` for a bag of another store, also where this one has a bag with its id.
    @discardableResult
    public func deleteBag(_ bag: Bag) throws -> Bool {
        try requireOwn(bag)
        return try deleteBag(id: bag.id)
    }

    private func requireOwn(_ bag: Bag) throws(TroveError) {
        guard bag.home.store.core === core else { throw .foreignBag(name: bag.name, id: bag.id.description) }
    }
}

extension ObjectStore {
    /// Deletes the bag with this name; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(named name: String, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBag(named: name) }
    }

    /// Deletes the bag with this id; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(id: ObjectID, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBag(id: id) }
    }

    /// Deletes a stored bag; its members stay. Returns whether it was stored.
    ///
    /// - Throws: ``TroveError/foreignBag(name:id:)`` for a bag of another store.
    @discardableResult
    public func deleteBag(_ bag: Bag, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBag(bag) }
    }

    // MARK: Asynchronous twins

    /// The bag with this name; nil when there is none.
    public func bag(named name: String) async throws -> Bag? {
        try await read { try $0.bag(named: name) }
    }

    /// The bag with this id; nil when there is none.
    public func bag(id: ObjectID) async throws -> Bag? {
        try await read { try $0.bag(id: id) }
    }

    /// All bags, with and without names, in the order of their ids: the oldest first, but for bags that were given an id.
    public func bags() async throws -> [Bag] {
        try await read { try $0.bags() }
    }

    /// The bags that pass a condition.
    public func bags(
        sortedBy order: BagOrder = .making, limit: Int? = nil, where condition: (BagFields) -> some ConditionConvertible
    ) async throws -> [Bag] {
        let condition = condition(BagFields()).condition
        return try await read { try $0.bags(sortedBy: order, limit: limit) { _ in condition } }
    }

    /// The stored bags that contain an object, in the order of their ids.
    public func bags(containing object: some Model) async throws -> [Bag] { try await bags(containing: AnyReference(object)) }

    /// The stored bags that contain the object of a reference, in the order of their ids.
    public func bags<Target: Model>(containing reference: Reference<Target>) async throws -> [Bag] {
        try await bags(containing: AnyReference(reference))
    }

    /// The stored bags that contain a document of a collection, in the order of their ids.
    public func bags(containing document: Document, in collection: String) async throws -> [Bag] {
        try await bags(containing: AnyReference(document, in: collection))
    }

    /// The stored bags that contain the object of a reference, in the order of their ids.
    public func bags(containing reference: AnyReference) async throws -> [Bag] {
        try await read { try $0.bags(containing: reference) }
    }

    /// Deletes the bag with this name; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(named name: String, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBag(named: name) }
    }

    /// Deletes the bag with this id; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(id: ObjectID, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBag(id: id) }
    }

    /// Deletes a stored bag; its members stay. Returns whether it was stored.
    ///
    /// - Throws: ``TroveError/foreignBag(name:id:)`` for a bag of another store.
    @discardableResult
    public func deleteBag(_ bag: Bag, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBag(bag) }
    }
}
