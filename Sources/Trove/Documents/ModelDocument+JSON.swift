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
        var properties: [String: StoredValue] = [:]
        var (model, id): (String?, StoredValue?)
        var isFirst = true
        func value() throws -> StoredValue {
            var nested = ByteWriter(capacity: 64)
            try parser.value(into: &nested)
            return try nested.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: $0).storedValue() } }
        }
        try parser.beginObject()
        while let (name, place) = try parser.nextName(isFirst: isFirst) {
            isFirst = false
            if name.hasBytes(of: "$model"), model == nil {
                model = String(storedUTF8: try parser.textValue("the name of the model"))
            } else if name.hasBytes(of: "$id"), id == nil {
                id = try value()
            } else {
                let name = String(storedUTF8: try parser.plainName(name, at: place))
                guard properties.updateValue(try value(), forKey: name) == nil else { throw parser.fault("the name '\(name)' is there twice", at: place) }
            }
        }
        try parser.finish()
        self.init(modelName: model ?? "", id: id, value: .object(properties), key: nil, layout: nil)
    }

    /// The object as JSON, the properties in the order of their names.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` for a value that cannot be stored.
    public func json(_ style: JSONStyle = .compact) throws -> String {
        var writer = JSONWriter(style)
        writer.beginObject()
        if !modelName.isEmpty {
            writer.name(raw: "$model")
            writer.text(modelName)
        }
        if let id {
            writer.name(raw: "$id")
            try writer.value(id)
        }
        if case .object(let properties) = value {
            for (name, value) in properties {
                writer.name(name)
                try writer.value(value)
            }
        }
        writer.endObject()
        return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }
}
