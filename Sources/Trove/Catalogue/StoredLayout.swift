/// The layout of a model's records in a store: what a program without the model's type knows of it.
///
/// A model has several when its properties have changed; ``ReadTransaction/layouts()`` has them all.
public struct StoredLayout: Sendable {
    let entry: LayoutEntry

    /// The name of the model.
    public var modelName: String { entry.layout.modelName }
    /// The model's version.
    public var version: Int { entry.layout.version }
    /// The type of the ids, as Swift writes it; for ids of several values, their names and types in parentheses.
    public var idType: String { entry.id.description }
    /// The names and types of the fields, in order.
    public var fields: [(name: String, type: FieldType)] { entry.layout.fields.map { ($0.name, $0.type) } }
    /// The names of the fields that are encrypted.
    public var encryptedFields: Set<String> { entry.encryptedFields }
    /// Whether no record has the layout any longer.
    public var isRetired: Bool { entry.isRetired }

    /// The names of the fields that saves of other objects change, or the store by itself: relationships with an inverse, and dates of saves.
    package var derivedFields: Set<String> {
        let derived = zip(entry.layout.fields, entry.attributes).filter { _, attributes in
            attributes.relationship?.inverse != nil || !attributes.options.isDisjoint(with: [.creationDate, .modificationDate])
        }
        return Set(derived.map(\.0.name))
    }

    /// The names of the fields of an older layout of the model that this one has under other names.
    package func renamedFields(of older: StoredLayout) -> Set<String> {
        Set(PresentNames(in: older.entry.layout, of: entry.schema).renamed.keys.map { older.entry.layout.fields[$0].name })
    }
}

extension StoredLayout: JSONRepresentable {
    /// The layout as JSON: the model, its version, the id's type, and the fields with their types, rules and relationships as `docs/format.md` lists them.
    public func jsonValue() throws -> StoredValue {
        guard case .object(let fields) = entry.value else { return .null }
        var values = fields.dictionary
        values["model"] = values.removeValue(forKey: "type")
        return .object(values)
    }
}

extension StoredLayout: CustomStringConvertible {
    /// The layout in a line: `Song, version 1, id ObjectID: title String, year Int64`.
    public var description: String {
        "\(modelName), version \(version), id \(idType): " + entry.layout.fields.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    }
}

extension StoredLayout {
    /// A JSON Schema (2020-12) of the model's objects as ``ObjectStore/json(of:_:)-(Object,_)`` writes them, for editors and validators.
    ///
    /// ```swift
    /// for layout in try store.layouts() { print(try layout.jsonSchema(.pretty)) }
    /// ```
    ///
    /// Of a `Codable` value it says nothing, since its type is not in the store.
    public func jsonSchema(_ style: JSONStyle = .compact) throws -> String {
        var properties: [String: StoredValue] = ["$model": .object(["const": .string(modelName)]), "$id": idSchema]
        var required: [StoredValue] = [.string("$id")]
        for (field, attributes) in zip(entry.layout.fields, entry.attributes) {
            // As in objects, so that it is no tag.
            let name = field.name.hasPrefix("$") ? "$" + field.name : field.name
            properties[name] = field.type.jsonSchema
            if field.type.optionalDepth == 0, !attributes.hasDefault { required.append(.string(name)) }
        }
        let schema: [String: StoredValue] = [
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"), "title": .string(modelName), "type": .string("object"),
            "properties": .object(properties), "required": .array(required), "additionalProperties": .bool(false), "$defs": .object(FieldType.jsonSchemaTags),
        ]
        return try StoredValue.object(schema).plainJSON(style)
    }

    private var idSchema: StoredValue {
        if let type = FieldType(entry.id.type) { return type.jsonSchema }
        if entry.id.parts.isEmpty { return FieldType.data.jsonSchema }
        let parts = entry.id.parts.map { FieldType($0.type)?.jsonSchema ?? .bool(true) }
        return .object(["type": .string("array"), "prefixItems": .array(parts), "items": .bool(false), "minItems": .number(parts.count)])
    }
}

