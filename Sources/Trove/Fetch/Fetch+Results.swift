extension Fetch {
    /// The objects, read in one snapshot.
    ///
    /// - Throws: what the building found wrong: ``TroveError/unsupportedKeyPath(model:keyPath:)``, ``TroveError/unknownField(model:field:known:)``,
    ///   ``TroveError/unknownPath(model:path:reason:)``, ``TroveError/incomparable(model:path:reason:)``,
    ///   ``TroveError/invalidRegularExpression(pattern:reason:)``, ``TroveError/invalidQuery(reason:)`` and ``TroveError/invalidToken(reason:)``.
    ///   All other methods that read throw them too.
    @inlinable
    public func all() throws -> [Object] {
        try source.read(of: draft) { transaction in
            let parts = try transaction.readRecords(of: transaction.open(Object.self, draft), draft) { transaction, model, expected, forEachRecord in
                // Each object is moved into the array; handed on by `forEachObject` it would be copied.
                var objects: [Object] = []
                objects.reserveCapacity(expected)
                try forEachRecord { key, record in
                    try transaction.withDecoder(record, key: key, model) { objects.append(try transaction.object(&$0)) }
                }
                return objects
            }
            return parts.joined
        }
    }

    /// The first object in the query's order; nil when there is none.
    @inlinable
    public func first() throws -> Object? {
        var first: Object?
        try source.read(of: draft) { transaction in
            let model = try transaction.open(Object.self, draft)
            try transaction.forEachRecord(of: model, draft.limited(to: 1)) { key, record in
                try transaction.withDecoder(record, key: key, model) { first = try transaction.object(&$0) }
                return .stop
            }
        }
        return first
    }

    /// Calls `body` with each object, in the query's order and in one snapshot, until it sets `stop`.
    ///
    /// Memory stays flat where objects are met in their order; a sort without an index keeps the sorted values and keys.
    ///
    /// In a write transaction `body` may save and delete objects of the type. Each object is given at most once and as it is when its turn comes; it is left
    /// out when it was deleted or no longer passes the filter by then. Objects that `body` adds may be given or not.
    ///
    /// Of a context, its saved objects and its bags `body` runs outside of the store's transactions, so it may use and change live objects, fetch and save.
    /// Without pending changes at the beginning the ids are gathered there, unless objects are met in the order of their ids, and the objects are read in
    /// batches. Each is given at most once, whatever `body` saves; it is left out when it was deleted or no longer passes the filter in the store when its
    /// batch is read. With pending changes that concern the query all objects are read first.
    @inlinable
    public func forEach(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        if let live = source._live {
            let next = live._batches(of: Object.self, _QueryScope(draft))
            var stop = false
            while !stop, let batch = try next() {
                for object in batch where !stop { try body(object, &stop) }
            }
            return
        }
        try source.read(of: draft) { transaction in
            let model = try transaction.open(Object.self, draft)
            var stop = false
            try transaction.forEachRecord(of: model, draft, mayChange: true) { key, record in
                var next: Object?
                try transaction.withDecoder(record, key: key, model) { next = try transaction.object(&$0) }
                // Outside of the decoder, which takes errors for its own; and the bytes may be gone once `body` changes something.
                if let next { try body(next, &stop) }
                return stop ? .stop : .next
            }
        }
    }

    /// The ids of the objects, in the query's order. Records are read only where the filter or sort needs them.
    public func ids() throws -> [Object.ID] {
        try source.read(of: draft) { transaction in try transaction.objectIDs(Object.self, draft) }
    }

    /// The number of objects: of those that ``all()`` gives, so at most the limit.
    ///
    /// - Complexity: for all objects O(1) where ``StorageCapabilities/countsInConstantTime`` is true, or where the model has an index of values that are not
    ///   collections, otherwise O(*n*) over the keys; with a filter that an index answers, over its entries alone.
    public func count() throws -> Int {
        try source.read(of: draft) { transaction in try transaction.countResults(Object.self, draft) }
    }

    /// Whether there is an object.
    public func exists() throws -> Bool {
        try source.read(of: draft) { transaction in try transaction.countResults(Object.self, draft.limited(to: 1)) > 0 }
    }

    /// The plan of the query.
    ///
    /// ```swift
    /// print(try store.fetch(Song.self).where { $0.year == 1959 }.explain())
    /// ```
    ///
    /// - Parameter running: whether to run the query too, so that the steps have the numbers of rows they really met.
    public func explain(running: Bool = true) throws -> Explanation {
        try source.read(of: draft) { transaction in try transaction.explain(Object.self, draft, running: running) }
    }
}

