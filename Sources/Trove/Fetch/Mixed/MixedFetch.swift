/// A query for objects of several models at once: built up step by step, then read in one of several ways.
///
/// ```swift
/// let found: [any Named] = try store.fetchConforming(to: NamedModels.self)
///     .where { $0.name.hasPrefix("A") }
///     .sorted(by: \.name)
///     .limit(20)
///     .all()
/// ```
///
/// Each model is read by its own plan and indexes, in one snapshot; the results are sorted, limited and paged together. Objects with equal values come model by
/// model, in the order of the models' names, and within a model ascending by id; so do all without a sort. Values of
/// different types sort as ``Filter`` compares them.
///
/// It is a value, as a ``Fetch`` is, and mistakes in the building are thrown when it is read; among them a property that one of the models does not store.
public struct MixedFetch<Object, Source: ObjectSource> {
    let source: Source
    var draft = QueryDraft("")
    let models: ModelSelection<Object>

    init(_ source: Source, _ models: ModelSelection<Object>) {
        self.source = source
        self.models = models
    }

    /// A query that was built for another source.
    init(_ source: Source, _ models: ModelSelection<Object>, _ draft: QueryDraft) {
        self.init(source, models)
        self.draft = draft
    }
}

extension MixedFetch: Sendable where Source: Sendable {}

extension MixedFetch {
    /// The objects whose properties pass a condition; the conditions of several calls must all be true.
    ///
    /// ```swift
    /// store.fetchConforming(to: NamedModels.self).where { $0.name == "Ada" || $0.name.hasPrefix("Bill") }
    /// ```
    public func `where`(_ condition: (MixedFields<Object>) -> some ConditionConvertible) -> MixedFetch {
        let result = condition(MixedFields(models: models)).condition
        return changing { $0.narrow(by: try result.filter()) }
    }

    /// The objects that also pass a filter, which names properties of all the models.
    public func `where`(_ filter: Filter) -> MixedFetch { changing { $0.narrow(by: filter) } }

    /// The objects that match criteria text, with its sort and limit; see ``Fetch/matching(_:_:)``.
    ///
    /// ```swift
    /// try store.fetchModels(Song.self, Film.self).matching("title = ? order by year limit 10", "Tosca").all()
    /// ```
    public func matching(_ criteria: String, _ arguments: Any?...) -> MixedFetch {
        matching(criteria, arguments: arguments)
    }

    func matching(_ criteria: String, arguments: [Any?]) -> MixedFetch {
        changing { try $0.narrow(by: Query($0.model, criteria: criteria, CriteriaArguments(positional: arguments))) }
    }

    /// The objects that match criteria text, in which `:name` stands for an argument.
    public func matching(_ criteria: String, with arguments: [String: Any?]) -> MixedFetch {
        changing { try $0.narrow(by: Query($0.model, criteria: criteria, CriteriaArguments(named: arguments))) }
    }

