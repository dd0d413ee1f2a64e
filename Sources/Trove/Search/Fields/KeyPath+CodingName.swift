extension KeyPath {
    /// The coding key under which the property that the key path names is stored in its `Codable` value.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)`` when the key path is of several parts, or its type has no coding key
    ///   named like the property: because it is computed, or has another key.
    func codingName() throws(TroveError) -> String {
        let root = String(describing: Root.self)
        // Swift tells the name of a property in the key path's description alone: `\Address.city`.
        let description = debugDescription
        let name = description.dropFirst(root.count + 2)
        guard description.hasPrefix("\\\(root)."), name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
            !(Root.self is any Storable.Type), let type = Root.self as? any Decodable.Type, CodingKeyProbe.hasKey(String(name), in: type)
        else {
            throw .unsupportedKeyPath(model: root, keyPath: shownInErrors)
        }
        return String(name)
    }
}
