/// Where the annexes of a model's records are: the values of lazy properties, by the engine's key of the record and the two hashes of their ids.
///
/// `docs/format.md` has the bytes.
enum AnnexSpace {
    /// What the names of the keyspaces begin with; the name of the model follows.
    static let prefix = "$annexes/"

    static func name(of modelName: String) -> String { prefix + modelName }

    /// The model whose annexes are in a keyspace; nil when it is another keyspace.
    static func modelName(of keyspaceName: String) -> String? {
        // By bytes: a slash and a combining mark after it, with which a model's name may begin, are one `Character`.
        keyspaceName.utf8.starts(with: prefix.utf8) ? String(Substring(keyspaceName.utf8.dropFirst(prefix.utf8.count))) : nil
    }

    /// The longest key of a record that is the beginning of an annex's key as it is. Of a longer one 479 bytes and 16 of hash are, so that the
    /// key then has 511 bytes, as no other has.
    private static let maxWholeKeySize = StorageLimits.maxKeySize - AnnexID.keySize - 1
    private static let keptKeySize = StorageLimits.maxKeySize - 2 * AnnexID.keySize

    static func key(of id: AnnexID, _ recordKey: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(min(recordKey.count + AnnexID.keySize, StorageLimits.maxKeySize))
        if recordKey.count <= maxWholeKeySize {
            key += recordKey
        } else {
            key += recordKey[..<keptKeySize]
            for seed in [UInt64(1), 2] { withUnsafeBytes(of: Checksum.hash(recordKey, seed: seed).bigEndian) { key.append(contentsOf: $0) } }
        }
        id.append(to: &key)
        return key
    }

    /// What the keys of the records begin with to which an annex's key may belong, and whether one is that key as a whole; nil when it is no key of an annex.
    static func recordKey(of annexKey: [UInt8]) -> (bytes: [UInt8], isWhole: Bool)? {
        guard annexKey.count > AnnexID.keySize, annexKey.count <= StorageLimits.maxKeySize else { return nil }
        let isWhole = annexKey.count - AnnexID.keySize <= maxWholeKeySize
        return (Array(annexKey[..<(isWhole ? annexKey.count - AnnexID.keySize : keptKeySize)]), isWhole)
    }

    /// The ids of a record's annexes, each once.
    ///
    /// - Throws: `DecodingFault.damaged`.
    static func ids(in record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ layout: RecordLayout) throws -> [AnnexID] {
        if layout.lazyFields.isEmpty { return [] }
        let view = try RecordView(trusting: record, key: key, layout: layout)
        var ids: [AnnexID] = []
        for field in layout.lazyFields {
            guard let id = try LazyForm.annexID(in: view.variable(layout.fields[field].place)), !ids.contains(id) else { continue }
            ids.append(id)
        }
        return ids
    }

    /// The name of the field that has an annex in a record of which ``ids(in:key:_:)`` tells it.
    static func field(of id: AnnexID, in record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ layout: RecordLayout) throws -> String {
        let view = try RecordView(trusting: record, key: key, layout: layout)
        let field = try layout.lazyFields.first { try LazyForm.annexID(in: view.variable(layout.fields[$0].place)) == id }
        return field.map { layout.fields[$0].name } ?? ""
    }
}

extension StorageReader {
    /// Calls `body` with the bytes of an annex; returns false, without a call, when there is none.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)`` when they are not those that were stored.
    func withAnnex(_ annex: StoredAnnex, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard let keyspace = try keyspace(named: AnnexSpace.name(of: annex.modelName)) else { return false }
        return try get(AnnexSpace.key(of: annex.id, annex.recordKey).span.bytes, in: keyspace) { value in
            try value.withUnsafeBytes { bytes in
                guard AnnexID(of: bytes) == annex.id else { throw annex.corrupt("does not fit its checksum") }
                try body(bytes)
            }
        }
    }
}
