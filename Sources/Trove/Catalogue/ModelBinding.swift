import Synchronization

/// A model as one open store has it: its schema, keyspace and current layout.
final class ModelBinding: Sendable {
    let schema: ModelSchema
    let type: ObjectIdentifier
    /// The layout its records are written in.
    let layout: RecordLayout
    /// Whether a save of an existing object has to look at the stored one.
    let mergesOnSave: Bool
    /// Where its objects have the dates of their saves; nil when they have none.
    let savedDates: SavedDates?
    /// Under which names the documents of a collection have the dates of their saves; nil when they have none, and for a model.
    let documentDates: DocumentDates?
    /// The stored type of the id, that of the raw values for an enum; nil when it is made of several.
    let idType: FieldType?
    /// The Swift type of the id; nil of a model that the program does not have.
    let idClass: (any StorableKey.Type)?
    /// Whether an id can be too long for a key.
    var hasLongIDs: Bool { idType.map { $0.fixedSize == nil } ?? true }
    /// The fields that the ids are made of; nil when they have values of their own.
    let naturalKey: NaturalKey?
    /// Whether ids may be made of properties that the schema does not name, so that only an object tells which it has.
    let mayMakeIDs: Bool
    /// Whether its objects are live ones, which may be in a context.
    let isLive: Bool
    /// The values made of an object that go by a name in queries.
    let derived: [DerivedField]
    /// The names of its encrypted fields, where these are left out since nobody has their keys.
    let hiddenFields: Set<String>
    /// The full-text indexes that the model declares, or the one that was set for a collection; ready or not.
    let fullTextIndexes: [IndexSchema]
    /// Whether it is a collection of documents, whose attributes are the names in one nested value.
    let isCollection: Bool
    /// What the catalogue says of a model that the program does not have; nil when it has it.
    let storedEntry: LayoutEntry?
    /// Reads the object of a record, upgrades it if need be, and writes it in the current layout.
    let normalise: @Sendable (inout RecordDecoder, inout RecordBuffer) throws -> Void
    /// Reads the object of a record, upgrades it if need be, and returns the whole key of the id that it has.
    let objectKey: @Sendable (inout RecordDecoder) throws -> [UInt8]
    /// Reads the object of a record and asks whether it may be stored; nil when the model is no ``ValidatedModel`` of the program.
    let validate: (@Sendable (inout RecordDecoder) throws -> Void)?
    private let plans = Mutex<[UInt16: DecodingPlan]>([:])
    private let names = Mutex<[UInt16: PresentNames]>([:])

    /// A model as its type declares it.
    convenience init<Object: Model>(_ type: Object.Type, layout: RecordLayout) throws {
        try self.init(type, Object.schema, layout: layout)
    }

    /// A collection of documents.
    ///
    /// - Parameter fullText: its full-text indexes, as the catalogue has them.
    convenience init(collection layout: RecordLayout, _ dates: DocumentDates? = nil, fullText: [IndexSchema] = []) throws {
        let schema = ModelSchema(layout.modelName, version: layout.version, fields: Document.schema.fields)
        try self.init(Document.self, schema, layout: layout, dates, fullText: fullText)
    }

