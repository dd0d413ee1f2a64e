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
            report.problems.append(.init(modelName: "$engine", key: [], error: error))
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
        for (name, keyspace) in keyspaces where !IndexSample.isOfIndexes(name) && !isOfLaterVersion(name) {
            let check = try entryCheck(name)
            var previous: [UInt8] = []
            try reader.scan(in: keyspace) { key, value in
                // A page of an earlier state of the file may have sound records, but rarely the keys that belong between its neighbours.
                if !previous.isEmpty, key.compare(to: previous[...]) <= 0 {
                    let error = StorageError.corrupt(
                        .init(engine: core.backend.capabilities.engine, path: core.backend.path, message: "keys are not in their order; restore a backup"))
                    report.problems.append(.init(modelName: name, key: [UInt8](copying: key), error: error))
                }
                previous.removeAll(keepingCapacity: true)
                key.withUnsafeBytes { previous.append(contentsOf: $0) }
                do {
                    try check(key, value)
                } catch {
                    report.problems.append(.init(modelName: name, key: [UInt8](copying: key), error: error))
                }
                switch name {
                case BlobSpace.keyspaceName, BlobSpace.headersName: report.blobs += 1
                case Catalogue.keyspaceName, MetadataSpace.keyspaceName, PathDictionary.keyspaceName, BlobSpace.chunksName, BlobSpace.uploadsName: break
                case _ where ApplicationSpace.contains(name) || AnnexSpace.modelName(of: name) != nil: break
                default: report.records += 1
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

    /// Whether a keyspace is one of Trove's own that this version does not know.
    private func isOfLaterVersion(_ keyspaceName: String) -> Bool {
        Catalogue.isReserved(keyspaceName) && core.model(named: keyspaceName) == nil && !ApplicationSpace.contains(keyspaceName)
            && AnnexSpace.modelName(of: keyspaceName) == nil
            && ![
                Catalogue.keyspaceName, MetadataSpace.keyspaceName, PathDictionary.keyspaceName, BlobSpace.keyspaceName, BlobSpace.headersName, BlobSpace.chunksName,
                BlobSpace.uploadsName,
            ].contains(keyspaceName)
    }

    /// What reads an entry of this keyspace and throws when it cannot.
    private func entryCheck(_ keyspaceName: String) throws -> (RawSpan, RawSpan) throws -> Void {
        switch keyspaceName {
        case Catalogue.keyspaceName:
            return { key, value in
                let name = String(decoding: [UInt8](copying: key), as: UTF8.self)
                let bytes = [UInt8](copying: value)
                switch name {
                case StoreHeader.name: _ = try StoreHeader(bytes)
                case IndexDirectory.name: _ = try IndexDirectory(bytes)
                case _ where name.hasPrefix(IndexCatalogueEntry.namePrefix): _ = try IndexCatalogueEntry(bytes, name: name)
                case _ where name.hasPrefix(LayoutEntry.namePrefix): _ = try LayoutEntry(bytes, name: name)
                default: _ = try CatalogueEntry.decode(bytes, name: name)
                }
            }
        case BlobSpace.keyspaceName:
            return { key, value in
                _ = try BlobSpace.decode(value, name: String(decoding: [UInt8](copying: key), as: UTF8.self))
            }
        case BlobSpace.headersName:
            return { key, value in
                let name = String(decoding: [UInt8](copying: key), as: UTF8.self)
                try self.check(BlobHeader.decode(value, name: name), named: name)
            }
        case BlobSpace.chunksName: return try chunkCheck()
        case BlobSpace.uploadsName:
            return { key, value in
                guard let number = BlobKey.parts(key)?.number else { throw TroveError.corruptKey(reason: "it is not the key of an upload") }
                _ = try BlobUpload.decode(value, number: number)
            }
        case PathDictionary.keyspaceName:
            return { key, value in _ = try PathDictionary.decode([UInt8](copying: key), [UInt8](copying: value)) }
        case MetadataSpace.keyspaceName:
            return { key, value in
                _ = try MetadataSpace.decode(value, key: String(decoding: [UInt8](copying: key), as: UTF8.self))
            }
        case _ where ApplicationSpace.contains(keyspaceName):
            // What the entries mean is the application's own.
            return { _, _ in }
        case _ where AnnexSpace.modelName(of: keyspaceName) != nil: return try annexCheck(keyspaceName)
        default:
            guard let model = core.model(named: keyspaceName) else {
                if try indexTable.collection(named: keyspaceName) != nil { return try objectCheck(Document.self, openCollection(named: keyspaceName)) }
                return { key, value in
                    _ = try self.storedRecord(value, key: key)
                    try self.checkAnnexes(of: value, key: key, keyspaceName)
                }
            }
            return try objectCheck(model)
        }
    }

    /// The bytes of chunks are checked with their headers; here, that each belongs to one. Of a number that nothing names the first chunk is told.
    private func chunkCheck() throws -> (RawSpan, RawSpan) throws -> Void {
        let known = try knownBlobNumbers()
        var last: UInt64?
        return { key, _ in
            guard let (number, chunk) = BlobKey.parts(key), chunk != nil else { throw TroveError.corruptKey(reason: "it is not the key of a blob's chunk") }
            defer { last = number }
            if let known, number != last, !known.contains(number) { throw TroveError.corruptKey(reason: "it is a chunk of no blob") }
        }
    }

    private func objectCheck<Object: Model>(_ type: Object.Type) throws -> (RawSpan, RawSpan) throws -> Void {
        try objectCheck(type, open(type))
    }

    private func objectCheck<Object: Model>(_ type: Object.Type, _ model: OpenModel) throws -> (RawSpan, RawSpan) throws -> Void {
        return { key, value in
            try self.withDecoder(value, key: key, model) { decoder in
                let object: Object = try self.object(&decoder)
                if model.hasLazyFields || decoder.annexSource != nil { try self.checkAnnexes(of: value, key: key, model.binding.schema.name) }
                if RecordKey(object.id.keyBytes).bytes != [UInt8](copying: key) {
                    throw TroveError.corruptRecord(
                        model: model.binding.schema.name, id: object.id.shownInErrors, reason: "it has the key of another id")
                }
            }
        }
    }
}

/// The result of ``ObjectStore/verify(progress:)-swift.method``.
public struct VerificationReport: Sendable {
    /// How many dangling references of a relationship are told one by one.
    static let maxDanglingReferences = 100

    /// An entry that cannot be read, or an index that disagrees with a record.
    public struct Problem: Sendable, CustomStringConvertible {
        /// The model's name; `$blobs` or `$largeBlobs` for a blob, `$catalogue` for an entry of the catalogue; `$engine` for the
        /// structure of the engine's file.
        public let modelName: String
        /// The key of the entry; of the record, when an index disagrees with it.
        public let key: [UInt8]
        /// The reason why it cannot be read.
        public let error: any Error

        public var description: String { "\(modelName) \(StoredRecord.text(of: key)): \(error)" }
    }

    /// The number of records read, of all types.
    public internal(set) var records = 0
    /// The number of blobs read.
    public internal(set) var blobs = 0
    /// The indexes that disagree with the records, with the numbers of wrong entries; the first hundred of each are among the ``problems``.
    public internal(set) var indexDamage: [IndexDamage] = []
    /// The references to objects that are not stored: the first hundred of each relationship. There may be such, so the store is sound with them.
    public internal(set) var danglingReferences: [DanglingReference] = []
    /// The number of references to objects that are not stored.
    public internal(set) var danglingReferenceCount = 0
    /// The problems found; empty when the store is sound.
    public internal(set) var problems: [Problem] = []

    /// Whether everything could be read and all indexes agree with the records.
    public var isSound: Bool { problems.isEmpty }
}

extension VerificationReport: CustomStringConvertible {
    /// The report as text, a line for each thing: `1000 records and 2 blobs, sound`.
    public var description: String {
        let read = "\(records) \(records == 1 ? "record" : "records") and \(blobs) \(blobs == 1 ? "blob" : "blobs")"
        var lines = ["\(read), \(isSound ? "sound" : "\(problems.count) \(problems.count == 1 ? "problem" : "problems")")"]
        if danglingReferenceCount > 0 { lines.append("references to what is not stored: \(danglingReferenceCount)") }
        return (lines + indexDamage.map(\.description) + problems.map(\.description)).joined(separator: "\n")
    }
}
