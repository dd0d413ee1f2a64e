extension ReadTransaction {
    /// The aggregates of all of a query's objects.
    func totals(_ specifications: [AggregateSpecification], of type: any Model.Type, _ query: Query) throws -> [StoredValue] {
        try grouping(by: [], specifications, of: type, query).totals()
    }

    /// The aggregates of a query's objects for each combination of values, ascending by these.
    func groups(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of type: any Model.Type, _ query: Query
    ) throws -> [GroupedValues] {
        try grouping(by: paths, specifications, of: type, query).results()
    }

    private func grouping(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of type: any Model.Type, _ query: Query
    ) throws -> Grouping {
        let binding = try core.binding(for: type)
        let grouping = try Grouping(by: paths, aggregates: specifications.map { ($0.function, $0.path) }, in: binding)
        // Without a limit it does not matter in which order objects are added.
        var query = query
        if query.limit == nil, query.offset == 0 { query.sort = [] }
        try forEachRecord(of: open(type), matching: query) { record in
            try grouping.add(record)
            return .next
        }
        return grouping
    }
}