    /// A model of which the program has the type.
    ///
    /// - Parameters:
    ///   - schema: what the type declares, with what the store makes of it.
    ///   - fullText: the full-text indexes that the type does not declare.
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``; ``TroveError/schemaMismatch(model:reason:)`` for an identity that is none.
    init<Object: Model>(
        _ type: Object.Type, _ schema: ModelSchema, layout: RecordLayout, _ documentDates: DocumentDates? = nil, fullText: [IndexSchema] = []
    ) throws {
        self.schema = schema
        isCollection = type == Document.self
        storedEntry = nil
        self.type = ObjectIdentifier(type)
        self.layout = layout
        mergesOnSave = schema.fields.contains { !$0.options.isDisjoint(with: .merging) }
        savedDates = SavedDates(schema, layout)
        self.documentDates = documentDates
        idType = FieldType(ofID: Object.ID.self)
        idClass = Object.ID.self
        naturalKey = try NaturalKey(schema, id: Object.ID.self)
        isLive = Object._isLive
        // The id that a class gets without declaring one is computed too, of nothing that is stored.
        mayMakeIDs = type.schema.idProperty != nil && schema.identity.isEmpty && !(Object._isLive && Object.ID.self == ObjectID.self)
        hiddenFields = []
        derived = try DerivedField.all(of: type, layout: layout)
        fullTextIndexes = try type.indexes.filter(\.kind.isFullText).map { try $0.checkedSchema() } + fullText
        objectKey = { try Object.newObject(from: &$0).id.keyBytes }
        validate = (type as? any ValidatedModel.Type).map { Self.validation(of: $0) }
        normalise = { record, buffer in
            let key = try record.wholeKey()
            let object = try Object.newObject(from: &record)
            buffer.key.removeAll()
            buffer.key.append(whole: key)
            buffer.record.keepsLazyValues = true
            defer { buffer.record.keepsLazyValues = false }
            try buffer.encode(object, layout)
        }
    }

    /// A model that the program does not have; see ``init(stored:)`` and ``init(anyLayoutOf:hidesEncrypted:)``.
    ///
    /// - Parameters:
    ///   - fullText: its full-text indexes, as the catalogue has them.
    ///   - hidden: the names of the fields that are left out, since they are encrypted and the program has no keys.
    ///   - missing: the value of a field that a record lacks, or that an earlier version had as something else.
    init(
        stored entry: LayoutEntry, _ schema: ModelSchema, layout: RecordLayout, fullText: [IndexSchema], hiding hidden: Set<String> = [],
        missing: @escaping @Sendable (FieldType, Int) throws -> StoredValue
    ) {
        self.schema = schema
        hiddenFields = hidden
        isCollection = false
        type = ObjectIdentifier(StoredRecord.self)
        self.layout = layout
        storedEntry = entry
        mergesOnSave = schema.fields.contains { !$0.options.isEmpty }
        savedDates = SavedDates(schema, layout)
        documentDates = nil
        idType = FieldType(entry.id.type)
        idClass = nil
        naturalKey = nil
        mayMakeIDs = false
        isLive = false
        derived = []
        fullTextIndexes = fullText
        objectKey = { try $0.wholeKey() }
        validate = nil
        normalise = { record, buffer in
            var values: [StoredValue] = []
            for place in layout.fields.indices {
                record.field = place + 1
                values.append(try record.value(ofProperty: place) ?? missing(layout.fields[place].type, place))
            }
            // Nobody is offered what is only looked at.
            buffer.record.keepsLazyValues = true
            defer { buffer.record.keepsLazyValues = false }
            try buffer.encode(StoredRecord(key: record.wholeKey(), layout: layout, values: values), layout)
        }
    }

    private static func validation<Object: ValidatedModel>(of type: Object.Type) -> @Sendable (inout RecordDecoder) throws -> Void {
        { try Object.newObject(from: &$0).validate() }
    }

    /// How records of an older layout are read.
    ///
    /// - Throws: what opening the store throws for a layout the model cannot read; another program may have written it since.
    func plan(for stored: RecordLayout) throws -> DecodingPlan {
        try plans.withLock { plans in
            if let plan = plans[stored.number] { return plan }
            try SchemaRegistration.check(schema, canRead: stored)
            let plan = DecodingPlan(from: stored, to: schema)
            plans[stored.number] = plan
            return plan
        }
    }

    /// Whether records of an older layout lack one of the properties at these places in the schema. Documents that the model has adopted may, each for itself.
    func lacks(_ places: [Int], in stored: RecordLayout) -> Bool {
        if stored.documentPosition != nil { return true }
        let sources = DecodingPlan(from: stored, to: schema).sources
        return places.contains { sources[$0] == .missing }
    }

