extension ReadTransaction {
    /// What reads values behind references; nil when none of the paths goes through one.
    ///
    /// - Parameters:
    ///   - objects: what the query has read already; nil when there is nothing.
    ///   - keepsFailures: see ``ReferencedValues/failure``.
    func referencedValues(
        _ model: OpenModel, at paths: some Collection<FieldPath>, _ objects: ReferencedObjects? = nil, keepsFailures: Bool = false
    ) throws -> ReferencedValues? {
        guard paths.contains(where: { !$0.names.isEmpty }) else { return nil }
        let relationships = try relationships.table.relationships(of: model.binding.schema.name)
        guard try paths.contains(where: { try relationships.hop(of: $0) != nil || leadsThroughMembers($0, model.binding) }) else { return nil }
        return ReferencedValues(objects ?? ReferencedObjects(self), model, relationships, keepsFailures: keepsFailures)
    }

    /// The encoder of a sort, and what of it is behind references; nil when nothing is.
    ///
    /// - Parameter objects: what the query has read already; nil when there is nothing.
    func encoder(of keys: [SortKey], _ model: OpenModel, _ objects: ReferencedObjects? = nil) throws -> (SortEncoder, ReferencedValues?) {
        if keys.isEmpty { return (.none, nil) }
        guard let values = try referencedValues(model, at: keys.lazy.map(\.path), objects) else { return (try SortEncoder(keys, in: model.binding), nil) }
        let encoder = try SortEncoder(keys, in: model.binding) { try values.reader(of: $0) }
        return (encoder, values.isEmpty ? nil : values)
    }

    /// Some paths in which that to the id behind a reference is that to the reference.
    func namingReferences(_ paths: [FieldPath], of model: ModelBinding) throws -> [FieldPath] {
        guard paths.contains(where: { !$0.names.isEmpty }) else { return paths }
        let relationships = try relationships.table.relationships(of: model.schema.name)
        return relationships.isEmpty ? paths : paths.map { relationships.hop(of: $0)?.ownPath ?? $0 }
    }

    /// The same in a sort, which an index of the references may give then.
    func nameReferences(in keys: inout [SortKey], of model: ModelBinding) throws {
        guard keys.contains(where: { !$0.path.names.isEmpty }) else { return }
        let paths = try namingReferences(keys.map(\.path), of: model)
        keys = zip(keys, paths).map { SortKey($1, $0.direction, ignoring: $0.ignoring) }
    }

    /// Those of some paths from a model's records that go through references.
    package func pathsThroughReferences(_ paths: [FieldPath], of modelName: String) throws -> [FieldPath] {
        let relationships = try relationships.table.relationships(of: modelName)
        return try paths.filter { path in
            if relationships.hop(of: path) != nil { return true }
            return path.aggregate == nil ? false : try leadsThroughMembers(path, openStored(named: modelName).binding)
        }
    }

    /// Whether a path leads to an aggregate of many objects, behind the record or behind what its references to one object lead to.
    ///
    /// - Throws: what is wrong with such a path.
    func leadsThroughMembers(_ path: FieldPath, _ binding: ModelBinding) throws -> Bool {
        guard path.aggregate != nil, !path.field.isEmpty else { return false }
        let table = try relationships.table
        var (rest, here) = (path, binding)
        for hops in 0...ReferenceHop.maxHops {
            if try table.memberHop(of: rest, in: here) != nil { return true }
            guard let hop = table.relationships(of: here.schema.name).hop(of: rest) else { return false }
            (rest, here) = (hop.rest, try openStored(named: hop.target(behind: hops)).binding)
        }
        return false
    }
}
