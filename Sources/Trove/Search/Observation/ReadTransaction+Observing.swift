extension ReadTransaction {
    /// A store's fetch in this snapshot.
    func fetch<Object: Model>(as fetch: Fetch<Object, ObjectStore>) -> Fetch<Object, ReadTransaction> {
        Fetch(source: self, draft: fetch.draft)
    }

    /// The result of a query with what tells one reading of it from another.
    func observedResult<Object: Model>(of fetch: Fetch<Object, ObjectStore>) throws -> ObservedResult<Object> {
        let model = try open(Object.self)
        var rows: [ObservedResult<Object>.Row] = []
        try forEachRecord(of: model, fetch.draft) { key, record in
            try withDecoder(record, key: key, model) { decoder in
                rows.append(.init(key: [UInt8](copying: key), hash: Checksum.hash(record), object: try object(&decoder)))
            }
            return .next
        }
        return ObservedResult(rows: rows)
    }
}
