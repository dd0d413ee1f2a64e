/// One snapshot of a store, inside the closure of ``ObjectStore/read(_:)``.
///
/// ```swift
/// let (count, song) = try store.read { snapshot in
///     (try snapshot.fetch(Song.self).count(), try snapshot.fetch(Song.self, id: id))
/// }
/// ```
///
/// It belongs to the thread that runs the closure. After the closure every method throws
/// ``TroveError/transactionFinished``.
public class ReadTransaction {
    let core: StoreCore
    private let storage: any StorageReader
    @exclusivity(unchecked) private var isFinished = false
    /// Whether its reader goes on after it, and other threads have it then, as that of a snapshot.
    private let isLent: Bool
    /// Whether queries may use the model's indexes.
    var usesIndexes = true
    /// The model that was used first: a transaction of one operation has no other, and makes no array. One thread uses a transaction, and
    /// nothing of others runs while these change.
    @exclusivity(unchecked) private var firstModel: OpenModel?
    /// Further models used so far; a transaction rarely touches more than a few.
    @exclusivity(unchecked) private var models: [OpenModel] = []
    /// Memory for records of older layouts, written anew in the current one.
    var spareBuffer: RecordBuffer?
    /// The collections of documents, and the models that the program does not have, used so far, by their names.
    var collections: [String: OpenModel] = [:]
    /// The layout of a collection that this transaction has made, which others do not have yet.
    var newLayouts: Set<UInt16> = []
    @exclusivity(unchecked) private var knownIndexTable: IndexTable?
    private var knownRelationships: RelationshipSet?
    /// The keyspaces of the indexes that were asked for.
    @exclusivity(unchecked) private var indexKeyspaces: [(index: Int, keyspace: Keyspace)] = []
    /// The indexes of what relationships point at, as far as they were asked for; nil for those that are not ready.
    var reverseIndexes: [ObjectIdentifier: IndexBinding?] = [:]
    /// What the annexes of its records are read by, once there was one that has some.
    var knownAnnexes: TransactionAnnexes?
    /// The annexes that are being taken over from other records.
    var soughtAnnexes: Set<AnnexID> = []
    /// What has objects of its own for records, as a read of a context does; nil in others. It is set before the transaction is used and after, by who keeps it
    /// meanwhile, so that no object counts a reference to it.
    @exclusivity(unchecked) @usableFromInline final var reading: Unmanaged<_ObjectReading>?

    /// - Parameter indexes: those of the state, where the reader is a snapshot's; nil of a reader that ends with the transaction.
    init(_ core: StoreCore, _ reader: any StorageReader, indexes: IndexTable? = nil) {
        self.core = core
        storage = reader
        isLent = indexes != nil
        knownIndexTable = indexes
    }

    /// The engine's side of the transaction.
    @usableFromInline var reader: any StorageReader {
        get throws {
            if isFinished { throw TroveError.transactionFinished }
            return storage
        }
    }

    func finish() {
        isFinished = true
        knownAnnexes?.finish()
    }

    /// Counts what a read visits, and ends it when its task is cancelled. A write that has begun is carried out.
    var watch: ReadWatch { ReadWatch(heedsCancellation: !(self is WriteTransaction)) }

    /// The model with its keyspace, looked up once.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)``.
    @usableFromInline func open(_ type: any Model.Type) throws -> OpenModel {
        let identifier = ObjectIdentifier(type)
        if let firstModel, firstModel.type == identifier { return firstModel }
        if let model = models.first(where: { $0.type == identifier }) { return model }
        let binding = try core.binding(for: type)
        let keyspace = try reader.keyspace(named: binding.schema.name)
        let model = OpenModel(type: identifier, binding: binding, keyspace: keyspace, pipeline: try pipeline(of: binding))
        guard keyspace != nil else { return model }
        if firstModel == nil { firstModel = model } else { models.append(model) }
        return model
    }

    func forgetModels() {
        firstModel = nil
        models.removeAll()
        collections.removeAll()
    }

    /// The number of the history's entry that the transaction has written in part, which is none yet; nil when there is none.
    var openHistoryNumber: UInt64? { nil }

    // MARK: Indexes

    /// All indexes of the store as this transaction sees them; one look-up finds out whether they are those that the store saw last.
    var indexTable: IndexTable {
        get throws {
            if let knownIndexTable { return knownIndexTable }
            let table = try core.indexTable(reader)
            knownIndexTable = table
            return table
        }
    }

