/// The way of every change of one model's records in a write transaction.
///
/// A change is told to all listeners, judged by the unique indexes, written, and then accepted by the listeners; when it is refused on the way,
/// they forget it. Callers choose among ``insert(_:_:in:)``, ``upsert(_:_:in:)``, ``update(_:_:replacing:in:)`` and ``delete(_:_:in:)`` by what
/// they know, so that nothing is read that is known.
@usableFromInline final class ModelPipeline {
    /// What a caller knows of the record that a key has in the store.
    enum OldRecord {
        /// Nothing.
        case unknown
        /// These are its bytes, valid until the change is made.
        case stored(UnsafeRawBufferPointer)
    }

    /// The name of the model.
    let modelName: String
    /// The model; nil when neither the program nor the catalogue has it. Then its indexes, if any, are built anew later, and only bytes are known of records.
    let model: ModelBinding?
    unowned let transaction: WriteTransaction
    unowned let pipeline: TransactionPipeline
    /// What keeps the indexes that the program can keep.
    var maintainers: [any IndexMaintainer] = []
    /// The others that follow changes: relationships, observers, the journal.
    var followers: [any ChangeListener]
    /// All of them.
    var listeners: [any ChangeListener] = [] {
        didSet { soleJournal = listeners.count == 1 ? listeners[0] as? JournalListener : nil }
    }
    /// The journal, when nobody else follows changes.
    private var soleJournal: JournalListener?
    /// The indexes that the program cannot keep, but that have entries; the first change makes them build from the start.
    var unmaintained: [Int] = []
    /// Those to build anew because of an old record that nobody can read, as soon as the engine may be changed.
    var unreadable: [Int] = []
    /// Those to build anew because of a record of which only the program that has the model can tell what they have of it.
    var untold: [Int] = []
    var hasUnique = false
    /// Whether records may have annexes, which nobody reads or encodes for an insertion that may find a record there.
    private let hasAnnexes: Bool
    /// No record of the model has a key above this; nil when nobody has looked, empty when there are no records.
    var upperBound: [UInt8]?
    /// Whether the last record saved was new: then the next is taken for new until the engine says otherwise.
    var expectsNew = true
    var notedSize = 0

    init(_ model: ModelBinding, _ transaction: WriteTransaction, _ pipeline: TransactionPipeline, observed: ObservedChanges?, hasAnnexes: Bool) throws {
        modelName = model.schema.name
        self.model = model
        self.hasAnnexes = hasAnnexes
        self.transaction = transaction
        self.pipeline = pipeline
        var followers: [any ChangeListener] = []
        if hasAnnexes { followers.append(AnnexKeeper(modelName, transaction)) }
        if let notes = try transaction.core.following.listener(for: model, in: transaction) { followers.append(notes) }
        if let observed { followers.append(observed) }
        // Records of a model that the program does not have are told as they were written.
        if let notes = transaction.delegateNotes { followers.append(DelegateListener(notes, modelName, model.storedEntry == nil ? model : nil, transaction)) }
        if let journal = transaction.journal { followers.append(JournalListener(journal, modelName, transaction)) }
        self.followers = followers
    }

    /// The way of records of a model of which the catalogue does not tell what they have.
    init(unknown modelName: String, _ transaction: WriteTransaction, _ pipeline: TransactionPipeline, hasAnnexes: Bool) {
        self.modelName = modelName
        model = nil
        self.hasAnnexes = hasAnnexes
        self.transaction = transaction
        self.pipeline = pipeline
        followers = transaction.delegateNotes.map { [DelegateListener($0, modelName, nil, transaction)] } ?? []
        if let journal = transaction.journal { followers.append(JournalListener(journal, modelName, transaction)) }
        if hasAnnexes { followers.append(AnnexKeeper(modelName, transaction)) }
        listeners = followers
    }

    /// Lets another journal take changes down from now on; nil for none.
    func follow(_ journal: ChangeJournal?) {
        followers.removeAll { $0 is JournalListener }
        if let journal { followers.append(JournalListener(journal, modelName, transaction)) }
        listeners = maintainers + followers
        // Without listeners records are stored past it.
        upperBound = nil
    }

    /// Takes over what the catalogue says, keeping what is noted for indexes that are as they were.
    func load(_ table: IndexTable) throws {
        guard let model else { return }
        let writer = try transaction.writer
        let old = maintainers
        // Another layout than that of the beginning may have become the latest of a model that the program does not have.
        let bindings = table.bindings(of: modelName)
        let isForeign = { (binding: IndexBinding) in model.storedEntry != nil && binding.layout.number != model.layout.number }
        maintainers = try bindings.compactMap { binding in
            if isForeign(binding) { return nil }
            let position: [UInt8]?
            switch table.state(of: binding.number) {
            case .ready: position = nil
            case .building(after: let key?): position = key
            default: return nil
            }
            // A state changes in a transaction only together with the number, or by a rollback, which leaves nothing noted.
            return try old.first { $0.binding.number == binding.number } ?? binding.maintainer(upTo: position, writer) { [unowned transaction] in transaction.whenCommitted($0) }
        }
        listeners = maintainers + followers
        hasUnique = maintainers.contains { $0.binding.schema.isUnique }
        var numbers = table.unmaintained(of: modelName)
        for binding in bindings where isForeign(binding) { numbers.append(binding.number) }
        unmaintained = numbers.filter { table.state(of: $0) != .building(after: nil) }
    }

    // MARK: Changes

