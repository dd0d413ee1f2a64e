import Synchronization

/// One index of an open store, ready to make entries and to be read.
///
/// Whether queries may use it is a matter of the snapshot, since another program may build or drop it: a transaction's
/// ``ReadTransaction/usableIndexes(of:)`` are those that it may.
final class IndexBinding: Sendable {
    let modelName: String
    let schema: IndexSchema
    /// The index's number in the store; an index that was built anew has another.
    let number: Int
    let fields: IndexFields
    /// The layout of the records it is made of.
    let layout: RecordLayout

    /// The keyspace of the entries.
    let keyspaceName: String
    /// Whether ids of its model can be too long for a key.
    let hasLongIDs: Bool
    /// What is known of the numbers of paths, of an index of all paths.
    let paths: PathCache?
    /// What it has of an index of all paths; nil of an index of its own.
    let slice: PathSlice?
    /// What makes the hashes that its entries have in place of their parts; nil of an index that is not blind.
    let blinding: PartBlinding?
    /// How often queries have read it.
    let uses: IndexUseCount

    /// Whether a record may have several entries, one for each member of a collection.
    var isMultiValued: Bool { fields.multiplePart != nil }

    /// Whether each object of the model has exactly one entry.
    var hasOneEntryForEachObject: Bool { schema.kind.hasPartEntries && slice == nil && !isMultiValued }

    /// Whether it keeps counts and sums for each combination of its parts' values.
    var hasGroups: Bool { !schema.aggregates.isEmpty }

    /// - Parameter sealer: what makes the hashes of a blind index.
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    init(_ entry: IndexCatalogueEntry, in model: ModelBinding, uses: IndexUseCount = IndexUseCount(), sealer: (any FieldSealer)? = nil) throws {
        self.uses = uses
        if case .blind(let options) = entry.schema.kind {
            guard let sealer else {
                throw TroveError.invalidIndex(
                    model: entry.modelName, index: entry.schema.name, reason: "it is blind, and the store was opened without keys; give it fieldKeys:")
            }
            blinding = PartBlinding(options, modelName: entry.modelName, indexName: entry.schema.name, sealer)
        } else {
            blinding = nil
        }
        modelName = entry.modelName
        schema = entry.schema
        number = entry.number
        keyspaceName = IndexCatalogueEntry.keyspaceName(number)
        layout = model.layout
        hasLongIDs = model.hasLongIDs
        slice = nil
        guard !entry.schema.kind.isOfPaths || model.isCollection && entry.schema.parts == [IndexPart(.document)] else {
            throw TroveError.invalidIndex(model: entry.modelName, index: entry.schema.name, reason: "only a collection of documents has an index of all paths")
        }
        if case .paths(let indexing) = entry.schema.kind { paths = PathCache(PathTable(indexing)) } else { paths = nil }
        fields = try IndexFields(entry.schema, in: model)
        guard fields.types == entry.types else {
            throw TroveError.invalidIndex(
                model: entry.modelName, index: entry.schema.name, reason: "it was made for fields of other types")
        }
    }

    /// What an index of all paths has of some of them, as an index of the value there.
    init(_ slice: PathSlice, of index: IndexBinding, in model: ModelBinding) throws {
        modelName = index.modelName
        schema = IndexSchema(index.schema.name, parts: [IndexPart(slice.subject.first)])
        number = index.number
        keyspaceName = index.keyspaceName
        layout = index.layout
        hasLongIDs = index.hasLongIDs
        paths = nil
        blinding = nil
        self.slice = slice
        uses = index.uses
        fields = try IndexFields(slice, in: model)
    }

    /// The error for entries of it that are damaged.
    func corrupt(_ reason: String) -> TroveError { .corruptIndex(model: modelName, index: schema.name, reason: reason) }

    /// The error for an entry of a record that is not there.
    func missingRecord(of key: RawSpan) -> TroveError {
        corrupt("it has an entry of \(StoredRecord.text(of: [UInt8](copying: key))), which is not in the store")
    }

    /// Runs `body`, and names the index in its error when that is of damaged bytes.
    @inline(__always)
    func namingDamage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch TroveError.corruptKey(let reason) {
            throw corrupt(reason)
        } catch TroveError.corruptValue(let reason) {
            throw corrupt(reason)
        }
    }
}

/// An index that a model of the program declares, checked against the model's fields, without the model's type.
struct IndexDeclaration: Sendable {
    let schema: IndexSchema
    /// As ``IndexCatalogueEntry/types``.
    let types: [String]
    /// As ``IndexCatalogueEntry/defaults``.
    let defaults: [String: String]

    /// The indexes of a model: those it declares, and that of each of its relationships.
    ///
    /// - Parameter relationships: the indexes of what points where.
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    static func all<Object: Model>(
        of type: Object.Type, _ binding: ModelBinding, _ relationships: [IndexSchema]
    ) throws -> [IndexDeclaration] {
        var names: Set<String> = []
        let schemas = try Object.indexes.map { try $0.checkedSchema() } + relationships
        return try schemas.map { schema in
            let declaration = try IndexDeclaration(schema, binding)
            guard names.insert(declaration.schema.name).inserted else {
                throw TroveError.invalidIndex(
                    model: binding.schema.name, index: declaration.schema.name,
                    reason: "the model has two indexes of this name; give one another name: name: \"…\"")
            }
            return declaration
        }
    }

    private init(_ schema: IndexSchema, _ binding: ModelBinding) throws {
        self.schema = schema
        let fields = try IndexFields(schema, in: binding)
        types = fields.types
        defaults = fields.defaults
    }
}

/// How often queries have read one index since the store was opened.
final class IndexUseCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more; without a lock, since it is on the way of every query.
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// The counts of all indexes of an open store, by their numbers: they outlive what is known of an index in a snapshot.
final class IndexUses: Sendable {
    private let counts = Mutex<[Int: IndexUseCount]>([:])

    /// The count of the index with this number; the first call makes it.
    func count(of number: Int) -> IndexUseCount {
        counts.withLock { counts in
            if let count = counts[number] { return count }
            let count = IndexUseCount()
            counts[number] = count
            return count
        }
    }
}
