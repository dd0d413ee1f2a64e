import Foundation

extension Document {
    /// A document with the value of a JSON text, under a new id unless one is given.
    ///
    /// ```swift
    /// try notes.save(Document(json: #"{"title": "Fjord", "tags": ["sea", "north"], "written": {"$date": "2026-11-22T22:12:00Z"}}"#))
    /// ```
    ///
    /// `docs/json.md` has the rules: what JSON has no word for is tagged.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` with the place of the mistake.
    public init(json text: String, id: ObjectID = ObjectID(), className: String? = nil) throws {
        self.init(try StoredValue(json: text), id: id, className: className)
    }

    /// A document with the value of a JSON text in UTF-8, under a new id unless one is given.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` with the place of the mistake.
    public init(json data: some ContiguousBytes, id: ObjectID = ObjectID(), className: String? = nil) throws {
        self.init(try StoredValue(json: data), id: id, className: className)
    }

    /// The document's value as JSON, which ``init(json:id:className:)`` reads back as an equal value. Its id and class name are not in it.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` for a value that cannot be stored.
    public func json(_ style: JSONStyle = .compact) throws -> String { try value.json(style) }
}

extension ModelDocument {
    /// A document of JSON as ``json(_:)`` writes it: `{"$model": "Song", "$id": 7, "title": "So What"}`, where the model and the id may be left out.
    ///
    /// Whether the model has such properties is found out when it is saved.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` with the place of the mistake.
    public init(json text: String) throws {
        self = try text.withRawUTF8 { bytes in
            do {
                return try Self(jsonBytes: bytes)
            } catch let fault as JSONFault {
                throw fault.error(in: bytes)
            }
        }
    }

    private init(jsonBytes bytes: UnsafeRawBufferPointer) throws {
        var parser = JSONParser(bytes)
        let written = try WrittenObject(&parser)
        guard written.className == nil, case .object = written.value else { throw parser.fault("an object of a model has no $class and no $value") }
        try parser.finish()
        self.init(modelName: written.model, id: written.id, value: written.value, key: nil, layout: nil)
    }

    /// The object as JSON, the properties in the order of their names.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` for a value that cannot be stored.
    public func json(_ style: JSONStyle = .compact) throws -> String { try WrittenObject(self).json(style) }
}

/// An object of a model or a document of a collection, as a text for people has it:
/// `{"$model": "Song", "$id": 7, "title": "So What"}`, a document's class beside its id as `$class`, and a value without names as `$value`.
package struct WrittenObject: Sendable, Equatable {
    /// The name of the model or collection; empty where the text does not tell it.
    package var model: String
    /// The id; nil where the text has none.
    package var id: StoredValue?
    package var className: String?
    package var value: StoredValue

    package init(model: String, id: StoredValue?, className: String? = nil, value: StoredValue) {
        self.model = model
        self.id = id
        self.className = className
        self.value = value
    }

    package init(_ object: ModelDocument) { self.init(model: object.modelName, id: object.id, value: object.value) }

    package init(_ document: Document, in collection: String) {
        self.init(model: collection, id: .objectID(document.id), className: document.className, value: document.value)
    }

    /// The one object of a text, or all of an array of them.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` with the place of the mistake.
    package static func all(json text: String) throws -> [WrittenObject] {
        try JSONParser.read(text) { parser in
            parser.skipSpace()
            return parser.take("[") ? try parser.elements { try WrittenObject(&$0) } : [try WrittenObject(&parser)]
        }
    }

    /// Reads the next object of a text.
    init(_ parser: inout JSONParser) throws {
        var properties: [String: StoredValue] = [:]
        var (model, id, className, whole): (String?, StoredValue?, String?, StoredValue?)
        var isFirst = true
        try parser.beginObject()
        while let (name, place) = try parser.nextName(isFirst: isFirst) {
            isFirst = false
            if name.hasBytes(of: "$model"), model == nil {
                model = String(storedUTF8: try parser.textValue("the name of the model"))
            } else if name.hasBytes(of: "$id"), id == nil {
                id = try parser.storedValue()
            } else if name.hasBytes(of: "$class"), className == nil {
                className = String(storedUTF8: try parser.textValue("the name of the class"))
            } else if name.hasBytes(of: "$value"), whole == nil {
                whole = try parser.storedValue()
            } else {
                let name = String(storedUTF8: try parser.plainName(name, at: place))
                guard properties.updateValue(try parser.storedValue(), forKey: name) == nil else {
                    throw parser.fault("the name '\(name)' is there twice", at: place)
                }
            }
        }
        if whole != nil, !properties.isEmpty { throw parser.fault("an object with a $value has no other values") }
        self.init(model: model ?? "", id: id, className: className, value: whole ?? .object(properties))
    }

    /// The text, the values in the order of their names.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` for a value that cannot be stored.
    package func json(_ style: JSONStyle) throws -> String {
        var writer = JSONWriter(style)
        writer.beginObject()
        if !model.isEmpty {
            writer.name(raw: "$model")
            writer.text(model)
        }
        if let id {
            writer.name(raw: "$id")
            try writer.value(id)
        }
        if let className {
            writer.name(raw: "$class")
            writer.text(className)
        }
        if case .object(let properties) = value {
            for (name, value) in properties {
                writer.name(name)
                try writer.value(value)
            }
        } else {
            writer.name(raw: "$value")
            try writer.value(value)
        }
        writer.endObject()
        return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }
}

extension JSONParser {
    fileprivate mutating func storedValue() throws -> StoredValue {
        var nested = ByteWriter(capacity: 64)
        try value(into: &nested)
        return try nested.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: $0).storedValue() } }
    }
}
