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
    /// The pages stay right whatever is written between them: no object is given twice and none left out, but for those whose place in the order is changed meanwhile.
    /// A limit of the query bounds each page; an offset is passed over before the first.
    ///
    /// - Parameters:
    ///   - size: how many objects to give at most; at least 1.
    ///   - token: the token of the page before; nil for the first page.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when `size` is below 1.
    @inlinable
    public func page(_ size: Int, after token: ContinuationToken? = nil) throws -> (objects: [Object], next: ContinuationToken?) {
        var objects: [Object] = []
        let fetch = token == nil ? self : after(token)
        let next = try source.read { transaction in
            let model = try transaction.open(Object.self)
            return try transaction.forEachRecord(of: model, fetch.draft, pageSize: size) { key, record in
                try transaction.withDecoder(record, key: key, model) { objects.append(try transaction.object(&$0)) }
                return .next
            }
        }
        return (objects, next)
    }
}
