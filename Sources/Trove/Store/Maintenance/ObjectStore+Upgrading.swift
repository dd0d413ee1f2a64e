extension ObjectStore {
    /// Rewrites all objects of a type that are stored in an older layout, and applies ``Model/upgrade(from:)``.
    ///
    /// Reading does this for one object at a time, so it is never needed; it ends the cost of doing so, and lets
    /// later versions of the model drop what they know of the old ones. Objects are rewritten in batches, a transaction each, while the
    /// store is in use; when it breaks off, as when the task is cancelled, it can be run again.
    ///
    /// - Returns: how many objects were rewritten.
    /// - Throws: ``TroveError/upgradeFailed(model:id:underlying:)``; `CancellationError` between two batches; what `progress` throws.
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
        try write { try $0.retireOlderLayouts(type) }
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

extension WriteTransaction {
    /// Notes that no record has an older layout of this type any more, unless another program wrote one meanwhile.
    fileprivate func retireOlderLayouts<Object: Model>(_ type: Object.Type) throws {
        let model = try openForChanging(type)
        let binding = model.binding
        var used: Set<UInt16> = [binding.layout.number]
        try forEachRecordBytes(of: model) { key, record in
            used.insert(try layoutNumber(of: record, key: key, model))
            return .next
        }
        let unused = try Catalogue.entries(reader).filter {
            $0.layout.modelName == binding.schema.name && !$0.isRetired && !used.contains($0.layout.number)
        }
        if unused.isEmpty { return }
        for var entry in unused {
            entry.isRetired = true
            try Catalogue.write(entry, writer)
        }
        // Later openings do not ask whether they can read these layouts, so a program that is open with one may not write in it any more.
        try IndexDirectory.renew(writer)
    }
}
