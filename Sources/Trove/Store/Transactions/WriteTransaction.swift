/// One atomic change of a store, inside the closure of ``ObjectStore/write(_:_:)-swift.method``.
///
/// ```swift
/// try store.write { transaction in
///     try transaction.save(songs)
///     try transaction.delete(Song.self, id: old)
/// }
/// ```
///
/// When the closure throws, nothing of it is stored. It may run more than once, see
/// ``StorageBackend/write(_:_:)-swift.requirement``. The transaction reads its own changes.
public final class WriteTransaction: ReadTransaction {
    private let storage: any StorageWriter
    /// The error of a change that failed half-way; the transaction can only roll back then.
    private var failure: (any Error)?

    init(_ core: StoreCore, _ writer: any StorageWriter) {
        storage = writer
        super.init(core, writer)
    }

    /// The engine's side of the transaction.
    var writer: any StorageWriter {
        get throws {
            _ = try reader
            if let failure { throw TroveError.transactionPoisoned(by: failure) }
            return storage
        }
    }

    /// Runs a change of several steps; when it throws, what it has done so far must not be committed.
    @usableFromInline func change(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            if failure == nil { failure = error }
            throw error
        }
    }

    /// Throws when a change failed half-way and the error was swallowed.
    func checkBeforeCommit() throws {
        if let failure { throw TroveError.transactionPoisoned(by: failure) }
    }

    /// Runs `body`; when it throws, undoes its changes and throws the same error, leaving the transaction usable.
    ///
    /// Savepoints nest.
    @discardableResult
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let writer = try writer
        do {
            return try writer.savepoint {
                let result = try body()
                try checkBeforeCommit()
                return result
            }
        } catch {
            // The transaction was sound when the savepoint began and is so again.
            failure = nil
            forgetModels()
            throw error
        }
    }

    /// The model with its keyspace, which is made when there is none.
    @usableFromInline func openForSaving(_ type: any Model.Type) throws -> OpenModel {
        let writer = try writer
        let model = try open(type)
        if model.keyspace != nil { return model }
        _ = try writer.createKeyspace(named: model.binding.schema.name)
        return try open(type)
    }
}
