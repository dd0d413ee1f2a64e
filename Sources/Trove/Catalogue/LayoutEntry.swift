/// The catalogue's entry about one layout.
struct LayoutEntry {
    let layout: RecordLayout
    /// The type of the model's ids.
    let id: IDSchema
    /// What the model declared of each field when it was opened last, in the layout's order.
    var attributes: [FieldAttributes]
    /// Whether no record has this layout any more, so that its field types bind nobody.
    var isRetired: Bool
    /// Whether the layout is that of a collection of documents.
    var isCollection: Bool
    /// Whether the model has a function of its own that is asked when one of its objects is deleted; nil where the program that wrote the layout did not tell.
    var hasCustomDeleteRule: Bool?
    /// The names of the fields that the ids are made of, in the order of their parts; none where ids have values of their own.
    var identity: [String] = []
    /// Under which names the documents of a collection have the dates of their saves; nil where they have none.
    var documentDates: DocumentDates?
    /// What later versions have written besides, which is kept.
    private var others: [String: StoredValue] = [:]

    /// Whether records of the layout may have annexes.
    var hasLazyFields: Bool { !layout.lazyFields.isEmpty }

    /// The names of the fields that are encrypted.
    var encryptedFields: Set<String> { Set(zip(layout.fields, attributes).lazy.filter { $1.options.contains(.encrypted) }.map(\.0.name)) }

    /// The names of all such entries begin so; the layout's number follows in five digits.
    static let namePrefix = "layout/"

    static func name(_ number: UInt16) -> String {
        let digits = String(number)
        return namePrefix + String(repeating: "0", count: 5 - digits.count) + digits
    }

    init(_ layout: RecordLayout, id: IDSchema, attributes: [FieldAttributes], isCollection: Bool = false, hasCustomDeleteRule: Bool? = nil) {
        self.layout = layout
        self.id = id
        self.attributes = attributes
        isRetired = false
        self.isCollection = isCollection
        self.hasCustomDeleteRule = hasCustomDeleteRule
    }

    /// Whether its ids and fields are those that documents have.
    var isOfDocuments: Bool {
        let fields = Document.schema.fields
        return id == IDSchema(Document.ID.self) && layout.fields.map(\.name) == fields.map(\.name) && layout.fields.map(\.type) == fields.map(\.type)
    }

    /// Whether another entry says the same of the same layout.
    func tellsTheSame(as other: LayoutEntry) -> Bool {
        layout.number == other.layout.number && layout.hasSameShape(as: other.layout) && id == other.id && isRetired == other.isRetired
            && isCollection == other.isCollection && declaresTheSame(as: other)
    }

    /// Whether another entry has the same of what a model declares beside the layout.
    func declaresTheSame(as other: LayoutEntry) -> Bool {
        attributes == other.attributes && hasCustomDeleteRule == other.hasCustomDeleteRule && identity == other.identity && documentDates == other.documentDates
    }

    func encode() throws -> [UInt8] { try CatalogueEntry.encode(value, name: Self.name(layout.number)) }

    /// What the entry says, by names.
    var value: StoredValue {
        let parts = id.parts.map { StoredValue.array([.string($0.name), .string($0.type)]) }
        let fields = zip(layout.fields, attributes).map { field, attributes in
            StoredValue.object(attributes.values.merging(["name": .string(field.name), "type": .string(field.type.description)]) { _, known in known })
        }
        var values: [String: StoredValue] = [
            "type": .string(layout.modelName), "version": .int(Int64(layout.version)), "id": .string(id.type),
            "parts": .array(parts), "fields": .array(fields), "retired": .bool(isRetired),
        ]
        if isCollection { values["collection"] = .bool(true) }
        if let documentDates { values["dates"] = documentDates.stored }
        if !identity.isEmpty { values["identity"] = .array(identity.map { .string($0) }) }
        if let hasCustomDeleteRule { values["customDeleteRule"] = .bool(hasCustomDeleteRule) }
        return .object(others.merging(values) { _, known in known })
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8], name: String) throws {
        guard let number = UInt16(name.dropFirst(Self.namePrefix.count)), name == Self.name(number) else {
            throw TroveError.corruptCatalogue(entry: name, reason: "a part is missing")
        }
        try self.init(CatalogueEntry.decode(bytes, name: name), number: number)
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ value: StoredValue, number: UInt16) throws {
        let name = Self.name(number)
        let missing = TroveError.corruptCatalogue(entry: name, reason: "a part is missing")
        guard case .object(let entry) = value, case var values = entry.dictionary,
            case .string(let type) = values.removeValue(forKey: "type"), case .int(let version) = values.removeValue(forKey: "version"),
            case .string(let idType) = values.removeValue(forKey: "id"), case .bool(let isRetired) = values.removeValue(forKey: "retired"),
            case .array(let parts) = values.removeValue(forKey: "parts"), case .array(let fields) = values.removeValue(forKey: "fields")
        else { throw missing }
        let declared = try fields.map { field in
            guard case .object(let part) = field, case var values = part.dictionary, case .string(let field) = values.removeValue(forKey: "name"),
                case .string(let text) = values.removeValue(forKey: "type")
            else { throw TroveError.corruptCatalogue(entry: name, reason: "it has a field without a name or type") }
            guard let fieldType = FieldType(text) else {
                throw TroveError.corruptCatalogue(entry: name, reason: "the field '\(field)' of \(type) has the unknown type '\(text)'")
            }
            guard let attributes = try FieldAttributes(values) else {
                throw TroveError.corruptCatalogue(entry: name, reason: "its description of the field '\(field)' cannot be read")
            }
            return (name: field, type: fieldType, attributes: attributes)
        }
        layout = RecordLayout(number: number, modelName: type, version: Int(version), fields: declared.map { ($0.name, $0.type) })
        id = IDSchema(
            type: idType,
            parts: try parts.map { part in
                guard case .array(let pair) = part, pair.count == 2, case .string(let part) = pair[0], case .string(let type) = pair[1]
                else { throw TroveError.corruptCatalogue(entry: name, reason: "it has a part of the id that cannot be read") }
                return IDSchema.Part(name: part, type: type)
            })
        attributes = declared.map(\.attributes)
        self.isRetired = isRetired
        isCollection = values.removeValue(forKey: "collection") == .bool(true)
        if let dates = values.removeValue(forKey: "dates") {
            guard let dates = DocumentDates(stored: dates) else { throw missing }
            documentDates = dates
        }
        if case .array(let names)? = values.removeValue(forKey: "identity") {
            identity = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
            guard identity.count == names.count else { throw missing }
        }
        if case .bool(let isTold)? = values.removeValue(forKey: "customDeleteRule") { hasCustomDeleteRule = isTold }
        others = values
    }
}

extension [LayoutEntry] {
    /// The highest number that a layout of a program's models has; 0 when there is none.
    var lastNumber: UInt16 { lazy.map(\.layout.number).filter { $0 < RecordLayout.firstReservedNumber }.max() ?? 0 }
}
