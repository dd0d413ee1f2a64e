/// The results of a context's fetch, batch after batch, each read in a transaction of its own.
///
/// Whether pending changes show is settled by the first batch: were each to do the changes that were made since the one before, a walk that changes
/// each object would take quadratic time.
struct ContextBatches<Object: Model>: Sendable {
    private let fetch: Fetch<Object, ObjectContext>
    private let size: Int
    private var place: StreamPlace?

    init(_ fetch: Fetch<Object, ObjectContext>, size: Int) {
        self.fetch = fetch
        self.size = size
    }

    /// The next objects, possibly none; nil at the end.
    mutating func next() throws -> [Object]? {
        let start = place ?? StreamPlace(fetch.draft)
        if start.isAtEnd { return nil }
        let context = fetch.source
        if place == nil, context.hasChanges || context.activeTransaction != nil {
            var end = start
            end.isAtEnd = true
            place = end
            return try fetch.all()
        }
        let size = size
        let (objects, next) = try context.read(includingPendingChanges: false) { try $0.batch(of: Object.self, after: start, size: size) }
        place = next
        return objects
    }
}
