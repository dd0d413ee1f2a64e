/// What a context would save, taken at one moment.
struct ChangeCut {
    enum Kind {
        case insertion, change, deletion
        /// It was changed, and is as its record again.
        case none
    }

    /// One object.
    struct Entry {
        let object: any LiveModel
        let type: any LiveModel.Type
        let kind: Kind
        /// Where the engine's key is in ``bytes``.
        let key: Range<Int>
        /// The whole key, when the engine's is a shortened form of it.
        let longKey: [UInt8]?
        /// Where the record is in ``bytes``; empty for a deletion.
        let record: Range<Int>
        /// The version of the record that the object's values come from.
        let version: UInt64
        /// The record the object's changes are changes of.
        let image: [UInt8]?
        /// Whether rules and inverses have nothing to do with the object's values; see ``LiveObjectState/isRestored``.
        let isRestored: Bool
        /// The object's `changeCount`.
        let changeCount: UInt64
    }

    /// The context's ``ContextState/derivation`` at the moment of the cut.
    var derivation: UInt64 = 0
    private(set) var entries: [Entry] = []
    /// The keys and records of all, one behind the other.
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { entries.allSatisfy { $0.kind == .none } }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    /// Adds an object whose key and record are in a buffer.
    mutating func add(_ object: any LiveModel, _ kind: Kind, _ buffer: borrowing RecordBuffer) {
        let live = object._$live
        let key = buffer.recordKey
        let start = bytes.count
        bytes += key.bytes
        let middle = bytes.count
        if kind != .deletion {
            buffer.withBytes { _, record in record.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        }
        entries.append(
            Entry(
                object: object, type: type(of: object), kind: kind, key: start..<middle, longKey: key.long, record: middle..<bytes.count,
                version: live.version, image: live.image, isRestored: live.isRestored, changeCount: live.changeCount))
    }

    /// The id's bytes of an object.
    func wholeKey(of entry: Entry) -> [UInt8] { entry.longKey ?? [UInt8](bytes[entry.key]) }

    /// The record of an object.
    func record(of entry: Entry) -> [UInt8] { [UInt8](bytes[entry.record]) }

    /// What the context knows an object by.
    func contextKey(of entry: Entry) -> ObjectKey {
        let model = ObjectIdentifier(entry.type)
        if let longKey = entry.longKey { return ObjectKey(model, longKey) }
        return bytes.withUnsafeBytes { ObjectKey(model, UnsafeRawBufferPointer(rebasing: $0[entry.key])) }
    }

    /// The version that an object's record has when it is stored.
    func version(of entry: Entry) -> UInt64 {
        bytes.withUnsafeBytes { RecordChecksum.version(of: UnsafeRawBufferPointer(rebasing: $0[entry.record])) }
    }

    /// Whether these are the bytes of an object's id.
    func isKey(of entry: Entry, _ other: [UInt8]) -> Bool {
        if let longKey = entry.longKey { return longKey == other }
        return isEqual(entry.key, other)
    }

    /// Whether these are the bytes of an object's record.
    func isRecord(of entry: Entry, _ other: [UInt8]) -> Bool { isEqual(entry.record, other) }

    private func isEqual(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            other.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: bytes[range]).bytes.compare(to: $0.bytes) == 0 }
        }
    }
}

extension ChangeCut {
    /// Does all changes in a transaction, whatever is stored.
    func write(to transaction: WriteTransaction) throws {
        try write(to: transaction, [:]) { _ in nil }
    }

    /// Does the changes in a transaction.
    ///
    /// - Parameters:
    ///   - settlements: what is done otherwise, by the positions of the entries.
    ///   - settle: what to do about an object that is inserted, and whose record is there already; nil to store it.
    /// - Returns: what was done otherwise, those of insertions included.
    @discardableResult
    func write(
        to transaction: WriteTransaction, _ settlements: [Int: Settlement], settle: (Entry) throws -> Settlement?
    ) throws -> [Int: Settlement] {
        var settlements = settlements
        // Deletions come last and together, so that their rules see the others' relationships as they will be, and each other.
        var deletions: [String: KeyList] = [:]
        let restored = entries.filter { $0.isRestored && $0.kind != .deletion }
        let keeper = restored.isEmpty ? nil : transaction.openRelationships()
        keeper?.spared.formUnion(restored.map { AnyReference(modelName: $0.type.schema.name, keyBytes: wholeKey(of: $0)) })
        try bytes.withUnsafeBytes { bytes in
            try transaction.batch {
                var last: (type: any LiveModel.Type, model: OpenModel)?
                for (position, entry) in entries.enumerated() where entry.kind != .none {
                    let key = UnsafeRawBufferPointer(rebasing: bytes[entry.key])
                    let record = UnsafeRawBufferPointer(rebasing: bytes[entry.record])
                    if last.map({ $0.type != entry.type }) ?? true { last = (entry.type, try transaction.openForSaving(entry.type)) }
                    guard let model = last?.model else { continue }
                    func noting<Result>(_ body: () throws -> Result) rethrows -> Result {
                        // What is settled otherwise than the objects say leaves rules and inverses something to do.
                        guard entry.isRestored, settlements.isEmpty, let keeper else { return try body() }
                        return try keeper.noting(.nothing, body)
                    }
                    if entry.kind == .insertion {
                        if try noting({ try transaction.insert(key.bytes, record.bytes, model) }) { continue }
                        settlements[position] = try settle(entry)
                    }
                    switch settlements[position] ?? (entry.kind == .deletion ? .delete : .write(nil)) {
                    case .write(nil): try noting { try transaction.upsert(key.bytes, record.bytes, model) }
                    case .write(let other?): try transaction.upsert(key.bytes, other.span.bytes, model)
                    case .delete: deletions[model.binding.schema.name, default: KeyList()].append(key)
                    case .keep: break
                    }
                }
                if !deletions.isEmpty {
                    _ = try transaction.deleteTogether(deletions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
                }
            }
        }
        return settlements
    }
}
