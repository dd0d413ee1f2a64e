/// The models whose changes can change what a filter finds, in another way than by the fields of its own objects.
struct ObservedModels {
    private let core: StoreCore
    /// What points where, models among it that the program does not have, as a transaction saw it last.
    private let relationships: RelationshipTable
    private(set) var names: Set<String> = []
    /// Whether they may be any models, also such as nobody has stored yet.
    private(set) var areAll = false

    /// - Parameter paths: of the values that decide where an object is in the result, or that are read of it.
    init(_ filter: Filter, _ paths: some Sequence<FieldPath>, of modelName: String, _ core: StoreCore) {
        self.core = core
        relationships = core.knownRelationships
        visit(filter, modelName, element: nil)
        for path in paths where !path.names.isEmpty { _ = follow(path, modelName, nil) }
    }

    /// The models that a query looks at, its own among them.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the filter is too large to be looked through.
    init(of draft: QueryDraft, _ core: StoreCore) throws {
        let query = draft.query
        try FilterCompiler.checkSize(of: query.filter)
        self.init(query.filter, query.sort.map(\.path) + draft.readPaths, of: query.model, core)
        names.insert(query.model)
    }

    private mutating func visit(_ filter: Filter, _ model: String, element: String?) {
        switch filter {
        // Only a transaction tells which objects these are, whether or not other models have relationships.
        case .isUnreferenced: names.formUnion([model] + relationships.relationships(to: model).map(\.model.schema.name))
        case .hasDanglingReferences:
            names.insert(model)
            for relationship in relationships.relationships(of: model) {
                names.formUnion(relationship.target.map { [$0.schema.name] } ?? core.modelBindings.map(\.schema.name))
                if relationship.target == nil { areAll = true }
            }
        case .quantified(_, let path, _, let inner):
            visit(inner.value, model, element: follow(path, model, element))
        case .and(let filters), .or(let filters): for filter in filters { visit(filter, model, element: element) }
        case .not(let inner): visit(inner.value, model, element: element)
        case .constant, .comparison, .membership, .text, .matches, .fullText, .isWithin, .isMultiple, .isNil:
            for path in filter.ownPaths { _ = follow(path, model, element) }
        }
    }

    /// Notes the models whose objects a path leads through, and returns the one that the references at its end point at.
    ///
    /// A reference and the id in it are values of the object that has it, whatever becomes of the other.
    private mutating func follow(_ path: FieldPath, _ model: String, _ element: String?) -> String? {
        var (rest, here) = (path, model)
        if path.field.isEmpty {
            guard let element, let first = path.names.first else { return nil }
            names.insert(element)
            (rest, here) = (FieldPath(field: first, names: Array(path.names.dropFirst()), aggregate: path.aggregate), element)
        }
        while true {
            if let (model, further) = relationships.members(of: rest, here) {
                names.insert(model)
                guard let further else { return nil }
                (rest, here) = (further, model)
                continue
            }
            let own = relationships.relationships(of: here)
            guard let hop = own.hop(of: rest), !hop.isOfID else { return own.first { $0.name == rest.field }?.target?.schema.name }
            guard let target = hop.relationship.target?.schema.name else { return nil }
            names.insert(target)
            (rest, here) = (hop.rest, target)
        }
    }
}

extension RelationshipTable {
    /// The model of the objects of which the path of an aggregate has many, and the path from them; nil where it goes on in one object or in none.
    fileprivate func members(of path: FieldPath, _ model: String) -> (model: String, rest: FieldPath?)? {
        if let (source, _, rest) = path.sources { return (source, rest) }
        guard let hop = relationships(of: model).memberHop(of: path), let target = hop.relationship.target?.schema.name else { return nil }
        return (target, hop.rest)
    }
}

extension StoreCore {
    /// What tells which changes concern an observed query: by the model's name, a filter on its records; under ``Observer/anyModel`` of all others.
    func observedFilters(of query: Query, _ binding: ModelBinding) throws -> [String: CompiledFilter] {
        try FilterCompiler.checkSize(of: query.filter)
        let models = ObservedModels(query.filter, query.sort.lazy.map(\.path), of: query.model, self)
        guard !models.names.isEmpty else {
            if binding.mayChangeWords(of: query.filter) { return [query.model: try CompiledFilter(.constant(true), in: binding)] }
            let relationships = relationships(of: query.model)
            let filter = relationships.isEmpty ? query.filter : query.filter.mapPaths { relationships.hop(of: $0)?.ownPath ?? $0 }
            return [query.model: try CompiledFilter(filter, in: binding)]
        }
        var filters: [String: CompiledFilter] = [:]
        for name in models.names.union([query.model] + (models.areAll ? [Observer.anyModel] : [])) { filters[name] = CompiledFilter(.constant(true)) }
        return filters
    }
}

extension ModelBinding {
    /// Whether a filter finds others when a setting changes and no record does: a collection's full text is set at any time.
    func mayChangeWords(of filter: Filter) -> Bool { isCollection && filter.hasFullText }
}
