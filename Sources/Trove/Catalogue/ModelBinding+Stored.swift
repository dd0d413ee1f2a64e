import Foundation

/// Models that the program does not have, as the catalogue describes them.
extension ModelBinding {
    /// A model as the program writes it that has it: in this layout, with the rules that its fields have. Changes of its records go the way of all others.
    ///
    /// Of records in other layouts it shows what the catalogue tells; ``untoldFields(of:key:in:)`` has the rest, for which
    /// something stands that nobody must look at.
    ///
    /// - Parameter fullText: its full-text indexes.
    convenience init(stored entry: LayoutEntry, fullText: [IndexSchema] = []) {
        let references = Set(entry.attributes.indices.filter { entry.attributes[$0].relationship?.shape == .requiredOne })
        self.init(stored: entry, entry.schema, layout: entry.layout, fullText: fullText) { type, place in
            // What stands for a reference would point at something.
            if references.contains(place) { throw DecodingFault.missing }
            return type.standIn
        }
    }

    /// A model to read records of several layouts. Conditions and sorts see all records in a layout that no record has, with nil for fields that one lacks;
    /// nothing is ever written in it.
    ///
    /// - Parameters:
    ///   - fullText: its full-text indexes.
    ///   - hidesEncrypted: whether encrypted fields are left out, since the program has no keys to read them.
    convenience init(anyLayoutOf entry: LayoutEntry, fullText: [IndexSchema], hidesEncrypted: Bool) {
        let hidden = hidesEncrypted ? entry.encryptedFields : []
        let fields = zip(entry.layout.fields, entry.attributes).filter { field, _ in !hidden.contains(field.name) }.map { field, attributes in
            FieldSchema(
                field.name, type: field.type.optionalDepth > 0 || field.type.isLazy ? field.type : .optional(field.type), originalName: attributes.originalName,
                hasDefault: true)
        }
        let layout = RecordLayout(
            number: 0, modelName: entry.layout.modelName, version: entry.layout.version, fields: fields.map { ($0.name, $0.type) })
        self.init(stored: entry, ModelSchema(layout.modelName, version: layout.version, fields: fields), layout: layout, fullText: fullText, hiding: hidden) {
            _, _ in .null
        }
    }

    /// The fields of which nobody but the program that has the model can tell what a record in another layout has: those that are missing there, of which that
    /// program knows a default value, and all of an earlier version, which it upgrades. None where the program has the model.
    ///
    /// - Throws: what ``plan(for:)`` throws; what reading throws, of a document that the model has adopted, where each has other names.
    func untoldFields(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, in other: RecordLayout) throws -> Set<String> {
        guard storedEntry != nil, other.number != layout.number else { return [] }
        let plan = try plan(for: other)
        if plan.isUpgrade { return Set(schema.fields.map(\.name)) }
        guard other.documentPosition != nil else { return Set(zip(schema.fields, plan.sources).lazy.filter { $1 == .missing }.map(\.0.name)) }
        var decoder = try RecordDecoder(record, key: key, layout: other, plan: plan)
        var untold: Set<String> = []
        for (place, field) in schema.fields.enumerated() where try decoder.value(ofProperty: place) == nil { untold.insert(field.name) }
        return untold
    }
}

extension LayoutEntry {
    /// The model as far as the catalogue tells it.
    var schema: ModelSchema {
        let fields = zip(layout.fields, attributes).map { field, attributes in
            // Whether there is a default matters to who makes objects; here records are only brought into the layout.
            FieldSchema(field.name, type: field.type, originalName: attributes.originalName, hasDefault: true, options: attributes.options)
        }
        return ModelSchema(layout.modelName, version: layout.version, fields: fields)
    }
}

extension PresentNames {
    /// Under which names a model has what records of another layout have under others.
    init(in layout: RecordLayout, of schema: ModelSchema) {
        var places: [String: Place] = [:]
        var renamed: [Int: String] = [:]
        for (field, source) in zip(schema.fields, DecodingPlan(from: layout, to: schema).sources) where layout.position(of: field.name) == nil {
            switch source {
            case .same(let position, _), .widened(let position, _):
                places[field.name] = .field(position)
                let own = layout.fields[position].name
                if renamed[position] == nil, !schema.fields.contains(where: { $0.name == own }) { renamed[position] = field.name }
            case .member(let position, let name, let type): places[field.name] = .member(position, name, type: type)
            case .missing: break
            }
        }
        self.init(places: places, renamed: renamed)
    }
}

extension FieldType {
    /// A value of the type, for places where there has to be one that nobody looks at. Without a `default`, so that a new type has one too: nil in a field that
    /// is not optional would refuse the record.
    fileprivate var standIn: StoredValue {
        switch self {
        case .optional, .lazy, .codable: .null
        case .array, .set: .array([])
        case .dictionary(.string, _): .object([:])
        case .dictionary: .dictionary([:])
        case .bool: .bool(false)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128: .int(0)
        case .float: .float(0)
        case .double: .double(0)
        case .decimal: .decimal(0)
        case .string: .string("")
        case .data: .data(Data())
        case .url: .url(URL(filePath: "/"))
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .duration: .duration(.zero)
        case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .objectID: .objectID(ObjectID(high: 0, low: 0))
        case .geoPoint: .geoPoint(GeoPoint(checked: 0, 0))
        }
    }
}
