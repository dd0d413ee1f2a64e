/// One change of a record, as what follows it is told before it is made. Everything in it is valid only while the listener is called.
struct RecordTransition {
    /// The engine's key of the record.
    let key: UnsafeRawBufferPointer
    /// The record as it was, in the model's current layout; nil when there was none, or nobody can read it.
    let old: RecordView?
    /// The record as it will be, in the model's current layout; nil when it is removed.
    let new: RecordView?
    /// The record's bytes as they are stored; nil when there is none.
    let oldBytes: UnsafeRawBufferPointer?
    /// The record's bytes as they will be stored; nil when it is removed.
    let newBytes: UnsafeRawBufferPointer?

    init(
        key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, oldBytes: UnsafeRawBufferPointer?, newBytes: UnsafeRawBufferPointer?
    ) {
        self.key = key
        self.old = old
        self.new = new
        self.oldBytes = oldBytes
        self.newBytes = newBytes
    }

    /// A new record.
    init(adding new: RecordView) {
        self.init(key: new.key, old: nil, new: new, oldBytes: nil, newBytes: new.bytes)
    }

    /// Whether there was a record that is too damaged to be read, or of a model that the program does not have.
    var isOldUnreadable: Bool { old == nil && oldBytes != nil }
}

/// What follows every change of one model's records in a write transaction: an index, relationships, observers, a journal.
///
/// Each change is told before it is made. What is noted of it counts from ``accept()`` on, and ``undo()`` forgets it when the change is refused.
protocol ChangeListener: AnyObject {
    /// About how many bytes of memory the changes take that are noted and not written.
    var bufferedSize: Int { get }

    /// Takes note of a change. It must not change the store: the old record's bytes lie in the engine.
    ///
    /// - Throws: ``OldRecordFault`` when the listener cannot tell what the old record means to it.
    func note(_ change: RecordTransition) throws

    /// Throws when what was noted last cannot be, before its record is written. In a batch it is left to ``endBatch()``.
    func check() throws

    /// What was noted last holds.
    func accept() throws

    /// Forgets what was noted last.
    func undo()

    /// Takes note that all records are about to be removed, which lie in this keyspace. ``accept()`` follows when they are gone.
    func noteRemovalOfAll(in records: Keyspace) throws

    /// Ends a change that stands for itself, of one record or of many, which had all to be noted before some of it could be judged.
    func endBatch() throws

    /// Tells the engine which keys ``flush(insideBatch:)`` will ask for, where the engine wants to know.
    func announce() throws

    /// Writes what was accepted to the engine. Inside a batch, what can only be judged at its end may wait.
    func flush(insideBatch: Bool) throws

    /// Forgets everything noted, after the engine has rolled back to a state before it.
    func discard()
}

/// A listener that neither refuses anything nor writes to the engine.
extension ChangeListener {
    var bufferedSize: Int { 0 }
    func check() throws {}
    func endBatch() throws {}
    func announce() throws {}
    func flush(insideBatch: Bool) throws {}
    func discard() {}
}

/// The old record of a change, or what an index makes of it, cannot be read, so nobody can tell which entries it has.
struct OldRecordFault: Error {
    let underlying: any Error
}
