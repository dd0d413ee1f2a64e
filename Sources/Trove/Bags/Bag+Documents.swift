extension Bag {
    // MARK: Documents

    /// Adds a document of a collection at the end, unless it is a member already. Returns whether it was not one.
    ///
    /// ```swift
    /// bag.add(note, in: "notes")
    /// try bag.save()
    /// ```
    ///
    /// The document need not be stored: saving the bag stores it too if it is not by then, and makes the collection if there is none. A document that is stored
    /// is left as it is stored, so changes of it are saved by saving the document.
    @discardableResult
    public func add(_ document: Document, in collection: String) -> Bool {
        let member = AnyReference(document, in: collection)
        return withState { $0.add(member, document) }
    }

    /// Adds documents of a collection at the end, in the given order; see ``add(_:in:)``.
    public func add(contentsOf documents: some Sequence<Document>, in collection: String) {
        let members = documents.map { (AnyReference($0, in: collection), $0) }
        withState { state in for (member, document) in members { state.add(member, document) } }
    }

    /// Inserts a document of a collection at a position among all members; a member is moved there.
    ///
    /// - Parameter position: the document's position afterwards, from 0; one beyond the end is the end.
    /// - Complexity: O(*n*).
    public func insert(_ document: Document, in collection: String, at position: Int) {
        let member = AnyReference(document, in: collection)
        withState { _ = $0.add(member, document, at: position) }
    }

    /// Removes a document of a collection from the bag, not from the store; returns whether it was a member.
    @discardableResult
    public func remove(_ document: Document, in collection: String) -> Bool { remove(AnyReference(document, in: collection)) }

    /// Removes documents of a collection from the bag, not from the store.
    public func remove(contentsOf documents: some Sequence<Document>, in collection: String) {
        remove(contentsOf: documents.map { AnyReference($0, in: collection) })
    }

    /// Whether a document of a collection is a member, saved or not.
    public func contains(_ document: Document, in collection: String) -> Bool { contains(AnyReference(document, in: collection)) }

    /// The members that are a document, in whatever collections: it does not know its own.
    func members(of document: Document) -> [AnyReference] {
        let (key, core) = (document.id.keyBytes, home.store.core)
        return members.filter { $0.keyBytes == key && core.model(named: $0.modelName) == nil }
    }

    /// The members that are documents of a collection.
    ///
    /// ```swift
    /// let notes = bag.documents("notes")
    /// for note in try notes.all() { print(note) }                      // in the bag's order
    /// let best = try notes.fetch { $0["rating"] > 5 }.sorted(by: "title").all()
    /// ```
    public func documents(_ collection: String) -> BagDocuments { BagDocuments(bag: self, name: collection) }
}

/// The documents of one collection that are in a bag; see ``Bag/documents(_:)``.
///
/// Whatever reads them throws ``TroveError/invalidCollection(name:reason:)`` when no collection can have the name or a model has it. ``count`` reads nothing.
public struct BagDocuments: Sendable {
    let bag: Bag
    /// The name of the collection.
    public let name: String

    /// The number of members that are documents of the collection, saved or not. The store is not asked whether the name is that of a model, whose objects
    /// count where their ids are ``ObjectID``s or as long.
    ///
    /// - Complexity: O(*n*) for *n* members of the bag.
    public var count: Int { members.count }

    /// The documents, in the bag's order.
    ///
    /// Those of an inflated bag are in memory; of others all are read in one go. Documents that were added and are not saved are as they were added.
    /// What was deleted by others is left out.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)``; ``TroveError`` when a record cannot be read.
    public func all() throws -> [Document] {
        let (members, present) = bag.loaded(under: name)
        let missing = members.filter { present[$0] == nil }
        // Also when none is missing: the name may be that of a model.
        let read = try bag.home.read { try $0.documents(missing, of: name) }
        return members.compactMap { (present[$0] ?? read[$0]) as? Document }
    }

    /// The documents, in the bag's order, read on a reader thread.
    public func all() async throws -> [Document] { try await bag.home.store.readPool.run { try self.all() } }

    /// A query for the stored documents.
    ///
    /// The members are those at the time of this call, unsaved additions and removals counted; each read sees the documents as they are stored then. Without a
    /// sort they come by their ids; ``all()`` has the bag's order. For changes by query see ``Documents/fetch(in:)``.
    public func fetch() -> Fetch<Document, BagSource> { BagSource(home: bag.home).fetch(documentsOf: name, in: bag) }

    /// The stored documents whose attributes pass a condition; see ``Documents/fetch(_:)``.
    public func fetch(_ condition: (Fields<Document>) -> some ConditionConvertible) -> Fetch<Document, BagSource> { fetch().where(condition) }

    /// The stored documents that match criteria text; `docs/search.md` describes the language.
    public func fetch(_ criteria: String, _ arguments: Any?...) -> Fetch<Document, BagSource> { fetch().matching(criteria, arguments: arguments) }

    /// The stored documents that match criteria text, in which `:name` stands for an argument.
    public func fetch(_ criteria: String, with arguments: [String: Any?]) -> Fetch<Document, BagSource> { fetch().matching(criteria, with: arguments) }

    /// Of a model, whose name this may be, objects may have other ids.
    fileprivate var members: [AnyReference] { bag.members(under: name).filter(\.mayBeOfDocument) }
}

extension ObjectSource {
    /// A query for the documents of a collection that are stored here and members of a bag now.
    func fetch(documentsOf collection: String, in bag: Bag) -> Fetch<Document, Self> {
        let members = bag.documents(collection).members
        return Fetch(source: self, draft: QueryDraft(collection)).changing {
            $0.narrow(by: try .identified(at: Document.idPath, by: members.map(\.keyBytes), as: FieldType(ofID: ObjectID.self)))
        }
    }
}
