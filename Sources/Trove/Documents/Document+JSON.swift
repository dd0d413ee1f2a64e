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
