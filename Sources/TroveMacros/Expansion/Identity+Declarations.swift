extension Identity {
    /// The id's value, from the properties.
    var value: String {
        if parts.count == 1 { return "self.\(parts[0].codeName)" }
        return "ID(\(parts.map { "\($0.label): self.\($0.codeName)" }.joined(separator: ", ")))"
    }

    /// The type `ID`: that of the only property, or a struct of several.
    func typeDeclaration(access: String) -> SourceLines {
        if parts.count == 1 { return ["\(access)typealias ID = \(parts[0].type)"] }
        let parameters = parts.map { "\($0.label): \($0.type)" }.joined(separator: ", ")
        return .block(
            "\(access)nonisolated struct ID: Trove.StorableKey",
            SourceLines([
                parts.map { "\(access)var \($0.codeName): \($0.type)" },
                .block("\(access)init(\(parameters))", parts.map { "self.\($0.codeName) = \($0.codeName)" }),
                .block("\(access)init(from key: inout Trove.KeyDecoder) throws", parts.map { "self.\($0.codeName) = try key._decodePart()" }),
                .block("\(access)func encode(into key: inout Trove.KeyEncoder)", parts.map { "key._encodePart(self.\($0.codeName))" }),
                .block(
                    "\(access)static var keyParts: [(name: String, type: any Trove.StorableKey.Type)]",
                    ["[\(parts.map { "Trove._keyPart(\($0.name.literal), \($0.type).self)" }.joined(separator: ", "))]"]),
            ]))
    }
}
