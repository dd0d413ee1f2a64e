extension MixedFetch {
    /// The objects, read in one snapshot.
    ///
    /// - Throws: what ``Fetch/all()`` throws; ``TroveError/invalidQuery(reason:)`` when the store was opened with none of the models.
    public func all() throws -> [Object] {
        try read { transaction, parts in
            var objects: [Object] = []
            try MixedRun(transaction, parts.map(\.model), draft).forEachRecord { model, _, key, record in
                objects.append(try parts[model].make(record, key, transaction))
                return .next
            }
            return objects
        }
    }

    /// The first object in the query's order; nil when there is none.
    public func first() throws -> Object? { try limited(to: 1).all().first }

    /// Calls `body` with each object, in the query's order and in one snapshot, until it sets `stop`. Memory stays flat, but for the
    /// keys of what is sorted without an index.
    ///
    /// In a write transaction, of a context, its saved objects and its bags all objects are read before the first is given, so that `body` may change them; of
    /// a context it runs outside of the store's transactions, and may save.
    public func forEach(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        if source._live != nil {
            var stop = false
            for object in try all() where !stop { try body(object, &stop) }
            return
        }
        try read { transaction, parts in
            let run = try MixedRun(transaction, parts.map(\.model), draft)
            var stop = false
            guard transaction is WriteTransaction else {
                return try run.forEachRecord { model, _, key, record in
                    try body(parts[model].make(record, key, transaction), &stop)
                    return stop ? .stop : .next
                }
            }
            var objects: [Object] = []
            try run.forEachRecord { model, _, key, record in
                objects.append(try parts[model].make(record, key, transaction))
                return .next
            }
            for object in objects where !stop { try body(object, &stop) }
        }
    }

    /// The number of objects of all models together: of those that ``all()`` gives, so at most the limit.
    public func count() throws -> Int {
        try read { transaction, parts in
            let window = ResultWindow(try draft.checkedQuery())
            guard draft.start == nil else {
                var count = 0
                try MixedRun(transaction, parts.map(\.model), draft).forEachRecord { _, _, _, _ in
                    count += 1
                    return .next
                }
                return count
            }
            var draft = draft
            draft.beginning = .now
            draft.query.offset = 0
            draft.query.limit = window.reach
            let count = try parts.reduce(0) { try $0 + transaction.countResults(of: $1.model, MixedRun.draft(draft, of: $1.model)) }
            return window.passing(count)
        }
    }

    /// Whether there is an object.
    public func exists() throws -> Bool { try limited(to: 1).count() > 0 }

    /// References to the objects, in the query's order.
    public func references() throws -> [AnyReference] {
        try read { transaction, parts in
            var references: [AnyReference] = []
            let run = try MixedRun(transaction, parts.map(\.model), draft)
            try run.forEachRecord { model, sort, key, record in
                let place = try run.place(model, sort, key, record)
                references.append(AnyReference(modelName: place.model, keyBytes: place.key))
                return .next
            }
            return references
        }
    }

    /// One page of the objects, and the token of the next page; nil when this was the last. See ``Fetch/page(_:after:)``.
    ///
    /// - Parameters:
    ///   - size: how many objects to give at most; at least 1.
    ///   - token: the token of the page before; nil for the first page.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when `size` is below 1; ``TroveError/invalidToken(reason:)``, also when the store
    ///   was opened with other models meanwhile.
    public func page(_ size: Int, after token: ContinuationToken? = nil) throws -> (objects: [Object], next: ContinuationToken?) {
        guard size > 0 else { throw TroveError.invalidQuery(reason: "a page has \(size) objects, but must have 1 or more") }
        // A limit below 0 is told as it was given.
        _ = try draft.checkedQuery()
        return try read { transaction, parts in
            var draft = token == nil ? draft : after(token).draft
            let size = min(size, draft.query.limit ?? size, .max - 1)
            // The offset was passed over before the first page.
            if draft.start != nil { draft.change { $0.offset = 0 } }
            draft.change { $0.limit = size == 0 ? 0 : size + 1 }
            var objects: [Object] = []
            let next = try MixedRun(transaction, parts.map(\.model), draft).forEachRecord(pageSize: size) { model, _, key, record in
                objects.append(try parts[model].make(record, key, transaction))
                return .next
            }
            return (objects, next)
        }
    }

    /// The plan of the query in each of the models, in the order of their names.
    ///
    /// - Parameter running: whether to run each query too, so that the steps have the numbers of rows they really met.
    public func explain(running: Bool = true) throws -> [Explanation] {
        try read { transaction, parts in
            try MixedRun(transaction, parts.map(\.model), draft).explained(running: running)
        }
    }

    func read<Result>(_ body: (ReadTransaction, [ModelSelection<Object>.Part]) throws -> Result) throws -> Result {
        try source.read { try body($0, models.parts(in: $0)) }
    }

    private func limited(to count: Int) -> MixedFetch {
        var fetch = self
        fetch.draft = draft.limited(to: count)
        return fetch
    }
}

/// The asynchronous twins read on the store's reader threads.
extension MixedFetch where Source == ObjectStore {
    /// The objects, read in one snapshot.
    public func all() async throws -> sending [Object] { try await source.readPool.run { FetchedObjects(try self.all()) }.objects }

    /// The first object in the query's order; nil when there is none.
    public func first() async throws -> sending Object? { try await source.readPool.run { FetchedObjects(try self.first()) }.objects }

    /// One page of the objects, and the token of the next page; nil when this was the last.
    public func page(_ size: Int, after token: ContinuationToken? = nil) async throws -> sending (objects: [Object], next: ContinuationToken?) {
        try await source.readPool.run { FetchedObjects(try self.page(size, after: token)) }.objects
    }

    /// The number of objects of all models together.
    public func count() async throws -> Int { try await source.readPool.run { try self.count() } }

    /// Whether there is an object.
    public func exists() async throws -> Bool { try await source.readPool.run { try self.exists() } }

    /// References to the objects, in the query's order.
    public func references() async throws -> [AnyReference] { try await source.readPool.run { try self.references() } }

    /// The plan of the query in each of the models, in the order of their names; see ``explain(running:)``.
    public func explain(running: Bool = true) async throws -> [Explanation] { try await source.readPool.run { try self.explain(running: running) } }
}
