import Synchronization
import TroveStorage

/// The state that every backend keeps of a transaction and checks before an engine call.
///
/// ```swift
/// func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
///     try state.check(keyspace)
///     try state.checkKey(key)
///     try state.checkValue(value)
///     …
/// }
/// ```
public struct TransactionState {
    private static let lastSerial = Atomic<UInt64>(0)

    /// A number that no other transaction of the process has, for ``Keyspace/transaction``.
    public let serial: UInt64
    /// Whether the body is running.
    public private(set) var isActive = true {
        didSet { isUsable = isActive && poison == nil }
    }
    /// The error that poisoned the transaction.
    public private(set) var poison: StorageError? {
        didSet { isUsable = isActive && poison == nil }
    }
    /// Whether it is active and not poisoned: one load for the check before every call.
    @usableFromInline private(set) var isUsable = true

    private let engine: String
    private let path: String
    @usableFromInline let maxKeySize: Int
    @usableFromInline let maxValueSize: Int

    /// Begins a transaction of `backend`.
    public init(engine: String, path: String, maxKeySize: Int, maxValueSize: Int) {
        serial = Self.lastSerial.add(1, ordering: .relaxed).newValue
        self.engine = engine
        self.path = path
        self.maxKeySize = maxKeySize
        self.maxValueSize = maxValueSize
    }

    /// Ends the transaction: every later check throws.
    public mutating func finish() { isActive = false }

    /// Records that an engine call failed, so that the transaction can only roll back, and returns the error to throw.
    public mutating func poison(with error: StorageError) -> StorageError {
        if poison == nil { poison = error }
        return error
    }

    /// Forgets the poison after the savepoint with the failed call was undone completely.
    public mutating func recover() { poison = nil }

    /// Throws unless the transaction is running and none of its engine calls has failed.
    ///
    /// - Throws: ``StorageError/transactionFinished(_:)``, ``StorageError/transactionPoisoned(_:)``.
    @inlinable @inline(__always)
    public func check() throws {
        if !isUsable { throw failure }
    }

    /// Throws unless the transaction is usable and the handle belongs to it.
    ///
    /// - Throws: what ``check()`` throws; ``StorageError/invalidKeyspace(_:)``.
    @inlinable @inline(__always)
    public func check(_ keyspace: Keyspace) throws {
        try check()
        if keyspace.transaction != serial { throw foreignKeyspace }
    }

    /// Throws when the key is empty or too long.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``.
    @inlinable @inline(__always)
    public func checkKey(_ key: RawSpan) throws {
        if key.byteCount == 0 || key.byteCount > maxKeySize { throw badKey(size: key.byteCount) }
    }

    /// Throws when the value is too large.
    ///
    /// - Throws: ``StorageError/valueTooLarge(_:)``.
    @inlinable @inline(__always)
    public func checkValue(_ value: RawSpan) throws {
        if value.byteCount > maxValueSize { throw badValue(size: value.byteCount) }
    }

    /// Throws when the name of a keyspace is empty or too long.
    ///
    /// - Throws: ``StorageError/invalidKeyspaceName(_:)``.
    public func checkName(_ name: String) throws {
        let size = name.utf8.count
        guard size == 0 || size > StorageLimits.maxKeyspaceNameSize else { return }
        throw StorageError.invalidKeyspaceName(
            details("a keyspace name has 1 to \(StorageLimits.maxKeyspaceNameSize) bytes; '\(name.prefix(40))' has \(size)"))
    }

    /// The error for a handle of a keyspace that no longer exists.
    public var goneKeyspace: StorageError {
        .invalidKeyspace(details("the keyspace was dropped or rolled back; look it up again by name"))
    }

    @usableFromInline var failure: StorageError {
        guard isActive else {
            return .transactionFinished(
                details("the transaction has ended; keep readers, writers, cursors and keyspaces inside its closure"))
        }
        return .transactionPoisoned(
            details("an earlier call failed, so the transaction can only roll back: \(poison.map(String.init(describing:)) ?? "")"))
    }

    @usableFromInline var foreignKeyspace: StorageError {
        .invalidKeyspace(details("the keyspace handle belongs to another transaction; look it up by name in this one"))
    }

    @usableFromInline func badKey(size: Int) -> StorageError {
        size == 0
            ? .emptyKey(details("a key has at least one byte"))
            : .keyTooLarge(details("a key has at most \(maxKeySize) bytes, this one has \(size)"))
    }

    @usableFromInline func badValue(size: Int) -> StorageError {
        .valueTooLarge(details("a value has at most \(maxValueSize) bytes, this one has \(size); divide it among several keys"))
    }

    private func details(_ message: String) -> StorageError.Details {
        StorageError.Details(engine: engine, path: path, message: message)
    }
}
