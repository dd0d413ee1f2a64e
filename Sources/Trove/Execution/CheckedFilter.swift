/// A query's filter as conditions on the model's own fields, found to be right.
struct CheckedFilter {
    /// The whole filter as it was written, but that what is behind references has been asked.
    let filter: Filter
    let compiler: FilterCompiler
    /// The filter worked out, once it was needed.
    private var worked: FilterTree?

    /// - Parameters:
    ///   - query: names ids and what is behind references as plans know them, afterwards.
    ///   - hops: how many references lead from the query it is a part of to this one.
    ///   - rewritten: the ``filter`` of an earlier one of the same query in the same snapshot; nil when there is none.
    /// - Throws: what the filter and the sort have wrong.
    init(_ transaction: ReadTransaction, _ model: OpenModel, _ query: inout Query, hops: Int = 0, _ watch: ReadWatch, rewritten: Filter?) throws {
        let binding = model.binding
        try FilterCompiler.checkSize(of: query.filter)
        try transaction.flushIndexes()
        compiler = FilterCompiler(binding: binding, lookup: transaction, watch: watch)
        let isPlain = compiler.isPlainlyRight(query.filter)
        if !isPlain || !query.sort.isEmpty { query.nameIDs(of: binding) }
        try transaction.nameReferences(in: &query.sort, of: binding)
        if isPlain {
            filter = query.filter
            return
        }
        filter = try rewritten ?? SemiJoin(transaction, binding, hops: hops, watch).rewritten(query.filter)
        // Worked out as written, so that folding hides no mistake.
        worked = try compiler.tree(filter)
    }

    mutating func tree() throws -> FilterTree {
        let tree = try worked ?? compiler.tree(filter)
        worked = tree
        return tree
    }

    /// The whole filter; nil when every object passes.
    mutating func compiled() throws -> CompiledFilter? {
        let tree = try tree()
        return if case .constant(true) = tree { nil } else { CompiledFilter(tree) }
    }
}

extension Query {
    /// Calls the id of a model's objects by its own name where it is called `$id`, which indexes and plans do not know. A property of that name stays one.
    fileprivate mutating func nameIDs(of binding: ModelBinding) {
        guard !binding.isCollection, binding.layout.position(of: FieldPath.documentID.field) == nil, binding.layout.position(of: FieldPath.id.field) == nil
        else { return }
        if filter.hasPath(where: { $0 == .documentID }) { filter = filter.mapPaths { $0 == .documentID ? .id : $0 } }
        for place in sort.indices where sort[place].path == .documentID {
            sort[place] = SortKey(.id, sort[place].direction, ignoring: sort[place].ignoring)
        }
    }
}

extension ReadTransaction {
    /// Calls `body` with the records of keys found before, as they are now, but for those that are gone or do not pass any more.
    func forEachRecordAnew(
        _ keys: KeyList, _ positions: Range<Int>, of model: OpenModel, _ filter: CompiledFilter?, _ watch: ReadWatch, _ body: QueryRun.RecordBody
    ) throws {
        guard let keyspace = model.keyspace else { return }
        var watch = watch
        for position in positions {
            try prefetch(keys, from: position, in: keyspace)
            try watch.step()
            let key = keys[position]
            var copy: [UInt8]?
            _ = try reader.get(key.span.bytes, in: keyspace) { copy = [UInt8](copying: $0) }
            guard let copy else { continue }
            if let filter {
                var passes = false
                try withRecordView(copy.span.bytes, key: key.span.bytes, model) { passes = try filter.matches($0) }
                if !passes { continue }
            }
            if try body(key.span.bytes, copy.span.bytes) == .stop { return }
        }
    }
}
