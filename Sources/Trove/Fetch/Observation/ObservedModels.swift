/// The models whose changes can change what a filter finds, in another way than by the fields of its own objects.
struct ObservedModels {
    private let core: StoreCore
    private(set) var names: Set<String> = []

    /// - Parameter paths: of the values that decide where an object is in the result, or that are read of it.
    init(_ filter: Filter, _ paths: some Sequence<FieldPath>, of modelName: String, _ core: StoreCore) {
        self.core = core
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
        case .isUnreferenced: names.formUnion([model] + core.relationships(to: model).map(\.model.schema.name))
        case .hasDanglingReferences:
            names.insert(model)
            for relationship in core.relationships(of: model) {
                names.formUnion(relationship.target.map { [$0.schema.name] } ?? core.modelBindings.map(\.schema.name))
            }
        case .quantified(_, let path, _, let inner):
            visit(inner.value, model, element: follow(path, model, element))
        case .and(let filters), .or(let filters): for filter in filters { visit(filter, model, element: element) }
        case .not(let inner): visit(inner.value, model, element: element)
        case .constant, .comparison, .membership, .text, .matches, .fullText, .isWithin, .isMultiple, .isNil:
            for path in filter.ownPaths { _ = follow(path, model, element) }
        }
    }

    /// Notes the models that a path leads through, and returns the one that the references at its end point at.
    private mutating func follow(_ path: FieldPath, _ model: String, _ element: String?) -> String? {
        var current: String? = path.field.isEmpty ? element : model
        let steps = path.field.isEmpty ? path.names[...] : [path.field] + path.names
        if path.field.isEmpty, let element, !steps.isEmpty { names.insert(element) }
        var target: String?
        for (position, step) in steps.enumerated() {
            guard let here = current else { break }
            if let relationship = core.relationships(of: here).first(where: { $0.name == step }) {
                target = relationship.target?.schema.name
                let isLast = position == steps.count - 1
                if let target, !isLast { names.insert(target) }
                current = target
            }
        }
        return target
    }
}

extension StoreCore {
    /// What tells which changes concern an observed query: by the model's name, a filter on its records.
    func observedFilters(of query: Query, _ binding: ModelBinding) throws -> [String: CompiledFilter] {
        try FilterCompiler.checkSize(of: query.filter)
        let models = ObservedModels(query.filter, query.sort.lazy.map(\.path), of: query.model, self).names
        guard !models.isEmpty else { return [query.model: try CompiledFilter(query.filter, in: binding)] }
        var filters: [String: CompiledFilter] = [:]
        for name in models.union([query.model]) {
            filters[name] = try CompiledFilter(.constant(true), in: self.binding(named: name))
        }
        return filters
    }
}