extension FieldType {
    /// What JSON of a value of the type is, as ``JSONWriter`` writes and people may write it.
    fileprivate var jsonSchema: StoredValue {
        switch self {
        case .bool: Self.type("boolean")
        case .int8: Self.integer(Int8.self)
        case .int16: Self.integer(Int16.self)
        case .int32: Self.integer(Int32.self)
        case .uint8: Self.integer(UInt8.self)
        case .uint16: Self.integer(UInt16.self)
        case .uint32: Self.integer(UInt32.self)
        case .int64, .int128: Self.any([Self.type("integer"), Self.tag(.int)])
        case .uint64, .uint128:
            Self.any([.object(["type": .string("integer"), "minimum": .int(0)]), Self.tag(.int)])
        case .float: Self.any([Self.tag(.float), Self.type("number"), Self.tag(.double), Self.tag(.int)])
        case .double: Self.any([Self.type("number"), Self.tag(.double), Self.tag(.float), Self.tag(.int)])
        case .decimal: Self.any([Self.tag(.decimal), Self.type("string"), Self.type("integer"), Self.tag(.int)])
        case .string: Self.type("string")
        case .data: Self.tag(.data)
        case .url: Self.any([Self.tag(.url), .object(["type": .string("string"), "format": .string("uri-reference")])])
        case .date: Self.any([Self.tag(.date), Self.type("string")])
        case .duration: Self.tag(.duration)
        case .geoPoint: Self.any([Self.tag(.geoPoint), Self.text(pattern: Self.geoPointPattern)])
        case .uuid: Self.any([Self.tag(.uuid), .object(["type": .string("string"), "format": .string("uuid")])])
        case .objectID: Self.any([Self.tag(.objectID), .object(["type": .string("string"), "format": .string("uuid")])])
        case .optional(let wrapped): Self.any([wrapped.jsonSchema, Self.type("null")])
        case .array(let element): .object(["type": .string("array"), "items": element.jsonSchema])
        case .set(let element): .object(["type": .string("array"), "items": element.jsonSchema, "uniqueItems": .bool(true)])
        case .dictionary(.string, let value): .object(["type": .string("object"), "additionalProperties": value.jsonSchema])
        case .dictionary(let key, let value):
            Self.tagged(
                .dictionary,
                .object([
                    "type": .string("array"),
                    "items": .object(["type": .string("array"), "prefixItems": .array([key.jsonSchema, value.jsonSchema]), "items": .bool(false)]),
                ]))
        case .lazy(let type): type.jsonSchema
        case .codable(let name): .object(["description": .string("the encoding of \(name)")])
        }
    }

    /// What stands behind each tag, by the names of `$defs`.
    fileprivate static var jsonSchemaTags: [String: StoredValue] {
        var definitions: [String: StoredValue] = [:]
        for tag in JSONTag.allCases { definitions[String(tag.rawValue.dropFirst())] = content(of: tag).map { tagged(tag, $0) } }
        return definitions
    }

    /// What a tag has as its value; nil for the one whose content is another in each type.
    private static func content(of tag: JSONTag) -> StoredValue? {
        switch tag {
        case .int: text(pattern: "^-?[0-9]+$")
        case .float, .double: any([type("number"), text(pattern: "^(-?inf|nan(:[0-9a-f]+)?)$")])
        case .decimal, .url: type("string")
        case .data: .object(["type": .string("string"), "contentEncoding": .string("base64")])
        case .date: any([type("string"), type("number")])
        case .duration: text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")
        case .uuid, .objectID: .object(["type": .string("string"), "format": .string("uuid")])
        case .geoPoint: text(pattern: geoPointPattern)
        case .dictionary: nil
        }
    }

    private static let geoPointPattern = "^[^,]+,[^,]+$"

    private static func type(_ name: String) -> StoredValue { .object(["type": .string(name)]) }
    private static func text(pattern: String) -> StoredValue { .object(["type": .string("string"), "pattern": .string(pattern)]) }
    private static func any(_ choices: [StoredValue]) -> StoredValue { .object(["anyOf": .array(choices)]) }
    private static func tag(_ tag: JSONTag) -> StoredValue { .object(["$ref": .string("#/$defs/" + tag.rawValue.dropFirst())]) }

    private static func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> StoredValue {
        .object(["type": .string("integer"), "minimum": .int(Int64(type.min)), "maximum": .int(Int64(type.max))])
    }

    private static func tagged(_ tag: JSONTag, _ content: StoredValue) -> StoredValue {
        .object([
            "type": .string("object"), "properties": .object([tag.rawValue: content]), "required": .array([.string(tag.rawValue)]),
            "additionalProperties": .bool(false),
        ])
    }
}
