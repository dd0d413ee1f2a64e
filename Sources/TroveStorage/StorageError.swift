/// An error of an engine, in the same cases on every engine.
///
/// Each case carries a ``Details`` value that names the engine, the store's path, the engine's own code and
/// message, and says what to do about it.
public enum StorageError: Error, Sendable, Hashable {
    // Opening
    /// The directory that should hold the file does not exist.
    case noSuchDirectory(Details)
    /// There is no store at the path, and opening was not to create one.
    case noSuchStore(Details)
    /// The file system denies access.
    case permissionDenied(Details)
    /// The file, or the file system it is on, cannot be written.
    case readOnly(Details)
    /// The path leads to something other than a regular file; where one is to be read, also to nothing.
    case notAFile(Details)
    /// The file belongs to another engine or to another program.
    case notAStore(Details)
    /// The file was written in a newer format than this version reads.
    case newerFormat(Details)
    /// Another process holds the store.
    case locked(Details)
    /// The file is damaged.
    case corrupt(Details)
    /// The destination of a copy already exists.
    case destinationExists(Details)

    // Arguments
    /// The key has no bytes.
    case emptyKey(Details)
    /// The key is longer than ``StorageCapabilities/maxKeySize``.
    case keyTooLarge(Details)
    /// The value is larger than ``StorageCapabilities/maxValueSize``.
    case valueTooLarge(Details)
    /// The keyspace name is empty or too long.
    case invalidKeyspaceName(Details)
    /// The store has as many keyspaces as it can hold.
    case tooManyKeyspaces(Details)
    /// The keyspace handle belongs to another transaction, or its keyspace was dropped or rolled back.
    case invalidKeyspace(Details)
    /// The engine has no such operation.
    case unsupported(Details)

    // Transactions
    /// A reader, writer or cursor was used after its transaction.
    case transactionFinished(Details)
    /// An earlier call of the transaction failed, so it can only roll back.
    case transactionPoisoned(Details)
    /// A write was begun inside a write on the same thread.
    case writeInsideWrite(Details)
    /// A write was begun inside a read, on an engine that cannot do that.
    case writeInsideRead(Details)
    /// A read was begun inside a write, on an engine that cannot do that.
    case readInsideWrite(Details)
    /// The wait for the writer, or for a lock of another process, took longer than the backend's timeout.
    case timedOut(Details)
    /// The engine could not run the transaction beside another one, and its body must not run, or not run again. Nothing was
    /// changed; the same call may succeed.
    case conflict(Details)
    /// The connection was lost during a commit, and its outcome could not be found out. The changes may be there
    /// or not: look before doing them again.
    case outcomeUnknown(Details)
    /// The store was closed.
    case closed(Details)
    /// The store cannot be closed by a thread inside one of its transactions.
    case closeInsideTransaction(Details)
    /// The process was forked after the store had been opened: the child must open stores of its own, and close nothing of its parent's.
    case openedBeforeFork(Details)

    // The machine
    /// The server that keeps the store does not answer, or the connection to it was lost. Nothing was changed; the same call may succeed
    /// later.
    case unreachable(Details)
    /// The disk, or the quota, is full.
    case diskFull(Details)
    /// The system has no memory, file handle or address space left.
    case outOfResources(Details)
    /// Reading or writing the file failed.
    case inputOutput(Details)
    /// The engine failed in a way that has no case of its own.
    case engineFailure(Details)

    /// The engine, the path and the message of an error.
    public struct Details: Sendable, Hashable {
        /// The engine's name; empty where the error is about a file that is no store, such as an export.
        public var engine: String
        /// The store's path.
        public var path: String
        /// One sentence: what happened, and what can be done about it.
        public var message: String
        /// The engine's or the system's own error code as text, where there is one: a number such as `13`, or a SQLSTATE such as `40P01`.
        public var code: String?

        /// Describes an error.
        public init(engine: String, path: String, message: String, code: String? = nil) {
            self.engine = engine
            self.path = path
            self.message = message
            self.code = code
        }

        /// Describes an error whose code is a number.
        public init(engine: String, path: String, message: String, code: some BinaryInteger) {
            self.init(engine: engine, path: path, message: message, code: String(code))
        }
    }
}
