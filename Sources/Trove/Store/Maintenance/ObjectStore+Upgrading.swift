extension ObjectStore {
    /// Rewrites all objects of a type that are stored in an older layout, and applies ``Model/upgrade(from:)``.
    ///
    /// Reading does this for one object at a time, so it is never needed; it ends the cost of doing so, and lets
    /// later versions of the model drop what they know of the old ones. Objects are rewritten in batches, a transaction each, while the
    /// store is in use; when it breaks off, as when the task is cancelled, it can be run again.
    ///
    /// - Returns: how many objects were rewritten.
    /// - Throws: ``TroveError/upgradeFailed(model:id:underlying:)``; `CancellationError` between two batches and behind the last; what `progress` throws.
    @discardableResult
    public func upgrade<Object: Model>(
        _ type: Object.Type, batchSize: Int = 10_000, progress: (StoreProgress) throws -> Void = { _ in }
    ) throws -> Int {
        let total = try read { try $0.countObjects($0.open(type)) }
        let watch = ReadWatch()
        var rewritten = 0
        var seen = 0
        var last: [UInt8]?
        repeat {
            try watch.look()
            let start = last
            let batch = try write { try $0.upgradeBatch(type, after: start, size: max(1, batchSize)) }
            rewritten += batch.rewritten
            seen += batch.seen
            last = batch.last
            try progress(StoreProgress(completed: seen, total: max(total, seen)))
        } while last != nil
        // Each later call finds nothing to do here, and lets others write.
        if try read({ try $0.layoutsToRetire($0.core.binding(for: type)).isEmpty }) { return rewritten }
        try write { try $0.retireOlderLayouts(type, watch) }
        return rewritten
    }

    /// Rewrites all objects of a type that are stored in an older layout, on the maintenance thread, which runs one task at a time.
    @discardableResult
    public func upgrade<Object: Model>(
        _ type: Object.Type, batchSize: Int = 10_000,
        progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws -> Int {
        try await maintenanceQueue.run { try self.upgrade(type, batchSize: batchSize, progress: progress) }
    }
}

extension ReadTransaction {
    /// The older layouts of a model that records may have, as far as the catalogue tells.
    fileprivate func layoutsToRetire(_ binding: ModelBinding) throws -> [LayoutEntry] {
        try Catalogue.entries(reader).filter {
            $0.layout.modelName == binding.schema.name && !$0.isRetired && $0.layout.number != binding.layout.number
        }
    }
}

extension WriteTransaction {
    /// Notes that no record has an older layout of this type any more, unless another program wrote one meanwhile.
    ///
    /// It reads all records in the transaction that notes it: programs that are open with an older layout write in it until then.
    ///
    /// - Throws: `CancellationError` by the watch, as nothing is lost when it is run again.
    fileprivate func retireOlderLayouts<Object: Model>(_ type: Object.Type, _ watch: ReadWatch) throws {
        let model = try openForChanging(type)
        var unused = Dictionary(try layoutsToRetire(model.binding).map { ($0.layout.number, $0) }, uniquingKeysWith: { first, _ in first })
        var watch = watch
        try forEachRecordBytes(of: model) { key, record in
            try watch.step()
            unused[try layoutNumber(of: record, key: key, model)] = nil
            return unused.isEmpty ? .stop : .next
        }
        if unused.isEmpty { return }
        for var entry in unused.values {
            entry.isRetired = true
            try Catalogue.write(entry, writer)
        }
        // Later openings do not ask whether they can read these layouts, so a program that is open with one may not write in it any more.
        try IndexDirectory.renew(writer)
    }
}
