import Foundation

extension ObjectStore {
    /// Copies one snapshot of this store into another engine.
    ///
    /// ```swift
    /// let target = try LMDBBackend(path: "music.lmdb")
    /// try store.copy(to: target) { print("\(Int($0.fraction * 100)) %") }
    /// let moved = try ObjectStore(target, models: Song.self)
    /// ```
    ///
    /// Objects of types the program does not know are copied too. The target must be empty, or hold what an
    /// earlier copy left when it broke off; until the copy is complete it does not open as a store.
    ///
    /// - Parameters:
    ///   - progress: called after each batch; when it throws, the copy breaks off with its error.
    ///   - damaged: is told of each record that cannot be read; it is copied as it is. When it throws, the copy breaks off with its error.
    /// - Throws: ``TroveError/destinationNotEmpty(path:)``; ``StorageError`` of either engine; `CancellationError` when the
    ///   task is cancelled, which breaks the copy off.
    public func copy(
        to target: any StorageBackend, progress: (StoreProgress) throws -> Void = { _ in }, damaged: ((DamagedRecord) throws -> Void)? = nil
    ) throws {
        try withoutActuallyEscaping(progress) { progress in
            let check = damaged.map { RecordCheck(catalogue: core.catalogue, tell: $0) }
            let copy = StoreCopy(target: target, progress: progress, check: check)
            try core.backend.read { try copy.run($0, Catalogue.header($0) ?? core.header) }
        }
    }

    /// Copies one snapshot of this store into another engine, on the maintenance thread, which runs one task at a time.
    public func copy(
        to target: any StorageBackend, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        let core = core
        try await maintenanceQueue.run {
            let copy = StoreCopy(target: target, progress: progress)
            try core.backend.read { try copy.run($0, Catalogue.header($0) ?? core.header) }
        }
    }
}

/// Tells of damaged records that pass by.
struct RecordCheck {
    let catalogue: Catalogue
    let tell: (DamagedRecord) throws -> Void

    func look(at record: RawSpan, key: [UInt8], _ model: String, _ reader: any StorageReader) throws {
        let reason = try record.withUnsafeBytes { record in try key.withUnsafeBytes { try SoundReader.damage(of: record, key: $0, model, catalogue, reader) } }
        if let reason { try tell(DamagedRecord(modelName: model, key: key, reason: reason)) }
    }
}

/// Copies a store into another engine, entry by entry as they are stored, types unknown to the program included.
struct StoreCopy {
    /// The bytes of one transaction of the target: large enough that commits do not matter, small enough for any memory.
    private static let batchSize = 16 << 20

    let target: any StorageBackend
    let progress: (StoreProgress) throws -> Void
    /// Looks at the records on their way; nil when nobody wants to know.
    var check: RecordCheck?

    /// Copies the snapshot of `source`, whose header is `header`.
    ///
    /// The target's header says that a copy runs until all entries are there, so a copy that breaks off never passes for a store.
    func run(_ source: any StorageReader, _ header: StoreHeader) throws {
        var header = header
        // Two stores that are both written to are two replicas.
        header.replica = UUID()
        try prepare(header)
        let names = try source.keyspaceNames()
        var total = 0
        for name in names {
            if let keyspace = try source.keyspace(named: name) { total += try source.count(in: keyspace) }
        }
        var completed = 0
        for name in names {
            guard let keyspace = try source.keyspace(named: name) else { continue }
            try copy(keyspace, named: name, source) { count in
                completed += count
                try progress(StoreProgress(completed: completed, total: total))
            }
        }
        try target.synchronize()
        try progress(StoreProgress(completed: total, total: total))
        // The last call of all: after it nothing can fail and leave a copy that is complete and cannot be made again.
        header.isCopying = false
        try target.write(.durable) { try Catalogue.write(header, $0) }
    }

    /// Marks the target, after emptying it of what a broken copy left there.
    private func prepare(_ header: StoreHeader) throws {
        try target.write(.durable) { writer in
            let found = try Catalogue.header(writer)
            let names = try writer.keyspaceNames()
            guard names.isEmpty || found?.isCopying == true else {
                throw TroveError.destinationNotEmpty(path: target.path)
            }
            for name in names {
                if let keyspace = try writer.keyspace(named: name) { try writer.dropKeyspace(keyspace) }
            }
            var header = header
            header.isCopying = true
            try Catalogue.write(header, writer)
        }
    }

    private func copy(
        _ keyspace: Keyspace, named name: String, _ source: any StorageReader, _ report: (Int) throws -> Void
    ) throws {
        let isCatalogue = name == Catalogue.keyspaceName
        let check = SoundReader.hasRecords(name) ? check : nil
        var watch = ReadWatch()
        var keys: [[UInt8]] = []
        var values: [[UInt8]] = []
        var size = 0
        func flush() throws {
            try target.write(.relaxed) { writer in
                let targetKeyspace = try writer.createKeyspace(named: name)
                for (key, value) in zip(keys, values) { try writer.put(key, value, in: targetKeyspace) }
            }
            try report(keys.count)
            keys.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
            size = 0
        }
        try source.scan(in: keyspace) { key, value in
            try watch.step()
            let key = [UInt8](copying: key)
            // The target's own header stands until the end.
            if isCatalogue && key == Array(StoreHeader.name.utf8) { return .next }
            if let check { try check.look(at: value, key: key, name, source) }
            keys.append(key)
            values.append([UInt8](copying: value))
            size += key.count + value.byteCount
            if size >= Self.batchSize { try flush() }
            return .next
        }
        try flush()
    }
}