    /// Stores a record unless its key exists; returns whether it was stored.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func insert(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, in keyspace: Keyspace) throws -> Bool {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            let isStored = try writer.insert(key.bytes, record.bytes, in: keyspace)
            if isStored { noteNumber() }
            return isStored
        }
        let isStored = try withView(of: record, key) { new in
            // It may be the highest key from now on.
            _ = try isAboveAll(key, keyspace)
            return try insert(key, record, new, keyspace)
        }
        if isStored { try finish() }
        return isStored
    }

    /// Stores a record, whether or not there is one with its key.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func upsert(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, in keyspace: Keyspace) throws {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            try writer.put(key.bytes, record.bytes, in: keyspace)
            return noteNumber()
        }
        try withView(of: record, key) { new in
            if try isAboveAll(key, keyspace) {
                try note(key, new, record)
                try writing { try writer.put(key.bytes, record.bytes, in: keyspace) }
                return try accept()
            }
            // A delegate is told what a change is before it is made.
            if expectsNew && !hasAnnexes && (!hasUnique || pipeline.isInBatch) && transaction.delegateNotes == nil {
                // One call of the engine both finds that there is no such record and stores it.
                if try insert(key, record, new, keyspace) { return }
                expectsNew = false
            }
            try replace(key, record, new, .unknown, keyspace)
        }
        try finish()
    }

    /// Replaces a record that is there, of which the caller may have the bytes.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func update(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, replacing old: OldRecord, in keyspace: Keyspace
    ) throws {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            try writer.put(key.bytes, record.bytes, in: keyspace)
            return noteNumber()
        }
        try withView(of: record, key) { try replace(key, record, $0, old, keyspace) }
        try finish()
    }

    /// Removes a record, of which the caller may have the bytes; returns whether there was one.
    func delete(_ key: UnsafeRawBufferPointer, _ old: OldRecord, in keyspace: Keyspace) throws -> Bool {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            let isDeleted = try writer.delete(key.bytes, in: keyspace)
            if isDeleted { noteNumber() }
            return isDeleted
        }
        guard try noteOld(key, old, nil, nil, keyspace) else { return false }
        try restartUnreadable()
        try writing { try writer.remove(key.bytes, in: keyspace) }
        try accept()
        try finish()
        return true
    }

    /// Removes all records and returns how many there were.
    func deleteAll(in keyspace: Keyspace) throws -> Int {
        let writer = try transaction.writer
        try prepare()
        var count = 0
        try transaction.change {
            transaction.changeNumber &+= 1
            for listener in listeners { try listener.noteRemovalOfAll(in: keyspace) }
            upperBound = []
            count = try writer.deleteRange(.all, in: keyspace)
            for listener in listeners { try listener.accept() }
        }
        try finish()
        return count
    }

    /// Whether nobody wants to see the records of the change that is made now: it has no listeners, or only a journal that takes down its number.
    private var needsNoRecords: Bool { listeners.isEmpty || soleJournal?.isNumbering == true }

    /// Takes down a change whose records nobody wanted to see.
    private func noteNumber() {
        guard let soleJournal else { return }
        transaction.changeNumber &+= 1
        // The key may be the highest.
        upperBound = nil
        soleJournal.appendNumber()
    }

    private func insert(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ new: RecordView?, _ keyspace: Keyspace
    ) throws -> Bool {
        let writer = try transaction.writer
        try note(key, new, record)
        guard try writing({ try writer.insert(key.bytes, record.bytes, in: keyspace) }) else {
            undo()
            return false
        }
        try accept()
        return true
    }

    private func replace(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ new: RecordView?, _ old: OldRecord, _ keyspace: Keyspace
    ) throws {
        let writer = try transaction.writer
        if try noteOld(key, old, new, record, keyspace) {
            try restartUnreadable()
            try check(new)
        } else {
            expectsNew = true
            _ = raiseBound(to: key)
            try note(key, new, record)
        }
        try writing { try writer.put(key.bytes, record.bytes, in: keyspace) }
        try accept()
    }

    /// Writes what was noted; when the engine refuses, as it does a record that is too large, what was noted does not count.
    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            undo()
            upperBound = nil
            throw error
        }
    }

    // MARK: Keys

    /// Whether no stored record has this key or a higher one, as far as is known for nothing; if so, the record is about to be stored.
    private func isAboveAll(_ key: UnsafeRawBufferPointer, _ keyspace: Keyspace) throws -> Bool {
        if upperBound == nil {
            var last: [UInt8] = []
            try transaction.reader.scanKeys(.all, in: keyspace, order: .descending, expecting: 1) { key in
                last = [UInt8](copying: key)
                return .stop
            }
            upperBound = last
        }
        return raiseBound(to: key)
    }

    /// Takes note of a record that is about to be stored; whether its key is above all, as far as is known.
    private func raiseBound(to key: UnsafeRawBufferPointer) -> Bool {
        guard let bound = upperBound, bound.span.bytes.precedes(key.bytes) else { return false }
        upperBound = [UInt8](key)
        return true
    }

    /// Calls `body` with the record in the model's current layout; with nil when the program does not have the model.
    private func withView<Result>(
        of record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ body: (RecordView?) throws -> Result
    ) throws -> Result {
        guard let model else { return try body(nil) }
        if try RecordDecoder.header(of: record).layout == model.layout.number {
            var view = try RecordView(trusting: record, key: key, layout: model.layout)
            view.annexes = transaction.annexes(of: model.layout)
            return try body(view)
        }
        try dropUntold(by: record, key)
        try restartUntold()
        var result: Result?
        try transaction.withRecordView(record.bytes, key: key.bytes, OpenModel(model)) { result = try body($0) }
        guard let result else { throw DecodingFault.damaged("it cannot be read in the model's layout") }
        return result
    }
}
