extension ReadTransaction {
    /// The aggregates of all of a query's objects.
    func totals(_ specifications: [AggregateSpecification], of type: any Model.Type, _ draft: QueryDraft) throws -> [StoredValue] {
        try grouping(by: [], specifications, of: type, draft).totals()
    }

    /// The aggregates of a query's objects for each combination of values, ascending by these.
    func groups(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of type: any Model.Type, _ draft: QueryDraft
    ) throws -> [GroupedValues] {
        try grouping(by: paths, specifications, of: type, draft).results()
    }

    private func grouping(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of type: any Model.Type, _ draft: QueryDraft
    ) throws -> Grouping {
        let model = try open(type)
        let grouping = try Grouping(by: paths, aggregates: specifications.map { ($0.function, $0.path) }, in: model.binding)
        try forEachRecord(of: model, draft.unordered) { key, record in
            try withRecordView(record, key: key, model) { try grouping.add($0) }
            return .next
        }
        return grouping
    }
}

extension QueryDraft {
    /// The query for a reader to whom the order of the objects does not matter.
    fileprivate var unordered: QueryDraft {
        var draft = self
        // Which objects a limit leaves depends on the order.
        draft.change { query in
            if query.limit == nil, query.offset == 0, start == nil { query.sort = [] }
        }
        return draft
    }
}
