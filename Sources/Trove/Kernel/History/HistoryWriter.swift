import Foundation

/// Writes what a transaction changes into the store's history: one entry, or one for each part of the transaction that stands for itself.
final class HistoryWriter {
    /// About how many bytes of changes are put into one value.
    private static let chunkSize = 60_000
    /// Of how many entries one looks for those that are too old, and how many of these it removes at the most.
    private static let (trimmingInterval, trimmingSize) = (UInt64(64), UInt64(256))

    /// Where the next chunk goes.
    struct Place {
        fileprivate let keyspace: Keyspace
        fileprivate var number: UInt64
        fileprivate var chunk: UInt32 = 0
        fileprivate var stamp = UInt64.random(in: 1 ... .max)
    }

    private unowned let transaction: WriteTransaction
    private let policy: HistoryPolicy
    /// Nil until something is written.
    private var place: Place?
    /// The changes of the chunk that is being filled.
    private var changes = HistoryChanges()
    /// Whether anything was written that a commit makes known.
    private(set) var hasWritten = false

    init(_ policy: HistoryPolicy, _ transaction: WriteTransaction) {
        self.policy = policy
        self.transaction = transaction
    }

    /// A listener for the changes of a model's records.
    func listener(_ modelName: String, _ model: ModelBinding?) throws -> HistoryListener {
        // Of a model that nobody knows nobody can tell.
        let isEncrypted = model.map { $0.schema.fields.contains(where: \.isEncrypted) } ?? true
        let listener = HistoryListener(self, modelName, keepsValues: policy.detail == .values && !isEncrypted, transaction)
        // Records that were stored before may have a field that the program does not.
        listener.load(try transaction.indexTable)
        return listener
    }

    /// Adds a change that was made, as ``HistoryChunk`` encodes it.
    func append(_ modelName: String, _ change: UnsafeRawBufferPointer) throws {
        if changes.size > 0, changes.size + change.count > Self.chunkSize { try flush(isLast: false) }
        changes.append(modelName, change)
    }

    /// The number of the entry that is in the store in part; nil while nothing of it is.
    var openNumber: UInt64? { place.flatMap { $0.chunk > 0 ? $0.number : nil } }

    /// Writes what was added, or the end of the entry.
    ///
    /// - Parameter isLast: whether nothing of the entry comes behind it.
    private func flush(isLast: Bool) throws {
        if changes.size == 0, !isLast || openNumber == nil { return }
        try transaction.change {
            let writer = try transaction.writer
            var place = try self.place ?? nextPlace(writer)
            let key = HistorySpace.key(place.number, place.chunk)
            let author = transaction.author ?? transaction.core.author
            let header = HistoryChunk.Header(isLast: isLast, stamp: place.stamp, date: transaction.saveDate, author: author)
            try writer.put(key, changes.sealed(header, with: key), in: place.keyspace)
            place.chunk += 1
            self.place = place
        }
        changes.removeAll()
    }

    /// Ends the entry: what is changed from now on is another one's.
    func endEntry() throws {
        try flush(isLast: true)
        guard let place, place.chunk > 0 else { return }
        hasWritten = true
        self.place = Place(keyspace: place.keyspace, number: place.number + 1)
        guard let age = policy.maximumAge, place.number % Self.trimmingInterval == 0 else { return }
        do {
            _ = try transaction.trimHistory(before: transaction.saveDate.addingTimeInterval(-(age / .seconds(1))), atMost: Self.trimmingSize)
        } catch TroveError.corruptHistory {
            // Nothing was removed. Who reads the history or verifies the store is told; who changes objects is not concerned.
            return
        }
    }

    /// Where the writer is, when all is written; nil before it has begun.
    func mark() throws -> Place? {
        try flush(isLast: false)
        return place
    }

    /// Goes back to a place, nil for the start, after the engine has done so.
    func rollBack(to place: Place?) {
        changes.removeAll()
        self.place = place
    }

    private func nextPlace(_ writer: any StorageWriter) throws -> Place {
        let keyspace = try writer.createKeyspace(named: HistorySpace.keyspaceName)
        let last = try transaction.latestHistoryNumber(keyspace)
        // Every number is above those before it, so one that nobody reaches by counting is damage.
        guard last < .max / 2 else { throw TroveError.corruptHistory(entry: last, reason: "it has a number that no history reaches") }
        return Place(keyspace: keyspace, number: last + 1)
    }
}
