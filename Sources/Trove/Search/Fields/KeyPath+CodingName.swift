extension KeyPath {
    /// The coding key under which the property that the key path names is stored in its `Codable` value.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)`` when the key path is of several parts, or its type has no coding key
    ///   named like the property: because it is computed, or has another key.
    func codingName() throws(TroveError) -> String {
        // The values of live objects are references, whose properties are those of the model.
        if let model = Root.self as? any Model.Type, Root.self is AnyClass { return try model.fieldName(self) }
        let root = String(describing: Root.self)
        // Swift tells the name of a property in the key path's description alone: `\Address.city`.
        let description = debugDescription
        let name = description.dropFirst(root.count + 2)
        guard description.hasPrefix("\\\(root)."), name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
            !(Root.self is any Storable.Type) || Root.self is any TypedReference.Type && name == "id"
        else {
            throw .unsupportedKeyPath(model: root, keyPath: description)
        }
        // What a reference has of its own is the id of its target.
        if Root.self is any TypedReference.Type { return String(name) }
        guard let type = Root.self as? any Decodable.Type, CodingKeyProbe.hasKey(String(name), in: type)
        else {
            throw .unsupportedKeyPath(model: root, keyPath: shownInErrors)
        }
        return String(name)
    }
}

extension Model {
    /// The name of the field of a property.
    fileprivate static func fieldName(_ keyPath: AnyKeyPath) throws(TroveError) -> String {
        let path = try FieldPath(keyPath, in: schema, id: \Self.id)
        guard path.names.isEmpty else { throw .unsupportedKeyPath(model: schema.name, keyPath: keyPath.debugDescription) }
        return path.field
    }
}
