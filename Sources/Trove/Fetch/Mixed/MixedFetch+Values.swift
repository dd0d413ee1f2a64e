extension MixedFetch where Object == StoredRecord {
    /// Calls `body` with each record, in the query's order, and the values at some paths, which may go through references, until it sets `stop`.
    ///
    /// `values` throws where one of them cannot be read, as a damaged lazy value; after that `body` may go on with the next record.
    ///
    /// - Throws: what is wrong with the paths; with paths, ``TroveError/invalidQuery(reason:)`` when the fetch is of several models or goes on behind a
    ///   token.
    package func forEach(
        with paths: [FieldPath], _ body: (_ record: StoredRecord, _ values: () throws -> [StoredValue], _ stop: inout Bool) throws -> Void
    ) throws {
        if paths.isEmpty { return try forEach { try body($0, { [] }, &$1) } }
        try readOneModel(of: "values at paths") { transaction, model, draft in
            let make = try models.parts(in: transaction)[0].make
            let paths = try transaction.namingReferences(paths, of: model.binding)
            let referenced = try transaction.referencedValues(model, at: paths, keepsFailures: true)
            let readers = try paths.map { try referenced?.reader(of: $0) ?? FieldReader($0, in: model.binding) }
            var stop = false
            try QueryRun(transaction, model, draft, .records, selected: referenced).forEachResult { key, record in
                try body(
                    make(record, key, transaction),
                    {
                        if let failure = referenced?.failure { throw failure }
                        var values: [StoredValue] = []
                        try transaction.withRecordView(record, key: key, model) { view in
                            let view = referenced?.looking(view) ?? view
                            values = try readers.map { try $0.value(view) }
                        }
                        return values
                    }, &stop)
                return stop ? .stop : .next
            }
        }
    }
}
