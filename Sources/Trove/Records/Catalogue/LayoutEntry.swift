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
