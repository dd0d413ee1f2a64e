/// Keeps the annexes of one model's records in step with them: stores those that a record has from now on, and removes those that it has no longer.
final class AnnexKeeper: ChangeListener {
    private enum Change {
        case record(key: [UInt8], added: [(AnnexID, [UInt8])], removed: [AnnexID])
        case removalOfAll
    }

    private let modelName: String
    private unowned let transaction: WriteTransaction
    /// The layouts that records were met in.
    private var layouts: [UInt16: RecordLayout] = [:]
    /// The change noted last, when annexes have something to do with it.
    private var noted: Change?

    init(_ modelName: String, _ transaction: WriteTransaction) {
        self.modelName = modelName
        self.transaction = transaction
    }

    func note(_ change: RecordTransition) throws {
        noted = nil
        let old = try ids(in: change.oldBytes, change.key)
        let new = try ids(in: change.newBytes, change.key)
        for id in new where old.contains(id) { transaction.offers.noteStored(id) }
        if old == new { return }
        let key = [UInt8](change.key)
        let keyspace = try transaction.reader.keyspace(named: AnnexSpace.name(of: modelName))
        let removed = old.filter { !new.contains($0) }
        if let keyspace, let kept = transaction.journal?.annexes {
            for id in removed {
                guard let bytes = try transaction.reader.value(of: AnnexSpace.key(of: id, key), in: keyspace) else { continue }
                kept.add([AnnexOffer(id: id, provider: AnnexBytes(bytes))])
            }
        }
        let added = try new.filter { !old.contains($0) }.compactMap { try missing($0, key, keyspace, change) }
        noted = .record(key: key, added: added, removed: removed)
    }

    /// An annex with its bytes; nil when it is stored.
    private func missing(_ id: AnnexID, _ key: [UInt8], _ keyspace: Keyspace?, _ change: RecordTransition) throws -> (AnnexID, [UInt8])? {
        let annexKey = AnnexSpace.key(of: id, key)
        if let keyspace, try transaction.reader.contains(annexKey, in: keyspace) {
            transaction.offers.noteStored(id)
            return nil
        }
        func field() throws -> String {
            try change.newBytes.map { try AnnexSpace.field(of: id, in: $0, key: change.key, layout(of: $0)) } ?? ""
        }
        guard let provider = transaction.annexProvider(of: id) else {
            throw StoredAnnex(id, modelName: modelName, field: try field(), recordKey: key, nil).gone
        }
        let bytes = try transaction.bytes(of: provider)
        // Bytes that were stored before go back as they were, damaged ones too, so that a step can be undone.
        guard provider is AnnexBytes || bytes.withUnsafeBytes({ AnnexID(of: $0) }) == id else {
            throw TroveError.encodingFailed(model: modelName, field: try field(), reason: "the lazy value encodes itself otherwise each time")
        }
        // Before anything is written, so that only this change is refused.
        let backend = transaction.core.backend
        let limit = backend.capabilities.maxValueSize
        if bytes.count > limit {
            throw StorageError.valueTooLarge(
                .init(
                    engine: backend.capabilities.engine, path: backend.path,
                    message:
                        "a lazy value of \(modelName) takes \(bytes.count) bytes, but may have at most \(limit); store it as a blob, which can have any size"))
        }
        return (id, bytes)
    }

    func accept() throws {
        guard let change = noted.take() else { return }
        let writer = try transaction.writer
        switch change {
        case .removalOfAll:
            guard let keyspace = try writer.keyspace(named: AnnexSpace.name(of: modelName)) else { return }
            _ = try writer.deleteRange(.all, in: keyspace)
        case .record(let key, let added, let removed):
            let name = AnnexSpace.name(of: modelName)
            guard let keyspace = try added.isEmpty ? writer.keyspace(named: name) : writer.createKeyspace(named: name) else { return }
            for (id, bytes) in added { try writer.put(AnnexSpace.key(of: id, key), bytes, in: keyspace) }
            for id in removed { try writer.delete(AnnexSpace.key(of: id, key), in: keyspace) }
        }
    }

    func undo() { noted = nil }

    func noteRemovalOfAll(in records: Keyspace) throws {
        noted = .removalOfAll
        guard let kept = transaction.journal?.annexes, let keyspace = try transaction.reader.keyspace(named: AnnexSpace.name(of: modelName)) else { return }
        try transaction.reader.scan(in: keyspace) { _, bytes in
            let bytes = [UInt8](copying: bytes)
            kept.add([AnnexOffer(id: bytes.withUnsafeBytes { AnnexID(of: $0) }, provider: AnnexBytes(bytes))])
            return .next
        }
    }

    /// The ids of a record's annexes; none of one that nobody can read.
    private func ids(in record: UnsafeRawBufferPointer?, _ key: UnsafeRawBufferPointer) throws -> [AnnexID] {
        guard let record else { return [] }
        do {
            return try AnnexSpace.ids(in: record, key: key, layout(of: record))
        } catch is DecodingFault {
            return []
        } catch TroveError.corruptCatalogue {
            return []
        }
    }

    private func layout(of record: UnsafeRawBufferPointer) throws -> RecordLayout {
        let number = try RecordDecoder.header(of: record).layout
        if let known = layouts[number] { return known }
        let layout = try transaction.storedLayout(number)
        layouts[number] = layout
        return layout
    }
}
