import Foundation

/// Objects as JSON and back, through their records: without `Codable`, and with the store's names and types.
extension ObjectStore {
    /// The JSON of an object, with its properties in the model's order.
    ///
    /// ```swift
    /// print(try store.json(of: song, .pretty))
    /// // {
    /// //   "$model": "Song",
    /// //   "$id": {"$objectID":"0192f0c1-…"},
    /// //   "title": "So What",
    /// //   "released": {"$date":"1959-08-17T00:00:00Z"}
    /// // }
    /// ```
    ///
    /// It need not be stored, and of a live object it has unsaved changes too. References are the ids of their targets.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)``; ``TroveError/encodingFailed(model:field:reason:)`` when a value cannot be stored.
    public func json<Object: Model>(of object: Object, _ style: JSONStyle = .compact) throws -> String {
        try core.binding(for: Object.self).withRecord(of: object) { record, layout in
            var writer = JSONWriter(style)
            try JSONRecordWriter(layout, id: IDCoding(IDSchema(Object.ID.self))).write(record, to: &writer)
            return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
        }
    }

    /// The JSON array of some objects.
    public func json<Object: Model>(of objects: some Sequence<Object>, _ style: JSONStyle = .compact) throws -> String {
        let binding = try core.binding(for: Object.self)
        let id = IDCoding(IDSchema(Object.ID.self))
        var writer = JSONWriter(style)
        writer.beginArray()
        for object in objects {
            writer.next()
            try binding.withRecord(of: object) { record, layout in try JSONRecordWriter(layout, id: id).write(record, to: &writer) }
        }
        writer.endArray()
        return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }

    /// Creates an object from JSON, without storing it.
    ///
    /// ```swift
    /// let song = try store.object(Song.self, json: #"{"title": "So What", "year": 1959}"#)
    /// ```
    ///
    /// Names come in any order. A property that is missing has the model's default value, or is nil. The id is `$id`, or `id` where no property is named so;
    /// without one an object whose id is an ``ObjectID`` gets a new one, and one whose id is made of properties has that. A text also stands for a date, a
    /// UUID, a URL, an object id or a decimal, and an integer for a number with a point, where the property is of that type.
    ///
    /// - Parameter unknown: what becomes of names that the model does not have.
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)``; ``TroveError/unknownField(model:field:known:)``;
    ///   ``TroveError/decodingFailed(model:field:id:reason:)`` when a property cannot hold its value, or one is missing that has no default, or the id is.
    public func object<Object: Model>(
        _ type: Object.Type = Object.self, json text: String, unknownProperties unknown: UnknownProperties = .refused
    ) throws -> Object {
        let binding = try core.binding(for: type)
        return try JSONParser.read(text) { parser in
            var reader = JSONRecordReader(binding.layout, id: IDCoding(IDSchema(Object.ID.self)), unknown: unknown)
            return try reader.object(&parser)
        }
    }

    /// Creates objects from a JSON array, without storing them.
    ///
    /// - Throws: as ``object(_:json:unknownProperties:)``; a ``TroveError/decodingFailed(model:field:id:reason:)`` has the number of the element, from 1, as
    ///   the id.
    public func objects<Object: Model>(
        _ type: Object.Type = Object.self, json text: String, unknownProperties unknown: UnknownProperties = .refused
    ) throws -> [Object] {
        let binding = try core.binding(for: type)
        return try JSONParser.read(text) { parser in
            var reader = JSONRecordReader(binding.layout, id: IDCoding(IDSchema(Object.ID.self)), unknown: unknown)
            try parser.require("[", "an array of objects")
            return try parser.elements {
                reader.element = (reader.element ?? 0) + 1
                return try reader.object(&$0)
            }
        }
    }
}

extension ModelBinding {
    /// Calls `body` with the record that an object would be stored as.
    fileprivate func withRecord<Object: Model, Result>(of object: Object, _ body: (RecordView, RecordLayout) throws -> Result) throws -> Result {
        var buffer = RecordBuffer()
        object.id.encode(into: &buffer.key)
        do {
            try buffer.encode(object, layout)
        } catch let fault as DecodingFault {
            throw buffer.record.error(for: fault)
        }
        return try buffer.withBytes { key, record in
            try key.withUnsafeBytes { key in
                try record.withUnsafeBytes {
                    let annexes = OfferedAnnexes(buffer.record.annexes)
                    var view = try RecordView(trusting: $0, key: key, layout: layout)
                    view.annexes = annexes
                    return try withExtendedLifetime(annexes) { try body(view, layout) }
                }
            }
        }
    }
}

extension JSONRecordReader {
    /// Reads an object.
    fileprivate mutating func object<Object: Model>(_ parser: inout JSONParser) throws -> Object {
        let schema = Object.schema
        begin()
        try parser.beginObject()
        var next = 0
        var (isFirst, hasModel) = (true, false)
        while let (name, place) = try parser.nextName(isFirst: isFirst) {
            isFirst = false
            if name.elementsEqual("$id".utf8) || name.elementsEqual("id".utf8) && layout.position(of: "id") == nil {
                try readID(at: place, &parser)
            } else if name.elementsEqual("$model".utf8) {
                guard !hasModel else { throw parser.fault("the name '$model' is there twice", at: place) }
                hasModel = true
                let found = String(storedUTF8: try parser.textValue("the name of the model"))
                guard found.hasBytes(of: schema.name) else { throw parser.fault("an object of \(schema.name) was expected, not of \(found)", at: place) }
            } else {
                try readField(parser.plainName(name, at: place), at: place, next: &next, &parser)
            }
        }
        return try decode()
    }

    /// The object that was read, its missing properties with their default values.
    private mutating func decode<Object: Model>() throws -> Object {
        let told = key
        var buffer = RecordBuffer()
        if let told {
            buffer.key.append(whole: told)
        } else if Object.ID.self == ObjectID.self {
            ObjectID().encode(into: &buffer.key)
        }
        let present = isWhole ? layout : layout.keeping { hasField($0) }
        try encode(as: present, into: &buffer)
        let object: Object = try buffer.withBytes { key, record in
            try key.withUnsafeBytes { key in
                try record.withUnsafeBytes { record in
                    let plan = present === layout ? nil : DecodingPlan(from: present, to: Object.schema)
                    var decoder = try RecordDecoder(record, key: key, layout: present, plan: plan)
                    decoder.annexSource = OfferedAnnexes(buffer.record.annexes)
                    do {
                        return try Object.newObject(from: &decoder)
                    } catch let fault as DecodingFault {
                        throw fault.error(model: Object.schema, field: decoder.field, key: [UInt8](key), shownID: shown)
                    } catch TroveError.corruptKey {
                        throw TroveError.decodingFailed(
                            model: Object.schema.name, field: "id", id: shown,
                            reason: "it is missing; give it as $id, also where the property has a default value")
                    }
                }
            }
        }
        if let told, object.id.keyBytes != told {
            throw TroveError.decodingFailed(
                model: Object.schema.name, field: "id", id: object.id.shownInErrors, reason: "$id differs from the one that its properties make")
        }
        return object
    }
}

extension RecordLayout {
    /// A layout of some of the fields, which no store has.
    func keeping(_ keeps: (Int) -> Bool) -> RecordLayout {
        let kept = fields.enumerated().filter { keeps($0.offset) }.map { (name: $0.element.name, type: $0.element.type) }
        return RecordLayout(number: 0, modelName: modelName, version: version, fields: kept)
    }
}
