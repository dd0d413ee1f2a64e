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
