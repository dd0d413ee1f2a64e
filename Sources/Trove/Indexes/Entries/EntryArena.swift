/// The changes of one index in a write transaction, one after the other in one piece of memory, until they are written in the order of their keys.
struct EntryArena: ~Copyable {
    /// What happens to an entry.
    enum Action: UInt8 {
        /// It is new.
        case add
        /// It is there and gets another value.
        case update
        /// It is removed; the value tells of which record it was.
        case remove
        /// It must not be another record's, and is not written.
        case check
        /// What an earlier ``check`` of the same record was about does not hold any more.
        case uncheck

        /// Whether the record does not have the entry afterwards.
        var isRemoval: Bool { self == .remove || self == .uncheck }
    }

    /// Before each key: its length in two bytes, the action in one, one unused, and the value's length in four.
    static let headerSize = 8

    var bytes = ByteWriter(capacity: 1 << 10)
    /// How many changes it holds.
    private(set) var count = 0

    init() {}

    var size: Int { bytes.count }
    var isEmpty: Bool { count == 0 }

    /// Where a change that is being appended has its key.
    struct Draft {
        let start: Int
        var keyStart: Int { start + EntryArena.headerSize }
        var valueStart = 0
    }

    /// A state to return to.
    struct Mark {
        fileprivate let size: Int
        fileprivate let count: Int
    }

    var mark: Mark { Mark(size: bytes.count, count: count) }

    /// The offset of the first change since the mark was taken.
    func offset(of mark: Mark) -> Int { mark.size }

    /// Copies of the keys of all changes.
    var keys: [[UInt8]] {
        var keys: [[UInt8]] = []
        var offset = 0
        while offset < size {
            keys.append([UInt8](key(at: offset)))
            offset = next(offset)
        }
        return keys
    }

    /// Forgets what was appended since the mark was taken.
    mutating func truncate(to mark: Mark) {
        bytes.count = mark.size
        count = mark.count
    }

    /// Begins a change, whose key and value are then appended to ``bytes``.
    mutating func begin() -> Draft {
        let draft = Draft(start: bytes.count)
        bytes.append(UInt64(0))
        return draft
    }

    /// Ends the change.
    mutating func end(_ draft: Draft, _ action: Action) {
        let header = bytes.base + draft.start
        header.storeBytes(of: UInt16(truncatingIfNeeded: draft.valueStart - draft.keyStart), as: UInt16.self)
        header.storeBytes(of: action.rawValue, toByteOffset: 2, as: UInt8.self)
        header.storeBytes(of: UInt32(truncatingIfNeeded: bytes.count - draft.valueStart), toByteOffset: 4, as: UInt32.self)
        count += 1
    }

    /// Makes another change of the one at an offset.
    mutating func setAction(_ action: Action, at offset: Int) {
        (bytes.base + offset).storeBytes(of: action.rawValue, toByteOffset: 2, as: UInt8.self)
    }

    /// Appends the change at an offset of another arena.
    mutating func append(_ offset: Int, of other: borrowing EntryArena) {
        bytes.append(UnsafeRawBufferPointer(start: other.bytes.base + offset, count: other.next(offset) - offset))
        count += 1
    }

    /// Appends all changes of another arena.
    mutating func append(contentsOf other: borrowing EntryArena) {
        bytes.append(UnsafeRawBufferPointer(start: other.bytes.base, count: other.size))
        count += other.count
    }

    /// Empties the arena; a large one gives its memory back.
    mutating func removeAll() {
        if bytes.capacity > 1 << 20 { bytes = ByteWriter(capacity: 1 << 10) }
        bytes.count = 0
        count = 0
    }

    /// The key of the change at an offset. The bytes are the arena's, valid until something is appended.
    func key(at offset: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: bytes.base + offset + Self.headerSize, count: Int((bytes.base + offset).loadUnaligned(as: UInt16.self)))
    }

    func value(at offset: Int) -> UnsafeRawBufferPointer {
        let key = key(at: offset)
        let count = (bytes.base + offset).loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        return UnsafeRawBufferPointer(start: bytes.base + offset + Self.headerSize + key.count, count: Int(count))
    }

    func action(at offset: Int) -> Action {
        // The byte was written by `end`.
        Action(rawValue: (bytes.base + offset).load(fromByteOffset: 2, as: UInt8.self)) ?? .add
    }

    /// The offset after the change at this one.
    func next(_ offset: Int) -> Int {
        let value = value(at: offset)
        return value.isEmpty ? offset + Self.headerSize + key(at: offset).count : value.baseAddress! - UnsafeRawPointer(bytes.base) + value.count
    }
}
