/// The way of every change of one model's records in a write transaction.
///
/// A new record may refuse itself. Then the change is told to all listeners, judged by the unique indexes, written, and accepted by the listeners; when it
/// is refused on the way, they forget it. Callers choose among ``insert(_:_:in:)``, ``upsert(_:_:in:)``, ``update(_:_:replacing:in:)`` and
/// ``delete(_:_:in:)`` by what they know, so that nothing is read that is known.
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
    /// What asks the model's objects; nil when they are not asked.
    let validation: RecordValidation?
    unowned let transaction: WriteTransaction
    unowned let pipeline: TransactionPipeline
    /// What keeps the indexes that the program can keep.
    var maintainers: [any IndexMaintainer] = []
    /// The others that follow changes: relationships, observers, the history, the journal.
    var followers: [any ChangeListener]
    /// All of them.
    var listeners: [any ChangeListener] = [] {
        didSet { soleJournal = listeners.count == 1 ? listeners[0] as? JournalListener : nil }
    }
    /// The journal, when nobody else follows changes.
    private(set) var soleJournal: JournalListener?
    /// The indexes that the program cannot keep, but that have entries; the first change makes them build from the start.
    var unmaintained: [Int] = []
    /// Those to build anew because of an old record that nobody can read, as soon as the engine may be changed.
    var unreadable: [Int] = []
    /// Those to build anew because of a record of which only the program that has the model can tell what they have of it.
    var untold: [Int] = []
    var hasUnique = false
    /// Whether records may have annexes, which nobody reads or encodes for an insertion that may find a record there.
    let hasAnnexes: Bool
    /// Whether the store's audience is told of the changes.
    private(set) var isTold = false
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
        validation = RecordValidation(model, transaction)
        if hasAnnexes { followers.append(AnnexKeeper(modelName, transaction)) }
        if let notes = try transaction.core.following.listener(for: model, in: transaction) { followers.append(notes) }
        if let observed { followers.append(observed) }
        // Records of a model that the program does not have are told as they were written.
        if let notes = transaction.notes, notes.concern(modelName) {
            followers.append(AudienceListener(notes, modelName, model.storedEntry == nil ? model : nil, transaction))
            isTold = true
        }
        if let history = try transaction.historyWriter(of: modelName) { followers.append(try history.listener(modelName, model)) }
        if let journal = transaction.journal { followers.append(JournalListener(journal, modelName, transaction)) }
        self.followers = followers
    }

    /// The way of records of a model of which the catalogue does not tell what they have.
    init(unknown modelName: String, _ transaction: WriteTransaction, _ pipeline: TransactionPipeline, hasAnnexes: Bool) throws {
        self.modelName = modelName
        model = nil
        validation = nil
        self.hasAnnexes = hasAnnexes
        self.transaction = transaction
        self.pipeline = pipeline
        followers = []
        if let notes = transaction.notes, notes.concern(modelName) {
            followers.append(AudienceListener(notes, modelName, nil, transaction))
            isTold = true
        }
        if let history = try transaction.historyWriter(of: modelName) { followers.append(try history.listener(modelName, nil)) }
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
        for case let history as HistoryListener in followers { history.load(table) }
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
            return try old.first { $0.binding.number == binding.number }
                ?? binding.maintainer(upTo: position, writer) { [unowned transaction] in transaction.whenCommitted($0) }
        }
        listeners = maintainers + followers
        hasUnique = maintainers.contains { $0.binding.schema.isUnique }
        var numbers = table.unmaintained(of: modelName)
        for binding in bindings where isForeign(binding) { numbers.append(binding.number) }
        unmaintained = numbers.filter { table.state(of: $0) != .building(after: nil) }
    }
}
