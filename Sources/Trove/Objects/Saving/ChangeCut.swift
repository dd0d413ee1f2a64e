/// What a context would save, taken at one moment.
struct ChangeCut: Sendable {
    enum Kind: Sendable {
        case insertion, change, deletion
        /// It was changed, and is as its record again.
        case none
    }

    /// One object.
    struct Entry: Sendable {
        let pending: PendingObject
        let kind: Kind
        /// Whether rules and inverses have nothing to do with the object's values; see ``ObjectEdits/isRestored``.
        let isRestored: Bool
        /// Where the engine's key is in ``bytes``, and behind it the record, which is empty for a deletion.
        fileprivate let start: Int
        fileprivate let middle: Int
        fileprivate let end: Int
        /// The version of the record that the object's values come from.
        let version: UInt64
        /// The record the object's changes are changes of.
        let image: [UInt8]?
        /// The object's `changeCount`.
        let changeCount: UInt64
        fileprivate let rarity: Rarity?

        var object: any LiveModel { pending.object }
        var type: any LiveModel.Type { Swift.type(of: pending.object) }
        /// Where the engine's key is in ``bytes``.
        var key: Range<Int> { start..<middle }
        /// Where the record is in ``bytes``.
        var record: Range<Int> { middle..<end }
        /// The whole key, when the engine's is a shortened form of it.
        var longKey: [UInt8]? { rarity?.longKey }
        /// The record that the object had before rules and inverses have something to do with it; nil when that is the one that is stored.
        var settled: [UInt8]? { rarity?.settled }
    }

    /// What few entries have.
    fileprivate final class Rarity: Sendable {
        let longKey: [UInt8]?
        let settled: [UInt8]?

        init(longKey: [UInt8]?, settled: [UInt8]?) {
            self.longKey = longKey
            self.settled = settled
        }
    }

    /// The context's ``ContextState/derivation`` at the moment of the cut.
    var derivation: UInt64 = 0
    /// The context's ``ContextState/outdatedCount`` then.
    var outdatedCount: UInt64 = 0
    private(set) var entries: [Entry] = []
    /// Whether rules and inverses have nothing to do with some of the values; see ``Entry/isRestored`` and ``Entry/settled``.
    private(set) var isSettled = false
    /// New objects among them that an owner let go of, with the owner's rule.
    var released: [(reference: AnyReference, rule: DeleteRule)] = []
    /// How many of the context's ``ContextState/released`` were looked at.
    var releasedCount = 0
    /// What was inserted and deleted again.
    var ghosts: [Ghost] = []
    /// What has the annexes of the records.
    var annexes: [AnnexID: any AnnexProvider] = [:]
    /// The keys and records of all, one behind the other.
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { ghosts.isEmpty && entries.allSatisfy { $0.kind == .none } }

    /// After how many objects the room for the others is known well enough.
    private static let sampleSize = 64

    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    /// Adds an object whose key and record are in a buffer.
    mutating func add(_ pending: PendingObject, _ kind: Kind, _ buffer: borrowing RecordBuffer, settled: [UInt8]?) {
        if entries.count == Self.sampleSize { bytes.reserveCapacity(entries.capacity * (bytes.count / Self.sampleSize + 1)) }
        let start = bytes.count
        let middle = buffer.withKey { key in
            key.withUnsafeBytes { bytes.append(contentsOf: $0) }
            return bytes.count
        }
        if kind != .deletion {
            buffer.withBytes { _, record in record.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        }
        let (image, isRestored, version) = pending.object._$state._withUnsafeGuaranteedRef { ($0.image, $0.isRestored, $0.version) }
        let settled = settled == image ? nil : settled
        if isRestored || settled != nil { isSettled = true }
        let longKey = buffer.longKey
        entries.append(
            Entry(
                pending: pending, kind: kind, isRestored: isRestored, start: start, middle: middle, end: bytes.count, version: version, image: image,
                changeCount: pending.changeCount, rarity: longKey == nil && settled == nil ? nil : Rarity(longKey: longKey, settled: settled)))
    }

    /// The id's bytes of an object.
    func wholeKey(of entry: Entry) -> [UInt8] { entry.longKey ?? [UInt8](bytes[entry.key]) }

    /// The engine's keys of the entries at some positions.
    func keys(of positions: ArraySlice<Int>) -> KeyList {
        var keys = KeyList()
        bytes.withUnsafeBytes { bytes in
            for position in positions { keys.append(UnsafeRawBufferPointer(rebasing: bytes[entries[position].key])) }
        }
        return keys
    }

    /// The record of an object.
    func record(of entry: Entry) -> [UInt8] { [UInt8](bytes[entry.record]) }

    /// What the context knows an object by.
    func contextKey(of entry: Entry) -> ObjectKey {
        let model = ObjectIdentifier(entry.type)
        if let longKey = entry.longKey { return ObjectKey(model, longKey) }
        return bytes.withUnsafeBytes { ObjectKey(model, UnsafeRawBufferPointer(rebasing: $0[entry.key])) }
    }

    /// The version that an object's record has when it is stored.
    func version(at position: Int) -> UInt64 {
        bytes.withUnsafeBytes { RecordChecksum.version(of: UnsafeRawBufferPointer(rebasing: $0[entries[position].record])) }
    }

    /// Whether these are the bytes of an object's record.
    func isRecord(of entry: Entry, _ other: [UInt8]) -> Bool { isEqual(entry.record, other) }

    private func isEqual(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            other.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: bytes[range]).bytes.compare(to: $0.bytes) == 0 }
        }
    }
}
