/// A query for objects of one type: built up step by step, then read in one of several ways.
///
/// ```swift
/// let songs = try store.fetch(Song.self)
///     .where { $0.artist == "Bill Evans" }
///     .sorted(by: \.year, .descending)
///     .limit(10)
///     .all()
/// try store.fetch(Song.self).forEach { song, stop in
///     print(song.title)
///     stop = song.year > 1960
/// }
/// ```
///
/// It is a value: each step gives a new one, which may be kept, shared and read any number of times. Nothing is read before one of the
/// methods that give results is called, and mistakes in the building are thrown there. Without a sort objects come ascending by id, and with one
/// objects with equal values do. Every read sees one snapshot.
public struct Fetch<Object: Model, Source: ObjectSource> {
    @usableFromInline let source: Source
    @usableFromInline var draft: QueryDraft

    @usableFromInline init(source: Source) {
        self.source = source
        draft = QueryDraft(Object.schema.name)
    }

    @usableFromInline init(source: Source, draft: QueryDraft) {
        self.source = source
        self.draft = draft
    }

    /// The query as built so far.
    public var query: Query { draft.query }
}

extension Fetch: Sendable where Source: Sendable {}

/// A source of objects: a store, which reads its newest state for each fetch, a transaction, which is one state, or a ``StoreSnapshot``, which keeps one.
public protocol ObjectSource {
    /// Runs `body` on one snapshot.
    func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result

    /// Runs `body`, which reads only the models that a query concerns. Trove's own.
    func _read<Result>(_ scope: _QueryScope, _ body: (ReadTransaction) throws -> Result) throws -> Result

    /// What gives live objects where the source has some, for code of a caller, which has to run outside of transactions there; nil elsewhere. Trove's own.
    var _live: (any _LiveSource)? { get }
}

/// A source of live objects. Trove's own.
public protocol _LiveSource {
    /// Gives the objects of a query batch after batch, and nil at the end, each batch read in a transaction that has ended.
    func _batches<Object: Model>(of type: Object.Type, _ scope: _QueryScope) -> () throws -> [Object]?
}

/// A source whose fetches can be read on the reader threads of the store, so that no thread of a task waits: a store, a snapshot, a context, a bag.
public protocol AsyncObjectSource: ObjectSource, Sendable {
    /// Runs `body` on a reader thread. Trove's own.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before a thread is free.
    func _onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
}

/// The models that a query concerns. Trove's own.
public struct _QueryScope: Sendable {
    let draft: QueryDraft

    @usableFromInline init(_ draft: QueryDraft) {
        self.draft = draft
    }
}

extension ObjectSource {
    /// Reads as other reads do.
    @inlinable
    public func _read<Result>(_ scope: _QueryScope, _ body: (ReadTransaction) throws -> Result) throws -> Result { try read(body) }

    @inlinable
    public var _live: (any _LiveSource)? { nil }

    @inlinable
    func read<Result>(of draft: QueryDraft, _ body: (ReadTransaction) throws -> Result) throws -> Result { try _read(_QueryScope(draft), body) }
}

extension ObjectStore: AsyncObjectSource {
    public func _onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try await readPool.run(body) }
}

extension ReadTransaction: ObjectSource {}

extension ObjectSource {
    /// A query for the objects of a type; from a store or a write transaction it can also change them.
    @inlinable
    public func fetch<Object: Model>(_ type: Object.Type) -> Fetch<Object, Self> {
        Fetch(source: self)
    }
}
