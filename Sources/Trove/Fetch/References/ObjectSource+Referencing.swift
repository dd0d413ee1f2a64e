extension ObjectSource {
    /// The references to an object: objects of all models, each with the field that has the reference, by models and fields.
    ///
    /// ```swift
    /// for source in try store.referencing(song) { print(source) }        // Playlist(…).songs
    /// ```
    ///
    /// - Throws: what reading throws.
    /// - Complexity: O(log *n* + *m*) for each relationship that may point at it, with *m* sources.
    public func referencing(_ target: some Model) throws -> [ReferenceSource] {
        try referencing(AnyReference(target))
    }

    /// The references to the object of a reference, which need not be stored.
    public func referencing<Target: Model>(_ reference: Reference<Target>) throws -> [ReferenceSource] {
        try referencing(AnyReference(reference))
    }

    /// The references to the object of a reference, which need not be stored.
    public func referencing(_ reference: AnyReference) throws -> [ReferenceSource] {
        try read { try $0.sources(of: reference) }
    }

    /// A query for the objects of one model that point at an object with one property.
    ///
    /// ```swift
    /// let lists = try store.referencing(song, from: Playlist.self, \.songs).sorted(by: \.name).all()
    /// ```
    ///
    /// The query throws ``TroveError/invalidQuery(reason:)`` when the property is no relationship, or points at another model.
    public func referencing<Target: Model, Object: Model>(
        _ target: Target, from type: Object.Type, _ property: PartialKeyPath<Object>
    ) -> Fetch<Object, Self> {
        referencing(AnyReference(target), from: type, property)
    }

    /// A query for the objects of one model that point at the object of a reference with one property.
    ///
    /// The query throws ``TroveError/invalidQuery(reason:)`` when the property is no relationship, or points at another model.
    public func referencing<Target: Model, Object: Model>(
        _ reference: Reference<Target>, from type: Object.Type, _ property: PartialKeyPath<Object>
    ) -> Fetch<Object, Self> {
        referencing(AnyReference(reference), from: type, property)
    }

    private func referencing<Object: Model>(
        _ target: AnyReference, from type: Object.Type, _ property: PartialKeyPath<Object>
    ) -> Fetch<Object, Self> {
        fetch(type).changing { $0.narrow(by: try Object.filter(pointingAt: target, property)) }
    }

    /// The number of places that point at an object: pairs of an object and a field, so that one that is in a list several times counts once.
    ///
    /// - Throws: what reading throws.
    public func referenceCount(of target: some Model) throws -> Int {
        try referenceCount(of: AnyReference(target))
    }

    /// The number of places that point at the object of a reference.
    public func referenceCount<Target: Model>(of reference: Reference<Target>) throws -> Int {
        try referenceCount(of: AnyReference(reference))
    }

    /// The number of places that point at the object of a reference.
    public func referenceCount(of reference: AnyReference) throws -> Int {
        try read { transaction in
            var count = 0
            for relationship in try transaction.relationships.table.relationships(to: reference.modelName) {
                try transaction.forEachSource(of: reference, in: relationship) { _, _ in count += 1 }
            }
            return count
        }
    }
}

extension ReadTransaction {
    /// The first references to an object, by models and fields, at most so many of them.
    package func sources(of target: AnyReference, limit: Int = .max) throws -> [ReferenceSource] {
        var sources: [ReferenceSource] = []
        for relationship in try relationships.table.relationships(to: target.modelName) where sources.count < limit {
            try forEachSource(of: target, in: relationship) { key, stop in
                sources.append(try source(key, relationship))
                stop = sources.count >= limit
            }
        }
        return sources
    }
}

extension Model {
    /// The condition that a relationship points at a target.
    fileprivate static func filter(pointingAt target: AnyReference, _ property: PartialKeyPath<Self>) throws(TroveError) -> Filter {
        let path = try path(property)
        guard path.isOfWholeField, let relationship = schema.fields.first(where: { $0.name == path.field })?.relationship else {
            throw .invalidQuery(reason: "\(schema.name).\(path) is no relationship, so it points at nothing")
        }
        let value = try relationship.storedValue(of: target, "\(schema.name).\(path)")
        guard let part = relationship.shape.part else { return .comparison(.path(path), .equal, .value(value)) }
        return .quantified(.any, path, part, .comparison(.path(.element), .equal, .value(value)))
    }
}

extension RelationshipSchema {
    /// A reference to a target as the field stores it.
    fileprivate func storedValue(of target: AnyReference, _ name: String) throws(TroveError) -> StoredValue {
        guard let targetModel else { return try StoredValue(comparing: target) }
        return try Self.storedValue(of: target, targetModel, name)
    }

    private static func storedValue<Target: Model>(
        of target: AnyReference, _ type: Target.Type, _ name: String
    ) throws(TroveError) -> StoredValue {
        let reference: Reference<Target>?
        do {
            reference = try target.reference(to: type)
        } catch {
            throw .invalidQuery(reason: "\(target) has no id of \(type.schema.name): \(error)")
        }
        guard let reference else { throw .invalidQuery(reason: "\(name) points at \(type.schema.name), not at \(target.modelName)") }
        return try StoredValue(comparing: reference)
    }
}

extension ObjectSource {
    /// All references to objects that are not stored, by model and field. For many of them there is ``forEachDanglingReference(_:)``. Members of bags are among
    /// them.
    ///
    /// - Throws: what reading throws; `CancellationError` when the task is cancelled.
    public func danglingReferences() throws -> [DanglingReference] {
        var found: [DanglingReference] = []
        try forEachDanglingReference { reference, _ in found.append(reference) }
        return found
    }

    /// Calls `body` with each reference to an object that is not stored, by model and field, until it sets `stop`.
    ///
    /// It reads the indexes of all references side by side with the records they point at, in the order of their keys, and keeps none of them in memory.
    ///
    /// - Throws: what `body` and reading throw; `CancellationError` when the task is cancelled.
    public func forEachDanglingReference(_ body: (_ reference: DanglingReference, _ stop: inout Bool) throws -> Void) throws {
        try read { transaction in
            for relationship in try transaction.relationshipsAndMemberships {
                var stop = false
                try transaction.forEachDanglingReference(of: relationship) {
                    try body($0, &stop)
                    return stop ? .stop : .next
                }
                if stop { return }
            }
        }
    }
}

extension Fetch {
    /// The objects that no reference of any object points at.
    ///
    /// ```swift
    /// try store.fetch(Song.self).unreferenced().delete()
    /// ```
    ///
    /// - Complexity: one look-up for each object and relationship that may point at it.
    public func unreferenced() -> Fetch { `where`(.isUnreferenced) }

    /// The objects with a reference to an object that is not stored.
    ///
    /// - Complexity: one look-up for each reference of an object; ``ObjectSource/danglingReferences()`` of all models takes less.
    public func withDanglingReferences() -> Fetch { `where`(.hasDanglingReferences) }
}