    /// Under which names the model has what records of an older layout have under others.
    func presentNames(in stored: RecordLayout) -> PresentNames {
        if stored.number == layout.number { return .none }
        return names.withLock { names in
            if let known = names[stored.number] { return known }
            let present = PresentNames(in: stored, of: schema)
            names[stored.number] = present
            return present
        }
    }
}

extension ModelBinding {
    /// The path to the id. `id` may be an attribute of a document, as any name.
    var idPath: FieldPath { isCollection ? .documentID : .id }

    /// Where the value is that a path leads into, and the names inside it; nil when the model has no such field. A path whose first name is no field of
    /// a collection begins inside its documents.
    func fieldPlace(of path: FieldPath) -> (position: Int, names: [String])? {
        if let position = layout.position(of: path.field) { return (position, path.names) }
        guard isCollection, !path.field.isEmpty, path != idPath, let root = layout.position(of: DocumentField.root) else { return nil }
        return (root, [path.field] + path.names)
    }
}

extension ModelBinding {
    /// Whether a record that is saved over another may keep values of that.
    var keepsStoredValues: Bool { mergesOnSave || savedDates?.creation != nil }

    /// Puts into a record what the stored one keeps by the options of its fields: values that are written once, and those that nil does not replace.
    ///
    /// - Parameter layout: the one that the stored record has.
    func keepStoredValues(of stored: StoredRecord, _ layout: RecordLayout, in record: inout StoredRecord) throws {
        // What the stored record lacks was never stored, so there is nothing to keep; after an upgrade everything counts.
        let isUpgrade = layout.version < schema.version
        for field in schema.fields where !field.options.isDisjoint(with: .keeping) && (isUpgrade || layout.hasField(field)) {
            // A stored nil is not written yet.
            guard let type = stored.type(of: field.name), !stored.isNil(field.name), record.type(of: field.name) != nil else { continue }
            if !stored.hasOwnField(field.name), stored[field.name] == nil { continue }
            let keepsStored = !field.options.isDisjoint(with: [.writeOnce, .creationDate]) || (field.options.contains(.keepIfNil) && record.isNil(field.name))
            guard keepsStored else { continue }
            if type == record.type(of: field.name), stored.hasOwnField(field.name), record.hasOwnField(field.name) {
                record.copy(field.name, from: stored)
            } else {
                try record.set(field.name, to: stored.value(of: field.name))
            }
        }
    }
}

/// A value that is made of an object, as queries know it: by its name.
struct DerivedField: Sendable {
    let name: String
    let type: FieldType
    /// Reads the object of a record in the current layout and appends the value in the nested encoding.
    let encode: @Sendable (RecordView, inout ByteWriter) throws -> Void

    /// The derived values that a model's indexes name.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)`` when one has the name of a field, or two have one name.
    static func all<Object: Model>(of model: Object.Type, layout: RecordLayout) throws -> [DerivedField] {
        var fields: [DerivedField] = []
        for derived in model.indexes.compactMap(\.derived) {
            let isField = derived.name == FieldPath.id.field || model.schema.fields.contains { $0.name == derived.name }
            if isField || derived.name.isEmpty || fields.contains(where: { $0.name == derived.name }) {
                throw TroveError.invalidIndex(
                    model: model.schema.name, index: derived.name, reason: "a derived value needs a name that no property has")
            }
            fields.append(DerivedField(name: derived.name, type: derived.type) { record, bytes in
                var decoder = RecordDecoder(record, layout: layout)
                do {
                    try derived.encode(Object(from: &decoder), &bytes)
                } catch let fault as DecodingFault {
                    // Only here it is known which property it is.
                    let key = [UInt8](record.key)
                    let id = key.count <= RecordKey.maxWholeSize ? try? Object.ID(keyBytes: key) : nil
                    throw fault.error(model: model.schema, field: decoder.field, key: key, shownID: id?.shownInErrors)
                }
            })
        }
        return fields
    }
}
