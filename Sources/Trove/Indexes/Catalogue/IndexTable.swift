/// All indexes of a store as one snapshot of its catalogue has them, with what the program needs to read and keep them.
final class IndexTable: Sendable {
    /// The directory's entry, which changes whenever an index does, and whenever a program brings layouts that others have to know.
    let directory: [UInt8]?
    let entries: [IndexCatalogueEntry]
    /// By the model's name: the indexes this program can keep in step, but those being dropped.
    private let bindings: [String: [IndexBinding]]
    /// By the model's name: those of them that are ready.
    private let usable: [String: [IndexBinding]]
    /// By the model's name: the numbers of the indexes that it cannot, since it lacks the model, a derived value's function or the fields.
    private let unmaintained: [String: [Int]]
    private let states: [Int: IndexState]
    /// The names of the models that have indexes, those being dropped included.
    private let modelNames: Set<String>
    /// The names of the models whose records may have annexes.
    private let annexModels: Set<String>
    /// By their names: the collections of documents.
    let collections: [String: ModelBinding]
    /// The names of collections that are not stored as this version stores documents.
    private let foreignCollections: Set<String>
    /// By their names: the models that the program does not have.
    let stored: [String: StoredModel]
    /// All models that the program does not have, in the order of their names.
    let storedModels: [ModelBinding]
    /// By the model's name: why the program must not store objects of it, because of what another one has made of the catalogue.
    private let problems: [String: TroveError]
    /// By the model's name: which fields are encrypted, where the program has no keys.
    private let encryptions: [String: FieldEncryption]
    /// The names of the models of which records may have encrypted fields, whatever the program declares.
    private let encryptedModels: Set<String>
    /// What the store keeps of its changes; nil when it keeps no history.
    let history: HistoryPolicy?

    /// The table before there is a store.
    init() {
        directory = nil
        entries = []
        bindings = [:]
        usable = [:]
        unmaintained = [:]
        states = [:]
        modelNames = []
        annexModels = []
        collections = [:]
        foreignCollections = []
        stored = [:]
        storedModels = []
        problems = [:]
        encryptions = [:]
        encryptedModels = []
        history = nil
    }

