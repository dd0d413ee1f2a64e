import Synchronization
import TroveBackendKit

/// What an open store's transactions share.
final class StoreCore: Sendable {
    let backend: any StorageBackend
    /// The backend's, which are asked for often and do not change.
    let capabilities: StorageCapabilities
    let catalogue = Catalogue()
    let observers: ObserverRegistry
    /// The snapshots that are open on the engine, also those of other stores on it.
    let snapshots: OpenSnapshots
    let backgroundIndexing = BackgroundIndexing()
    /// The indexes that are being created at run time.
    let indexCreations = IndexCreations()
    let attachments = StoreAttachments()
    /// What finds the commits of other processes.
    let otherProcesses: OtherProcessWatch
    /// Who is told of changes.
    let audience = StoreAudience()
    /// What tells the dates of saves.
    let clock = StoreClock()
    /// What follows the changes of transactions.
    let following: any ChangeFollowing
    /// What the store has of bags as soon as it has one.
    let bags: BagModel
    let models: [any Model.Type]
    private let bindings: [ObjectIdentifier: ModelBinding]
    /// The indexes that the models declare, by the model's name.
    private let declarations: [String: (binding: ModelBinding, declarations: [IndexDeclaration])]
    /// What points where, as the models declare it.
    let relationships: RelationshipTable
    /// The indexes of the store as a transaction saw them last.
    private let indexes = Mutex(SeenIndexes(table: IndexTable()))
    /// What points where with the models that the program does not have, as a transaction saw it last.
    private let lastRelationships: Mutex<RelationshipSet>
    /// How often queries have read each index.
    let indexUses = IndexUses()
    /// The most memory in bytes that a transaction's changes of indexes take before they are written; while they are sorted it is up to twice
    /// as much.
    let maxBufferedIndexSize = Atomic(96 << 20)
    /// The threads of asynchronous reads.
    let readPool = WorkerPool()
    /// The threads that help with long scans.
    let scanThreads: ScanThreads
    /// What seals encrypted properties; nil when the program gave no keys.
    let sealing: FieldSealing?
    /// Who makes the changes of transactions that name nobody, for the store's history.
    let author: String?
    /// Whether ``close()`` has closed the engine.
    let isClosed = Atomic(false)
    /// The thread that is inside of a write transaction.
    let writingThread = Mutex<ThreadIdentity?>(nil)
    /// The store's identity, and its format when it was opened.
    let header: StoreHeader

    /// Opens the store in `backend`, or makes one when it is empty, and checks the models and those their relationships lead to against it.
    ///
    /// - Parameters:
    ///   - mayCreate: false when there has to be a store.
    ///   - author: who makes the changes of transactions that name nobody.
    ///   - fieldKeys: the keys of encrypted properties; nil when the program has none.
    ///   - scanThreads: how many threads may work on one scan; nil for as many as there are cores.
    ///   - interval: the time between looks for commits of other processes; nil for none.
    init(
        _ backend: any StorageBackend, mayCreate: Bool, author: String? = nil, fieldKeys: (any FieldKeyring)? = nil, scanThreads: Int? = nil,
        looksForOthersEvery interval: Duration? = nil, following: any ChangeFollowing, models named: [any Model.Type]
    ) throws {
        self.scanThreads = ScanThreads(limit: scanThreads)
        self.following = following
        self.author = author
        let models = RelatedModels.all(from: named)
        self.backend = backend
        capabilities = backend.capabilities
        observers = ObserverRegistry(on: backend.sharedEngine)
        snapshots = OpenSnapshots.of(backend.sharedEngine)
        self.models = models
        try Self.checkNames(models)
        let sealing = try FieldSealing.open(fieldKeys, in: backend, models: models.map { $0.schema })
        let closed = fieldKeys.map { _ in sealing?.sealer.closedFields ?? [] }
        // Most opens find nothing to write, and then leave the store as it is.
        let opened =
            try backend.read { try Self.open($0, backend, mayCreate: mayCreate, closed: closed, models: models, following) }
            ?? backend.write { try Self.create($0, path: backend.path, closed: closed, models: models, following) }
        if sealing == nil, mayCreate, let fieldKeys {
            self.sealing = try FieldSealing.create(fieldKeys, in: backend)
        } else {
            self.sealing = sealing
        }
        bags = try BagModel()
        (header, relationships) = (opened.header, opened.relationships)
        bindings = opened.bindings.merging([bags.binding.type: bags.binding]) { first, _ in first }
        self.sealing?.know(Array(opened.bindings.values), opened.layouts)
        lastRelationships = Mutex(RelationshipSet(relationships, [], bags.members, declared: []))
        declarations = Dictionary(
            (opened.declarations + [(bags.binding, bags.indexes)]).map { ($0.binding.schema.name, $0) }, uniquingKeysWith: { first, _ in first })
        let table = try IndexTable(
            nil, [], previous: IndexTable(), models: declarations, layouts: opened.layouts, uses: indexUses, sealer: self.sealing?.sealer)
        indexes.withLock { $0 = SeenIndexes(table: table) }
        otherProcesses = try OtherProcessWatch(backend, every: interval, observers, attachments)
    }

