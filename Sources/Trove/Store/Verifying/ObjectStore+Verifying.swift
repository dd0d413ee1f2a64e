extension ObjectStore {
    /// Reads every entry of the store and reports those that are damaged or do not fit their model.
    ///
    /// Records of types the program knows are decoded whole; of others, each value is. Checksums cover keys and bytes. The indexes of known
    /// types that are ready are compared with the records both ways, their counts, sums and statistics too.
    /// References that point at nothing are reported too.
    /// Before that the engine checks its own file, page by page; when that finds damage it is the report's one problem, under the name `$engine`,
    /// and nothing is read, since some engines crash on such files.
    /// The store is not changed, and damage is reported, not thrown.
    ///
    /// - Throws: ``StorageError`` when the engine cannot go on reading; `CancellationError` when the task is cancelled; what `progress` throws.
    public func verify(progress: (StoreProgress) throws -> Void = { _ in }) throws -> VerificationReport {
        try read { try $0.verify(progress) }
    }

    /// Reads every entry of the store on the maintenance thread, which runs one task at a time, and reports those that are damaged or do not fit their model.
    public func verify(
        progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws -> VerificationReport {
        let core = core
        return try await maintenanceQueue.run { try core.read { try $0.verify(progress) } }
    }
}

extension ReadTransaction {
    private static let reportInterval = 10_000

    fileprivate func verify(_ progress: (StoreProgress) throws -> Void) throws -> VerificationReport {
        let reader = try reader
        var report = VerificationReport()
        do {
            try core.backend.checkStructure()
        } catch let error as StorageError where error.suspectsCorruption {
            var told = 0
            report.add(error, of: [], in: "$engine", after: &told)
            return report
        }
        let keyspaces = try reader.keyspaceNames().compactMap { name in
            try reader.keyspace(named: name).map { (name: name, keyspace: $0) }
        }
        let total = try keyspaces.reduce(0) { try $0 + reader.count(in: $1.keyspace) }
        var completed = 0
        var watch = watch
        func advance() throws {
            try watch.step()
            completed += 1
            if completed.isMultiple(of: Self.reportInterval) { try progress(.init(completed: completed, total: total)) }
        }
        for (name, keyspace) in keyspaces {
            let content = KeyspaceContent(name, in: core)
            guard let check = try entryCheck(name, content) else { continue }
            let model = content == .records ? namedModel(name) : nil
            var previous: [UInt8] = []
            var told = 0
            try reader.scan(in: keyspace) { key, value in
                // A page of an earlier state of the file may have sound records, but rarely the keys that belong between its neighbours.
                if !previous.isEmpty, key.compare(to: previous[...]) <= 0 {
                    let error = StorageError.corrupt(
                        .init(engine: core.backend.capabilities.engine, path: core.backend.path, message: "keys are not in their order; restore a backup"))
                    report.add(error, of: [UInt8](copying: key), in: name, model, after: &told)
                }
                previous.removeAll(keepingCapacity: true)
                key.withUnsafeBytes { previous.append(contentsOf: $0) }
                do {
                    try check(key, value)
                } catch let error as StorageError where !error.suspectsCorruption {
                    throw error
                } catch let error as CancellationError {
                    throw error
                } catch {
                    report.add(error, of: [UInt8](copying: key), in: name, model, after: &told)
                }
                switch content {
                case .records: report.records += 1
                case .blobs, .blobHeaders: report.blobs += 1
                default: break
                }
                try advance()
                return .next
            }
        }
        try verifyIndexes(&report, advance)
        try verifyReferences(&report)
        try progress(.init(completed: total, total: total))
        return report
    }
}