    /// The objects in the order of a property, after the sort criteria so far. See ``Fetch/sorted(by:_:ignoringCase:)-(PartialKeyPath<Object>,_,_)``.
    public func sorted(by property: PartialKeyPath<Object>, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) -> MixedFetch {
        sorted(by: property, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// The objects in the order of a property's texts without their case, accents or both. See ``Fetch/sorted(by:_:ignoring:)-(PartialKeyPath<Object>,_,_)``.
    public func sorted(by property: PartialKeyPath<Object>, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> MixedFetch {
        changing { $0.sort.append(SortKey(try models.path(property), direction, ignoring: ignoring)) }
    }

    /// The objects in the order of a value that a closure names as conditions do, after the sort criteria so far: `.sorted { $0.owner.name }`.
    /// See ``Fetch/sorted(by:_:ignoringCase:)-((Fields<Object>)->Field<Value>,_,_)``.
    @_disfavoredOverload
    public func sorted<Value>(
        by field: (MixedFields<Object>) -> Field<Value>, _ direction: SortDirection = .ascending, ignoringCase: Bool = false
    ) -> MixedFetch {
        sorted(by: field, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// The objects in the order of texts that a closure names, without their case, accents or both.
    @_disfavoredOverload
    public func sorted<Value>(by field: (MixedFields<Object>) -> Field<Value>, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> MixedFetch {
        let path = field(MixedFields(models: models)).result
        return changing { $0.sort.append(SortKey(try path.get(), direction, ignoring: ignoring)) }
    }

    /// The objects in the order of several criteria, the first one first, after the sort criteria so far.
    public func sorted(using keys: [SortKey]) -> MixedFetch { changing { $0.sort += keys } }

    /// At most `count` objects of all models together, counted after the sort; `count` is at least 0. It replaces the limit there was.
    public func limit(_ count: Int) -> MixedFetch { changing { $0.limit = count } }

    /// The objects after the first `count` in the sorted order; `count` is at least 0. It replaces the offset there was.
    public func offset(_ count: Int) -> MixedFetch { changing { $0.offset = count } }

    /// The objects after the place of a token, in the query's order; all objects when the token is nil. See ``Fetch/after(_:)``.
    public func after(_ token: ContinuationToken?) -> MixedFetch {
        var fetch = self
        fetch.draft.start = token
        return fetch
    }

    /// The same query with a time limit, counted from the start of its run; see ``Fetch/deadline(_:)``.
    public func deadline(_ duration: Duration) -> MixedFetch {
        var fetch = self
        fetch.draft.deadline = duration
        return fetch
    }

    private func changing(_ change: (inout Query) throws -> Void) -> MixedFetch {
        var fetch = self
        fetch.draft.change(change)
        return fetch
    }
}

/// The properties that models share, by which a closure names values.
///
/// ```swift
/// store.fetchConforming(to: NamedModels.self).where { $0.name.hasPrefix("Bill") }
/// ```
@dynamicMemberLookup
public struct MixedFields<Object> {
    let models: ModelSelection<Object>

    /// A property that the models share.
    public subscript<Value>(dynamicMember property: KeyPath<Object, Value>) -> Field<Value> {
        Field { () throws(TroveError) in try models.path(property) }
    }
}

// Names of their own: as overloads of `fetch` they let the compiler complain of them where a property in a fetch of one model is misspelt.
extension ObjectSource {
    /// A query for the objects of all models that conform to a protocol.
    ///
    /// ```swift
    /// @AbstractModel
    /// protocol Named { var name: String { get } }
    ///
    /// let found: [any Named] = try store.fetchConforming(to: NamedModels.self).where { $0.name == "Ada" }.all()
    /// ```
    public func fetchConforming<Models: ModelGroup>(to models: Models.Type) -> MixedFetch<Models.Object, Self> {
        MixedFetch(
            self, .models(String(describing: Models.Object.self), Models._properties.map { ($0.property, $0.name) }, where: { Models._includes($0) }))
    }

    /// A query for objects of several models, by properties that all of them store under the same name.
    ///
    /// ```swift
    /// let found: [any Model] = try store.fetchModels(Song.self, Film.self).matching("title = ? order by title", "Tosca").all()
    /// ```
    public func fetchModels<First: Model, each Other: Model>(_ first: First.Type, _ other: repeat (each Other).Type) -> MixedFetch<any Model, Self> {
        var types: [any Model.Type] = [first]
        for type in repeat each other { types.append(type) }
        let named = types
        return MixedFetch(self, ModelSelection(named.map { $0.schema.name }.joined(separator: ", "), []) { transaction in
            try named.map { try ModelSelection<any Model>.part(of: $0, in: transaction) }
        })
    }

    /// A query for the records of several models and collections by name; the program need not have the models.
    ///
    /// ```swift
    /// let records: [StoredRecord] = try store.fetchRecords(of: ["Song", "Film"]).matching("title = ?", "Tosca").all()
    /// ```
    ///
    /// A record of a model that the program has comes in the model's current layout, upgraded; one of another as it was stored, in the layout it was written
    /// in. Conditions on these see nil for what a record lacks, and use indexes where all records of the model have one layout.
    ///
    /// - Throws: when it is read, ``TroveError/unknownType(_:known:)`` for a name that the store has no records of.
    public func fetchRecords(of names: [String]) -> MixedFetch<StoredRecord, Self> { MixedFetch(self, .named(names)) }
}
