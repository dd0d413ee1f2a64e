/// Keeps one index in step with the records inside one write transaction.
///
/// Changes of records are noted, and written to the engine together: at the commit, around savepoints, before the index is read in
/// the same transaction, and when they take much memory.
protocol IndexMaintainer: AnyObject {
    var binding: IndexBinding { get }

    /// About how many bytes of memory the changes take that are noted and not written.
    var bufferedSize: Int { get }

    /// Takes note of a record that changes from `old`, nil for a new one, to `new`, nil when it is deleted; both of one key.
    ///
    /// What it notes counts from ``accept()`` on, and ``undo()`` forgets it. It must not change the store: the old record's bytes lie in the engine.
    ///
    /// - Throws: ``OldRecordFault`` when what the old record has in the index cannot be told.
    func replace(old: RecordView?, new: RecordView?) throws

    /// Throws when what was noted last cannot be, before its record is written. In a batch it is left to ``endBatch()``.
    ///
    /// - Throws: ``UniqueConflict``.
    func check() throws

    /// What was noted last holds.
    func accept() throws

    /// Forgets what was noted last.
    func undo()

    /// Ends a change that stands for itself, of one record or of many, which had all to be noted before some of it could be judged.
    ///
    /// - Throws: ``UniqueConflict``.
    func endBatch() throws

    /// Writes what was accepted to the engine in the order of its keys. Inside a batch, what can only be judged at its end may wait.
    ///
    /// - Throws: ``UniqueConflict`` when it need not wait.
    func flush(insideBatch: Bool) throws

    /// Forgets everything noted, after the engine has rolled back to a state before it.
    func discard()

    /// Removes everything: all records of the model are being deleted.
    func removeAll() throws
}

/// The old record of a change, or what an index makes of it, cannot be read, so nobody can tell which entries it has.
struct OldRecordFault: Error {
    let underlying: any Error
}

/// Two records have values of which a unique index allows one; both by the engine's keys.
struct UniqueConflict: Error {
    let binding: IndexBinding
    let recordKey: [UInt8]
    let otherKey: [UInt8]
}

extension IndexBinding {
    /// What keeps the index in one write transaction.
    ///
    /// - Parameter lastKey: the engine's key of the last record that a build has come to; nil for a whole index.
    func maintainer(upTo lastKey: [UInt8]?, _ writer: any StorageWriter) throws -> any IndexMaintainer {
        switch schema.kind {
        case .ordered: return OrderedIndexWriter(self, upTo: lastKey, writer)
        case .fullText, .substring:
            guard let inverted = try invertedIndex() else { throw corrupt("it is of no kind that is known") }
            return WordIndexMaintainer(self, inverted, upTo: lastKey, writer)
        }
    }
}
