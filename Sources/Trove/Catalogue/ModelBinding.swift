import Synchronization

/// A model as one open store has it: its schema, keyspace and current layout.
final class ModelBinding: Sendable {
    let schema: ModelSchema
    let type: ObjectIdentifier
    /// The layout its records are written in.
    let layout: RecordLayout
    /// Whether a save of an existing object has to look at the stored one.
    let mergesOnSave: Bool
    /// The stored type of the id, that of the raw values for an enum; nil when it is made of several.
    let idType: FieldType?
    /// Whether its objects are live ones, which may be in a context.
    let isLive: Bool
    /// The values made of an object that go by a name in queries.
    let derived: [DerivedField]
    /// The full-text indexes that the model declares, ready or not.
    let fullTextIndexes: [IndexSchema]
    /// Reads the object of a record, upgrades it if need be, and writes it in the current layout.
    let normalise: @Sendable (inout RecordDecoder, inout RecordBuffer) throws -> Void
    private let plans = Mutex<[UInt16: DecodingPlan]>([:])

    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    init<Object: Model>(_ type: Object.Type, layout: RecordLayout) throws {
        schema = Object.schema
        self.type = ObjectIdentifier(type)
        self.layout = layout
        mergesOnSave = schema.fields.contains { !$0.options.isEmpty }
        idType = FieldType(ofID: Object.ID.self)
        isLive = Object._isLive
        derived = try DerivedField.all(of: type, layout: layout)
        fullTextIndexes = try type.indexes.filter(\.kind.isFullText).map { try $0.checkedSchema() }
        normalise = { record, buffer in
            let key = try record.wholeKey()
            let object = try Object.newObject(from: &record)
            buffer.key.removeAll()
            buffer.key.append(whole: key)
            try buffer.encode(object, layout)
        }
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
}

/// What the catalogue keeps of a model's ids, so that a store notices a program that would read them otherwise.
struct IDSchema: Equatable {
    struct Part: Equatable {
        let name: String
        let type: String
    }

    /// A native type's name, also for an enum with such raw values; `composite` for all others.
    let type: String
    /// The parts of a composite in their order; none when its type does not tell them.
    let parts: [Part]

    init(type: String, parts: [Part]) {
        self.type = type
        self.parts = parts
    }

    init(_ id: any StorableKey.Type) {
        type = FieldType(ofID: id)?.description ?? "composite"
        parts = id.keyParts.map { Part(name: $0.name, type: IDSchema($0.type).description) }
    }

    /// Whether ids that were stored so are what the model, with this schema, declares now.
    ///
    /// A part may have been renamed as its property was; two of one type that changed places cannot be told by their types.
    func isDeclared(by declared: IDSchema, of schema: ModelSchema) -> Bool {
        guard type == declared.type else { return false }
        if parts.isEmpty || declared.parts.isEmpty { return true }
        return parts.count == declared.parts.count
            && zip(parts, declared.parts).allSatisfy { stored, part in
                stored.type == part.type
                    && (stored.name == part.name || schema.fields.contains { $0.name == part.name && $0.originalName == stored.name })
            }
    }
}

extension IDSchema: CustomStringConvertible {
    var description: String {
        parts.isEmpty ? type : "(\(parts.map { "\($0.name): \($0.type)" }.joined(separator: ", ")))"
    }
}

/// The catalogue's entry about one layout.
struct LayoutEntry {
    let layout: RecordLayout
    /// The type of the model's ids.
    let id: IDSchema
    /// Whether no record has this layout any more, so that its field types bind nobody.
    var isRetired: Bool

    /// The names of all such entries begin so; the layout's number follows in five digits.
    static let namePrefix = "layout/"

    static func name(_ number: UInt16) -> String {
        let digits = String(number)
        return namePrefix + String(repeating: "0", count: 5 - digits.count) + digits
    }

    init(_ layout: RecordLayout, id: IDSchema, isRetired: Bool = false) {
        self.layout = layout
        self.id = id
        self.isRetired = isRetired
    }

    func encode() throws -> [UInt8] {
        let parts = id.parts.map { StoredValue.array([.string($0.name), .string($0.type)]) }
        let fields = layout.fields.map { StoredValue.array([.string($0.name), .string($0.type.description)]) }
        return try CatalogueEntry.encode(
            .object([
                "type": .string(layout.typeName), "version": .int(Int64(layout.version)), "id": .string(id.type),
                "parts": .array(parts), "fields": .array(fields), "retired": .bool(isRetired),
            ]), name: Self.name(layout.number))
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8], name: String) throws {
        let value = try CatalogueEntry.decode(bytes, name: name)
        guard let number = UInt16(name.dropFirst(Self.namePrefix.count)),
            case .string(let type) = value.value(at: "type"), case .int(let version) = value.value(at: "version"),
            case .string(let idType) = value.value(at: "id"), case .bool(let isRetired) = value.value(at: "retired"),
            case .array(let list) = value.value(at: "fields")
        else { throw TroveError.corruptCatalogue(entry: name, reason: "a part is missing") }
        let fields = try list.map { field in
            guard case .array(let parts) = field, parts.count == 2, case .string(let name) = parts[0],
                case .string(let text) = parts[1], let type = FieldType(text)
            else { throw TroveError.corruptCatalogue(entry: name, reason: "it has a field of unknown type") }
            return (name: name, type: type)
        }
        // Entries of a store that was made before parts were kept have none.
        var parts: [IDSchema.Part] = []
        if case .array(let list) = value.value(at: "parts") {
            parts = try list.map { part in
                guard case .array(let pair) = part, pair.count == 2, case .string(let name) = pair[0], case .string(let type) = pair[1]
                else { throw TroveError.corruptCatalogue(entry: name, reason: "it has a part of the id that cannot be read") }
                return IDSchema.Part(name: name, type: type)
            }
        }
        self.init(
            RecordLayout(number: number, typeName: type, version: Int(version), fields: fields),
            id: IDSchema(type: idType, parts: parts), isRetired: isRetired)
    }
}