extension Fetch {
    /// One page of the objects, and the token of the next page; nil when this was the last.
    ///
    /// ```swift
    /// var next: ContinuationToken?
    /// repeat {
    ///     let page = try fetch.page(100, after: next)
    ///     show(page.objects)
    ///     next = page.next
    /// } while next != nil
    /// ```
    ///
    /// The pages stay right whatever is written between them: no object is given twice and none left out, but for those whose place in the order is changed
    /// meanwhile. A limit of the query bounds each page; an offset is passed over before the first.
    ///
    /// - Parameters:
    ///   - size: how many objects to give at most; at least 1.
    ///   - token: the token of the page before; nil for the first page.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when `size` is below 1.
    @inlinable
    public func page(_ size: Int, after token: ContinuationToken? = nil) throws -> (objects: [Object], next: ContinuationToken?) {
        var objects: [Object] = []
        let fetch = token == nil ? self : after(token)
        let next = try source.read(of: draft) { transaction in
            let model = try transaction.open(Object.self, draft)
            return try transaction.forEachRecord(of: model, fetch.draft, pageSize: size) { key, record in
                try transaction.withDecoder(record, key: key, model) { objects.append(try transaction.object(&$0)) }
                return .next
            }
        }
        return (objects, next)
    }
}

extension Fetch {
    /// The first object in the query's order.
    ///
    /// ```swift
    /// let song = try store.fetch(Song.self).where { $0.title == "So What" }.requireFirst()
    /// ```
    ///
    /// - Throws: ``TroveError/notFound(query:)`` when there is none.
    @inlinable
    public func requireFirst() throws -> Object {
        guard let first = try first() else { throw notFound }
        return first
    }

    /// The last object in the query's order; nil when there is none.
    ///
    /// - Complexity: that of the first object of the opposite order; with a limit, an offset or a token that of counting the objects besides.
    public func last() throws -> Object? {
        if draft.isWhole { return try reversed.first() }
        // The place of the last one is not that from the end.
        let draft = draft.begun
        return try source.read(of: draft) { transaction in
            let count = try transaction.countResults(Object.self, draft)
            if count == 0 { return nil }
            let last = Fetch<Object, ReadTransaction>(source: transaction, draft: draft)
            return try last.offset(draft.query.offset + count - 1).limit(1).first()
        }
    }

    /// The same objects in the opposite order, those with equal values descending by id.
    private var reversed: Fetch {
        changing { query in
            query.sort = query.sort.map { SortKey($0.path, $0.direction == .ascending ? .descending : .ascending, ignoring: $0.ignoring) }
            query.sort.append(SortKey(Object.idPath, .descending))
        }
    }

    @usableFromInline var notFound: TroveError { .notFound(query: draft.query.shownInErrors) }
}

extension Fetch where Source: AsyncObjectSource {
    /// The first object in the query's order.
    ///
    /// - Throws: ``TroveError/notFound(query:)`` when there is none.
    public func requireFirst() async throws -> Object {
        guard let first = try await first() else { throw notFound }
        return first
    }

    /// The last object in the query's order; nil when there is none.
    public func last() async throws -> Object? { try await source._onReader { try self.last() } }
}
