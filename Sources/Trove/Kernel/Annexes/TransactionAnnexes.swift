import TroveBackendKit

/// The annexes of what a transaction reads: while it runs, those that it sees itself, and later those that the store has then.
///
/// It is `@unchecked Sendable` because `transaction` is used by the thread alone that runs it, which also ends it.
final class TransactionAnnexes: AnnexSource, @unchecked Sendable {
    private let core: StoreCore
    private let thread = ThreadIdentity.current
    /// nil once the transaction has ended.
    private weak var transaction: ReadTransaction?

    init(_ transaction: ReadTransaction) {
        core = transaction.core
        self.transaction = transaction
    }

    func finish() { transaction = nil }

    var store: AnyObject? { core }

    func provider(of id: AnnexID) -> (any AnnexProvider)? {
        guard thread == .current else { return nil }
        guard let provider = transaction?.annexProvider(of: id), provider.isInMemory else { return nil }
        return provider
    }

    func withAnnex(_ annex: StoredAnnex, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        if thread == .current, let transaction { return try transaction.withAnnex(annex, body) }
        try core.read { try $0.withAnnex(annex, body) }
    }

    func onReader<Result: Sendable>(for annex: StoredAnnex, _ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await core.readPool.run(body)
    }
}

extension ReadTransaction {
    /// The annexes that objects and records of a layout, read now, may be asked for; nil when there are none in it.
    func annexes(of layout: RecordLayout) -> TransactionAnnexes? {
        if layout.lazyFields.isEmpty { return nil }
        if let knownAnnexes { return knownAnnexes }
        let annexes = TransactionAnnexes(self)
        knownAnnexes = annexes
        return annexes
    }

    /// Calls `body` with the bytes of an annex.
    ///
    /// - Throws: ``TroveError/lazyValueGone(model:id:property:)`` when its record has another one, or is deleted;
    ///   ``TroveError/corruptRecord(model:id:reason:)`` when the record has it and it is not there.
    func withAnnex(_ annex: StoredAnnex, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let provider = annexProvider(of: annex.id)
        if let provider, provider.isInMemory { return try provider.annexBytes().withUnsafeBytes(body) }
        if try reader.withAnnex(annex, body) { return }
        if let provider, !soughtAnnexes.contains(annex.id) {
            // The value of another record, which may be gone as well.
            soughtAnnexes.insert(annex.id)
            defer { soughtAnnexes.remove(annex.id) }
            return try bytes(of: provider).withUnsafeBytes(body)
        }
        throw try hasAnnex(annex) ? annex.corrupt("is missing") : annex.gone
    }

    /// What the record of an annex has now in the annex's field; nil when there is no such record or field.
    func lazyForm(of annex: StoredAnnex) throws -> LazyForm? {
        let model = try openStored(named: annex.modelName)
        guard let keyspace = model.keyspace, let position = model.binding.layout.position(of: annex.field) else { return nil }
        let field = model.binding.layout.fields[position]
        guard field.type.isLazy else { return nil }
        var form: LazyForm?
        let key = annex.recordKey
        _ = try reader.get(key.span.bytes, in: keyspace) { record in
            try withRecordView(record, key: key.span.bytes, model) { form = try LazyForm($0.variable(field.place)) }
        }
        return form
    }

    /// What something has of an annex, read in this transaction where it is of its store.
    func bytes(of provider: any AnnexProvider) throws -> [UInt8] {
        guard let annex = provider.stored, annex.isOf(core) else { return try provider.annexBytes() }
        var bytes: [UInt8] = []
        try withAnnex(annex) { bytes = [UInt8]($0) }
        return bytes
    }

    /// Whether the record of an annex, as it is stored now, has the annex.
    private func hasAnnex(_ annex: StoredAnnex) throws -> Bool {
        guard let records = try reader.keyspace(named: annex.modelName) else { return false }
        return try hasAnnex(annex, in: records)
    }

    /// Whether the record of an annex, in the keyspace of its model, has the annex.
    func hasAnnex(_ annex: StoredAnnex, in records: Keyspace) throws -> Bool {
        var isThere = false
        let key = annex.recordKey
        _ = try reader.get(key.span.bytes, in: records) { record in
            try record.withUnsafeBytes { record in
                try key.withUnsafeBytes { isThere = try annexIDs(in: record, key: $0).contains(annex.id) }
            }
        }
        return isThere
    }

    /// The ids of the annexes of a record, whatever its layout; none of one that is too damaged to tell.
    func annexIDs(in record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws -> [AnnexID] {
        do {
            guard let layout = try layout(of: record, key: key) else { return [] }
            return try AnnexSpace.ids(in: record, key: key, layout)
        } catch is DecodingFault {
            return []
        }
    }
}

extension Lazy {
    /// The value in the snapshot of a transaction, whichever fetch the object is from.
    ///
    /// ```swift
    /// try store.write { transaction in
    ///     if try photo.image.load(in: transaction).isEmpty { try transaction.delete(photo) }
    /// }
    /// ```
    ///
    /// - Throws: as ``load()``; ``TroveError/transactionFinished`` after the transaction.
    public func load(in transaction: ReadTransaction) throws -> Value {
        try box.value { annex, body in
            if annex.isOf(transaction.core) { try transaction.withAnnex(annex, body) } else { try annex.withBytes(body) }
        }
    }
}
