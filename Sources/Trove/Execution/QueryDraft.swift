import TroveBackendKit

/// A query as a ``Fetch`` builds it up: a value that no step of the building has to throw for.
@usableFromInline struct QueryDraft: Sendable {
    var query: Query
    /// Where to go on, strictly after the object that the token was made of.
    var start: ContinuationToken?
    /// How long a run may take; nil for no bound.
    var deadline: Duration?
    /// When the time began of which it may take so much; nil for when it begins itself.
    var beginning: ContinuousClock.Instant?
    /// The paths into values, which may go through references, that are read of the results besides.
    private(set) var readPaths: [FieldPath] = []
    /// The first mistake made in building; it is thrown when the fetch runs.
    private(set) var problem: (any Error)?

    @usableFromInline init(_ model: String) {
        query = Query(model)
    }

    /// Whether it asks for all objects in the order of their ids, which needs no plan.
    @usableFromInline var isPlain: Bool {
        problem == nil && deadline == nil && isWhole && query.sort.isEmpty && query.filter == .constant(true)
    }

    /// Whether each object that passes the filter is a result: none is passed over or left out.
    var isWhole: Bool { start == nil && !query.hasWindow }

    /// Changes the query, unless a mistake was made before; what `change` throws is kept.
    mutating func change(_ change: (inout Query) throws -> Void) {
        guard problem == nil else { return }
        do {
            try change(&query)
        } catch {
            problem = error
        }
    }

    /// The query, when it was built without mistakes.
    ///
    /// - Throws: the first mistake; ``TroveError/invalidQuery(reason:)`` for a negative limit or offset.
    func checkedQuery() throws -> Query {
        if let problem { throw problem }
        if let limit = query.limit, limit < 0 {
            throw TroveError.invalidQuery(reason: "its limit is \(limit), but must be 0 or more")
        }
        if query.offset < 0 {
            throw TroveError.invalidQuery(reason: "its offset is \(query.offset), but must be 0 or more")
        }
        return query
    }
}

extension QueryDraft {
    /// The same for several reads that are one to who asks: the time that they may take begins now.
    var begun: QueryDraft {
        guard deadline != nil, beginning == nil else { return self }
        var draft = self
        draft.beginning = .now
        return draft
    }

    /// What ends a run that begins now when its time is over, or when nobody waits for it.
    func watch(heedsCancellation: Bool) -> ReadWatch {
        guard let deadline else { return ReadWatch(heedsCancellation: heedsCancellation) }
        let query = query
        let limit = ReadWatch.TimeLimit(instant: (beginning ?? .now) + deadline.withinACentury) {
            .deadlineExceeded(query: query.shownInErrors, deadline: deadline)
        }
        return ReadWatch(heedsCancellation: heedsCancellation, limit: limit)
    }

    /// The same for a read of values at some paths of the results.
    func reading(_ paths: some Sequence<FieldPath>) -> QueryDraft {
        var draft = self
        for path in paths where !path.names.isEmpty { draft.readPaths.append(path) }
        return draft
    }

    /// The query with a limit of at most `count`.
    @usableFromInline func limited(to count: Int) -> QueryDraft {
        var draft = self
        if let limit = query.limit, limit < count { return draft }
        draft.query.limit = count
        return draft
    }
}