    /// What points where in the store, the same for the whole transaction: notes of changes go by its numbers.
    var relationships: RelationshipSet {
        get throws {
            if let knownRelationships { return knownRelationships }
            let relationships = try core.relationships(with: indexTable, isOld: isLent)
            knownRelationships = relationships
            return relationships
        }
    }

    func forgetIndexes() {
        knownIndexTable = nil
        indexKeyspaces.removeAll()
        reverseIndexes.removeAll()
    }

    /// The keyspace of an index's entries, looked up once; nil when it has none yet.
    func indexKeyspace(_ index: IndexBinding) throws -> Keyspace? {
        let reader = try reader
        if let known = indexKeyspaces.first(where: { $0.index == index.number }) { return known.keyspace }
        guard let keyspace = try reader.keyspace(named: index.keyspaceName) else { return nil }
        indexKeyspaces.append((index.number, keyspace))
        return keyspace
    }

    /// What has an annex in memory that is about to be stored; nil in a read.
    func annexProvider(of id: AnnexID) -> (any AnnexProvider)? { nil }

    /// Writes what a write transaction has noted of indexes and not written, but for ``waitingIndexes(of:)``; nothing in a read.
    func flushIndexes() throws {}

    /// The numbers of a model's indexes that lack what a batch has changed; none in a read.
    func waitingIndexes(of modelName: String) -> Set<Int> { [] }

    /// What a model's changes go through in a write transaction; nil in a read, and where nothing follows from them.
    func pipeline(of model: ModelBinding) throws -> ModelPipeline? { nil }
}

/// A model as one transaction has it open.
@usableFromInline struct OpenModel {
    let type: ObjectIdentifier
    let binding: ModelBinding
    /// The keyspace of its records; nil when there is none yet.
    @usableFromInline let keyspace: Keyspace?
    /// What changes of the model go through, in a write transaction; nil when nothing follows from them.
    let pipeline: ModelPipeline?
    /// Whether its objects are live ones.
    @usableFromInline let isLive: Bool
    /// What most of its records have alike.
    let shape: PlainRecordShape
    /// Whether its records may have annexes.
    let hasLazyFields: Bool

    init(type: ObjectIdentifier, binding: ModelBinding, keyspace: Keyspace?, pipeline: ModelPipeline?) {
        self.type = type
        self.binding = binding
        self.keyspace = keyspace
        self.pipeline = pipeline
        isLive = binding.isLive
        shape = PlainRecordShape(binding.layout)
        hasLazyFields = !binding.layout.lazyFields.isEmpty
    }

    /// The model alone, to read records of it.
    init(_ binding: ModelBinding) {
        self.init(type: binding.type, binding: binding, keyspace: nil, pipeline: nil)
    }
}

extension ReadTransaction {
    /// Access to the engine's own features inside this transaction, such as SQL.
    ///
    /// ```swift
    /// import TroveSQLite
    ///
    /// try store.write { transaction in                    // both, or neither
    ///     try transaction.save(song)
    ///     let sql = try transaction.engine(SQLiteConnection.self)
    ///     try sql.execute("INSERT INTO visits (page) VALUES (?)", .text("songs"))
    /// }
    /// ```
    ///
    /// A program that uses it is tied to that engine. What is made so is not Trove's: `docs/stores.md` says what takes it along.
    ///
    /// - Throws: ``StorageError/unsupported(_:)`` when the store is on another engine, or encrypted: what went past the cipher would be readable on the disk;
    ///   also in a read of a ``StoreSnapshot``, since what it gave would work after the closure, beside reads of other threads.
    public func engine<Access: EngineAccess>(_ type: Access.Type) throws -> Access {
        let reader = try reader
        if isLent {
            throw StorageError.unsupported(
                .init(
                    engine: core.capabilities.engine, path: core.backend.path,
                    message: "several threads read a snapshot in turn, and \(Access.self) is for one transaction; use it in store.read { transaction in … }"))
        }
        let sealing = (reader as? SoundReader)?.wrappedReader ?? reader
        if let access = Access((sealing as? SealingReader)?.wrappedReader ?? sealing) { return access }
        throw StorageError.unsupported(
            .init(
                engine: core.capabilities.engine, path: core.backend.path,
                message: "\(Access.self) needs a store directly on \(Access.engineName); keep data that is not an object in transaction.keyspace(_:), which every engine has"))
    }
}