    /// The indexes of the store as a snapshot has them.
    func indexTable(_ reader: any StorageReader) throws -> IndexTable {
        let stamp = reader.stateStamp
        let (last, lastStamp) = indexes.withLock { ($0.table, $0.stamp) }
        if let stamp, stamp == lastStamp { return last }
        if reader.prefetches {
            // Whoever asks for the indexes asks how large they are next.
            try IndexDirectory.announce(to: reader)
            for entry in last.entries where entry.state == .ready { try IndexSample.prefetchCount(of: entry.number, reader) }
        }
        if try IndexDirectory.isStill(last.directory, reader) {
            if stamp != nil { indexes.withLock { $0 = SeenIndexes(table: last, stamp: stamp) } }
            return last
        }
        let directory = try IndexDirectory.read(reader)
        let table = try IndexTable(
            directory, directory == nil ? [] : IndexDirectory.entries(reader), previous: last, models: declarations, layouts: try Catalogue.entries(reader),
            uses: indexUses, sealer: sealing?.sealer(of: reader), history: HistoryPolicy.stored(reader))
        indexes.withLock { $0 = SeenIndexes(table: table, stamp: stamp) }
        return table
    }

    /// What points where in a store with these models beside those that the program has.
    ///
    /// - Parameter isOld: whether the table is one of a snapshot, which says nothing of the store as it is.
    func relationships(with table: IndexTable, isOld: Bool = false) -> RelationshipSet {
        let stored = table.storedModels
        return lastRelationships.withLock { last in
            if last.isOf(stored) { return last }
            let set = RelationshipSet(relationships, stored, bags.members, declared: modelBindings)
            if !isOld { last = set }
            return set
        }
    }

    /// The indexes, and the models that the program does not have, as a transaction saw them last.
    var seenIndexes: IndexTable { indexes.withLock { $0.table } }

    /// What points where, models among it that the program does not have, as a transaction saw it last.
    private var seenRelationships: RelationshipSet { relationships(with: seenIndexes) }
    var knownRelationships: RelationshipTable { seenRelationships.table }

    /// What relationships asked of changes when a transaction saw them last.
    var rules: RelationshipRules { seenRelationships.rules }

    /// The bindings of all models.
    var modelBindings: [ModelBinding] { Array(bindings.values) }

    /// The binding of the model of this name.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)``.
    func binding(named name: String) throws -> ModelBinding {
        guard let binding = declarations[name]?.binding else { throw TroveError.unknownModel(name) }
        return binding
    }

    /// The binding of a model; nil when it was not named at opening.
    func knownBinding(for type: any Model.Type) -> ModelBinding? { bindings[ObjectIdentifier(type)] }

    /// The binding of a model.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` when it was not named at opening.
    func binding(for type: any Model.Type) throws -> ModelBinding {
        guard let binding = bindings[ObjectIdentifier(type)] else {
            if type == Document.self {
                throw TroveError.invalidCollection(name: "Document", reason: "documents are kept in named collections; use one: store.documents(\"notes\")")
            }
            throw TroveError.unknownModel(String(describing: type))
        }
        return binding
    }

    /// The model whose records have this name, when the program has it; Trove's own among them.
    func model(named name: String) -> (any Model.Type)? {
        models.first { $0.schema.name == name } ?? (name == StoredBag.schema.name ? StoredBag.self : nil)
    }

    /// Ends the snapshots, closes the engine, and lets those who wait for commits find out, also when something else failed once the engine was closed.
    func close() throws {
        // Once more it is harmless, whatever others on the engine have open.
        if isClosed.load(ordering: .acquiring) { return try backend.close() }
        // Inside of a transaction it is refused: by the engine, which says why, before anything has ended.
        if (backend.sharedEngine as? any TransactionTelling)?.isInsideTransaction == true { try backend.close() }
        try snapshots.whileNoneIsOpen(for: self, isClosing: true) {
            let durability = backgroundIndexing.stop()
            do {
                try closeEngine()
            } catch {
                // A store that stays open, as when a transaction takes too long, has its indexes built as before.
                if let durability, !isClosed.load(ordering: .acquiring) {
                    backgroundIndexing.allow(durability)
                    backgroundIndexing.start(self)
                }
                throw error
            }
        }
    }

    private func closeEngine() throws {
        do {
            try backend.close()
        } catch {
            if isEngineClosed { noteClosed() }
            throw error
        }
        noteClosed()
    }

    /// Whether the engine does nothing any more.
    private var isEngineClosed: Bool {
        do {
            try backend.read { _ in }
            return false
        } catch StorageError.closed {
            return true
        } catch {
            return false
        }
    }

    private func noteClosed() {
        isClosed.store(true, ordering: .releasing)
        otherProcesses.stop()
        observers.signalAll()
        audience.end()
    }

    deinit { audience.dissolve() }
}

// As a transaction saw them last, since models that the program does not have keep their rules.
extension StoreCore {
    /// The relationships that a model has, in the order of its fields. The program need not have the model.
    func relationships(of modelName: String) -> [RelationshipBinding] { knownRelationships.relationships(of: modelName) }

    /// The relationships that may point at a model, those to any model among them. The program need not have the models.
    func relationships(to modelName: String) -> [RelationshipBinding] { knownRelationships.relationships(to: modelName) }

    /// The relationship that says the same the other way round; nil when there is none.
    func inverse(of relationship: RelationshipBinding) -> RelationshipBinding? { knownRelationships.inverse(of: relationship) }
}
