/// The keyspaces of a store, by what their entries are.
enum KeyspaceContent {
    case catalogue, metadata, paths, fieldKeys, blobs, blobHeaders, blobChunks, blobUploads, history, historyConsumers
    /// What the application keeps itself.
    case application
    /// Lazy values of a model.
    case annexes
    /// Objects of a model or documents of a collection.
    case records
    /// Entries of indexes, which are compared with the records.
    case indexEntries
    /// One of Trove's own that this version does not know.
    case ofLaterVersion

    init(_ keyspaceName: String, in core: StoreCore) {
        self =
            switch keyspaceName {
            case Catalogue.keyspaceName: .catalogue
            case MetadataSpace.keyspaceName: .metadata
            case PathDictionary.keyspaceName: .paths
            case FieldSealing.keyspaceName: .fieldKeys
            case BlobSpace.keyspaceName: .blobs
            case BlobSpace.headersName: .blobHeaders
            case BlobSpace.chunksName: .blobChunks
            case BlobSpace.uploadsName: .blobUploads
            case HistorySpace.keyspaceName: .history
            case HistorySpace.consumersName: .historyConsumers
            case _ where ApplicationSpace.contains(keyspaceName): .application
            case _ where AnnexSpace.modelName(of: keyspaceName) != nil: .annexes
            case _ where IndexSample.isOfIndexes(keyspaceName): .indexEntries
            case _ where Catalogue.isReserved(keyspaceName) && core.model(named: keyspaceName) == nil: .ofLaterVersion
            default: .records
            }
    }
}

extension ReadTransaction {
    /// What reads an entry of a keyspace and throws when it cannot; nil of entries that are not read one by one.
    ///
    /// - Parameter inOrder: whether it is given all entries, from the first to the last.
    func entryCheck(_ keyspaceName: String, _ content: KeyspaceContent, inOrder: Bool = true) throws -> ((RawSpan, RawSpan) throws -> Void)? {
        switch content {
        case .catalogue:
            return { key, value in try Self.checkCatalogueEntry([UInt8](copying: value), named: Self.text(key)) }
        case .metadata:
            return { key, value in _ = try MetadataSpace.decode(value, key: Self.text(key)) }
        case .paths:
            return { key, value in _ = try PathDictionary.decode([UInt8](copying: key), [UInt8](copying: value)) }
        case .fieldKeys:
            // Whoever has no keys cannot tell what the record of them should be.
            let (keyring, path) = (core.sealing?.keyring, core.backend.path)
            return { key, value in
                if [UInt8](copying: key) == FieldSealing.recordKey { _ = try keyring?.unlock([UInt8](copying: value), path: path) }
            }
        case .blobs:
            return { key, value in _ = try BlobSpace.decode(value, name: Self.text(key)) }
        case .blobHeaders:
            return { key, value in try self.check(BlobHeader.decode(value, name: Self.text(key)), named: Self.text(key)) }
        case .blobChunks: return try chunkCheck()
        case .blobUploads:
            return { key, value in
                guard let number = BlobKey.parts(key)?.number else { throw TroveError.corruptKey(reason: "it is not the key of an upload") }
                _ = try BlobUpload.decode(value, number: number)
            }
        case .history: return try historyCheck(inOrder: inOrder)
        case .historyConsumers:
            return { key, value in _ = try HistorySpace.decode(value, key: [UInt8](copying: key)) }
        // What the entries mean is the application's own; that they can be read is checked by reading them.
        case .application: return { _, _ in }
        case .annexes: return try annexCheck(keyspaceName)
        case .records: return try recordCheck(keyspaceName)
        case .indexEntries, .ofLaterVersion: return nil
        }
    }

    private static func text(_ key: RawSpan) -> String { String(decoding: [UInt8](copying: key), as: UTF8.self) }

    private static func checkCatalogueEntry(_ bytes: [UInt8], named name: String) throws {
        switch name {
        case StoreHeader.name: _ = try StoreHeader(bytes)
        case IndexDirectory.name: _ = try IndexDirectory(bytes)
        case HistoryPolicy.entryName: _ = try HistoryPolicy(bytes)
        case _ where name.hasPrefix(IndexCatalogueEntry.namePrefix): _ = try IndexCatalogueEntry(bytes, name: name)
        case _ where name.hasPrefix(LayoutEntry.namePrefix): _ = try LayoutEntry(bytes, name: name)
        default: _ = try CatalogueEntry.decode(bytes, name: name)
        }
    }

    private func recordCheck(_ modelName: String) throws -> (RawSpan, RawSpan) throws -> Void {
        if let model = core.model(named: modelName) { return try objectCheck(model) }
        if try indexTable.collection(named: modelName) != nil { return try objectCheck(Document.self, openCollection(named: modelName)) }
        return { key, value in
            _ = try self.storedRecord(value, key: key)
            try self.checkAnnexes(of: value, key: key, modelName)
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

    /// That each chunk can be read and, of those that come in their order, that none is missing.
    private func historyCheck(inOrder: Bool) throws -> (RawSpan, RawSpan) throws -> Void {
        let last = try inOrder ? reader.keyspace(named: HistorySpace.keyspaceName).flatMap { try HistorySpace.lastKey(reader, $0) } : nil
        var run: HistoryRun? = inOrder ? HistoryRun(after: .start) : nil
        return { key, value in
            let bytes = [UInt8](copying: key)
            if bytes == HistorySpace.trimmedKey {
                let token = try HistorySpace.decode(value, key: bytes)
                run = inOrder ? HistoryRun(after: token) : nil
                return
            }
            let known = run
            // What comes behind a damaged one is looked at for itself.
            run = nil
            guard let place = HistorySpace.parts(key), place.number > 0 else { throw TroveError.corruptHistory(entry: 0, reason: "a key is none of an entry") }
            var next = known ?? HistoryRun(before: place)
            _ = try next.add(key, value, limit: .max, maxMemory: .max) { _, _ in false }
            if bytes == last { try next.checkEnd() }
            run = inOrder ? next : nil
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
