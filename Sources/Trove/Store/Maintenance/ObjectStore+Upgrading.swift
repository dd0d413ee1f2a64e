extension ObjectStore {
    /// Rewrites all objects of a type that are stored in an older layout, and applies ``Model/upgrade(from:)``.
    ///
    /// Reading does this for one object at a time, so it is never needed; it ends the cost of doing so, and lets
    /// later versions of the model drop what they know of the old ones. Objects are rewritten in batches, a transaction each, while the
    /// store is in use; when it breaks off it can be run again.
    ///
    /// - Returns: how many objects were rewritten.
    /// - Throws: ``TroveError/upgradeFailed(model:id:underlying:)``; what `progress` throws.
    @discardableResult
    public func upgrade<Object: Model>(
        _ type: Object.Type, batchSize: Int = 10_000, progress: (StoreProgress) throws -> Void = { _ in }
    ) throws -> Int {
        let total = try read { try $0.countObjects($0.open(type)) }
        var rewritten = 0
        var seen = 0
        var last: [UInt8]?
        repeat {
            let start = last
            let batch = try write { try $0.upgradeBatch(type, after: start, size: max(1, batchSize)) }
            for finish in batch.committed { finish() }
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
    /// Rewrites the older ones among the next `size` records; `last` is nil at the end.
    fileprivate func upgradeBatch<Object: Model>(
        _ type: Object.Type, after start: [UInt8]?, size: Int
    ) throws -> (seen: Int, rewritten: Int, last: [UInt8]?, committed: [() -> Void]) {
        var seen = 0
        var last: [UInt8]?
        var objects: [Object] = []
        var replaced: [(key: [UInt8], version: UInt64)] = []
        let model = try open(type)
        try forEachRecordBytes(of: model, after: start) { key, record in
            seen += 1
            let number = try layoutNumber(of: record, key: key, model)
            if number != model.binding.layout.number {
                try withDecoder(record, key: key, model) {
                    if model.isLive { replaced.append((try $0.wholeKey(), record.withUnsafeBytes { RecordChecksum.version(of: $0) })) }
                    objects.append(try object(&$0))
                }
            }
            guard seen == size else { return .next }
            last = [UInt8](copying: key)
            return .stop
        }
        try saveUpgraded(objects)
        return (seen, objects.count, last, try core.attachments.rewriteListeners.map { try $0.noteRewritten(replaced, of: type, in: self) })
    }

    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)``.
    private func layoutNumber(of record: RawSpan, key: RawSpan, _ model: OpenModel) throws -> UInt16 {
        do {
            return try record.withUnsafeBytes { try RecordDecoder.header(of: $0).layout }
        } catch let fault as DecodingFault {
            throw fault.error(model: model.binding.schema, field: 0, key: [UInt8](copying: key))
        }
    }

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