    /// The table of what the catalogue has; `previous` gives what is the same in it.
    ///
    /// - Parameters:
    ///   - directory: nil in a store that has never had an index.
    ///   - layouts: the catalogue's entries about layouts.
    ///   - uses: how often each index was read.
    ///   - sealer: what makes the hashes of blind indexes; nil when the program has no keys.
    ///   - history: what the store keeps of its changes; nil when it keeps no history.
    init(
        _ directory: [UInt8]?, _ entries: [IndexCatalogueEntry], previous: IndexTable, models declared: [String: (ModelBinding, [IndexDeclaration])],
        layouts: [LayoutEntry], uses: IndexUses, sealer: (any FieldSealer)?, history: HistoryPolicy? = nil
    ) throws {
        self.history = history
        encryptedModels = Set(layouts.lazy.filter { !$0.isRetired && !$0.encryptedFields.isEmpty }.map(\.layout.modelName))
        annexModels = Set(layouts.lazy.filter(\.hasLazyFields).map(\.layout.modelName))
        let retired = Set(layouts.filter(\.isRetired).map(\.layout.number))
        let ofDocuments = layouts.filter(\.isCollection)
        let fullTextEntries = entries.filter { $0.state != .dropping && $0.schema.kind.isFullText }
        let fullText = Dictionary(grouping: fullTextEntries, by: \.modelName).mapValues { $0.map(\.schema) }
        collections = try Self.collections(ofDocuments.filter(\.isOfDocuments), fullText, previous)
        foreignCollections = Set(ofDocuments.lazy.filter { !$0.isOfDocuments }.map(\.layout.modelName))
        stored = Self.storedModels(
            layouts.filter { declared[$0.layout.modelName] == nil && !$0.isCollection }, fullText, previous, hidesEncrypted: sealer == nil)
        storedModels = stored.values.map(\.binding).sorted { $0.schema.name < $1.schema.name }
        let models = declared.merging(collections.mapValues { ($0, []) }) { model, _ in model }
            .merging(stored.mapValues { ($0.binding, []) }) { model, _ in model }
        self.directory = directory
        self.entries = entries
        let known = Dictionary(previous.bindings.values.joined().map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        let inTheClear = declared.compactMapValues {
            FieldEncryption($0.0.schema, of: $0.0.schema.name, layouts).declaredInTheClear(closed: sealer?.closedFields)
        }
        encryptions = sealer == nil ? FieldEncryption.all(in: layouts, declared: declared.mapValues(\.0.schema)) : [:]
        var bindings: [String: [IndexBinding]] = [:]
        var unmaintained: [String: [Int]] = [:]
        for entry in entries where entry.state != .dropping {
            let model = models[entry.modelName]
            // A number that was rolled back may be another index's now.
            let same = known[entry.number].flatMap { known in
                known.modelName == entry.modelName && known.schema == entry.schema && known.fields.types == entry.types
                    && model?.0.schema.version == entry.version && model?.0.layout.number == known.layout.number ? known : nil
            }
            // Entries would have the values of a field that is encrypted by now, or lack those that objects have by default.
            let isOthers = inTheClear[entry.modelName] != nil || model.map { entry.hasOtherDefaults(than: $0.0, layouts) } ?? false
            if !isOthers, let binding = same ?? Self.binding(entry, model, uses, sealer) {
                bindings[entry.modelName, default: []].append(binding)
            } else {
                unmaintained[entry.modelName, default: []].append(entry.number)
            }
        }
        self.bindings = bindings
        problems = declared.compactMapValues { binding, declarations in
            if let field = inTheClear[binding.schema.name] { return Self.unsealed(field, of: binding) }
            return Self.problem(binding, declarations, entries, kept: Set((bindings[binding.schema.name] ?? []).map(\.number)), retired)
        }
        self.unmaintained = unmaintained
        modelNames = Set(entries.map(\.modelName))
        let ready = Set(entries.lazy.filter { $0.state == .ready }.map(\.number))
        usable = bindings.mapValues { $0.filter { ready.contains($0.number) } }
        states = Dictionary(entries.map { ($0.number, $0.state) }, uniquingKeysWith: { first, _ in first })
    }

    /// A model that the program does not have, as the program writes it that has it; nil when the store has none of this name.
    func storedModel(named name: String) -> ModelBinding? { named(name)?.binding }

    /// The same, to read records of all its layouts.
    func storedModel(toRead name: String) -> ModelBinding? { named(name)?.reading }

    private func named(_ name: String) -> StoredModel? {
        guard !stored.isEmpty, let model = stored[name], model.binding.schema.name.hasBytes(of: name) else { return nil }
        return model
    }

    /// Whether all that is in the indexes of a model can be told from its records: not of a model that the program does not have, some of whose records are in
    /// layouts that only that program brings into the present one.
    func canTellAll(of model: ModelBinding) -> Bool {
        guard model.storedEntry != nil, let known = stored[model.schema.name] else { return model.storedEntry == nil }
        return known.binding === model && known.reading === model
    }

    /// The collection of documents of this name; nil when there is none.
    func collection(named name: String) -> ModelBinding? { collections[name] }

    /// Whether the collection of this name is not stored as this version stores documents.
    func isForeignCollection(_ name: String) -> Bool { foreignCollections.contains(name) }

    /// All collections of documents.
    var allCollections: [ModelBinding] { Array(collections.values) }

    /// - Throws: ``TroveError/changedByAnotherProgram(model:reason:)``, of a model that the program does not have ``TroveError/needsModel(_:reason:)``, when a
    ///   change by this program would blind a unique index that it cannot keep.
    func checkChanging(_ modelName: String) throws {
        guard let numbers = unmaintained[modelName] else { return }
        guard let foreign = entries.first(where: { $0.schema.isUnique && numbers.contains($0.number) }) else { return }
        if stored[modelName] == nil { throw Self.unkept(foreign) }
        throw TroveError.needsModel(modelName, reason: "only that one can keep the unique index '\(foreign.schema.name)'")
    }

    /// - Throws: ``TroveError/changedByAnotherProgram(model:reason:)``.
    func checkSaving(_ modelName: String) throws {
        if problems.isEmpty { return }
        if let problem = problems[modelName] { throw problem }
    }

    /// Whether another program leaves it to this one to store objects of a model.
    func maySave(_ modelName: String) -> Bool { problems[modelName] == nil }

    /// Which fields of a model are encrypted, for a program without keys; nil when none is.
    func encryption(of modelName: String) -> FieldEncryption? { encryptions[modelName] }

    func bindings(of modelName: String) -> [IndexBinding] { bindings[modelName] ?? [] }

    /// The indexes of a model that queries may use.
    func usable(of modelName: String) -> [IndexBinding] { usable[modelName] ?? [] }

    func unmaintained(of modelName: String) -> [Int] { unmaintained[modelName] ?? [] }

    func state(of number: Int) -> IndexState? { states[number] }

    /// Whether the store has indexes of a model, in any state.
    func hasEntries(of modelName: String) -> Bool { modelNames.contains(modelName) }

    /// Whether a model's records may have annexes.
    func hasAnnexes(_ modelName: String) -> Bool { !annexModels.isEmpty && annexModels.contains(modelName) }

    /// Whether changes of a model are kept in the store's history.
    func keepsHistory(of modelName: String) -> Bool { history?.keeps(modelName) ?? false }

    /// Whether records of a model may have encrypted fields.
    func hasEncryptedFields(_ modelName: String) -> Bool { !encryptedModels.isEmpty && encryptedModels.contains(modelName) }

    /// Whether a model has indexes that its changes have to heed.
    func concerns(_ modelName: String) -> Bool { !entries.isEmpty && (bindings[modelName] != nil || unmaintained[modelName] != nil) }
}

/// The indexes as a transaction saw them, and the state that it saw, where the engine could tell.
struct SeenIndexes {
    let table: IndexTable
    var stamp: StateStamp?
}
