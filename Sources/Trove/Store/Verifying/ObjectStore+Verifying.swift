extension ObjectStore {
    /// Reads every entry of the store and reports those that are damaged or do not fit their model.
    ///
    /// Records of types the program knows are decoded whole; of others, each value is. Checksums cover keys and bytes. The indexes of known
    /// types that are ready are compared with the records both ways, their counts, sums and statistics too.
    /// References that point at nothing are reported too.
    /// Before that the engine checks its own file, page by page. Damage that it finds is the report's first problem, under the name `$engine`.
    /// The rest is read nevertheless where ``StorageCapabilities/readsDamagedFiles`` is true, as on SQLite, in transactions of its own; elsewhere
    /// nothing is, since some engines crash on such files; `progress` begins again then, with a total that nobody knows. ``VerificationReport/isPartial`` tells that something could not be read.
    /// The store is not changed, and damage is reported, not thrown.
    ///
    /// - Throws: ``StorageError`` when the engine cannot go on reading; `CancellationError` when the task is cancelled; what `progress` throws.
    public func verify(progress: (StoreProgress) throws -> Void = { _ in }) throws -> VerificationReport {
        try core.verify(progress)
    }

    /// Reads every entry of the store on the maintenance thread, which runs one task at a time, and reports those that are damaged or do not fit their model.
    public func verify(
        progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws -> VerificationReport {
        let core = core
        return try await maintenanceQueue.run { try core.verify(progress) }
    }
}

extension StoreCore {
    fileprivate func verify(_ progress: (StoreProgress) throws -> Void) throws -> VerificationReport {
        // What the caller throws ends the verification, also where it is an error of a damaged file.
        func told(_ state: StoreProgress) throws {
            do { try progress(state) } catch { throw VerificationEnd(cause: error) }
        }
        do {
            return try verified(told)
        } catch let end as VerificationEnd {
            throw end.cause
        }
    }

    private func verified(_ progress: (StoreProgress) throws -> Void) throws -> VerificationReport {
        let readsDamage = backend.capabilities.readsDamagedFiles
        var report = VerificationReport()
        do {
            report = try read { try $0.verify(progress) }
            guard readsDamage, report.isPartial else { return report }
            report.isPartial = false
        } catch let error as StorageError where readsDamage && error.isOfDamage {
            report.addDamage(error)
        }
        try readDamaged(&report, progress)
        return report
    }
}

/// The end of a verification by its caller's progress closure.
struct VerificationEnd: Error {
    let cause: any Error
}

extension ReadTransaction {
    fileprivate func verify(_ progress: (StoreProgress) throws -> Void) throws -> VerificationReport {
        let reader = try reader
        var report = VerificationReport()
        do {
            try core.backend.checkStructure()
        } catch let error as StorageError where error.suspectsCorruption {
            report.addDamage(error)
            report.isPartial = true
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
            if completed.isMultiple(of: StoreProgress.verificationInterval) { try progress(.init(completed: completed, total: total)) }
        }
        for (name, keyspace) in keyspaces {
            let content = KeyspaceContent(name, in: core)
            guard let check = try entryCheck(name, content) else { continue }
            let model = content == .records ? try namedModel(name) : nil
            var previous: [UInt8] = []
            var told = 0
            try reader.scan(in: keyspace) { key, value in
                // A page of an earlier state of the file may have sound records, but rarely the keys that belong between its neighbours.
                if !previous.isEmpty, key.compare(to: previous[...]) <= 0 {
                    report.add(core.keysOutOfOrder, of: [UInt8](copying: key), in: name, model, after: &told)
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
                report.count(content)
                try advance()
                return .next
            }
        }
        for model in try verifiedModels { try verifyIndexes(usableIndexes(of: model), of: model, &report, advance) }
        for relationship in try relationshipsAndMemberships { try verifyReferences(of: relationship, &report) }
        try progress(.init(completed: total, total: total))
        return report
    }
}

extension StoreProgress {
    /// How many entries are verified between two reports.
    static let verificationInterval = 10_000
}

extension StoreCore {
    var keysOutOfOrder: StorageError {
        .corrupt(.init(engine: backend.capabilities.engine, path: backend.path, message: "keys are not in their order; restore a backup"))
    }
}
