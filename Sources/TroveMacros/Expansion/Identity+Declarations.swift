extension Identity {
    /// The id's value, from the properties.
    var value: String {
        if parts.count == 1 { return "self.\(parts[0].codeName)" }
        return "ID(\(parts.map { "\($0.label): self.\($0.codeName)" }.joined(separator: ", ")))"
    }

    /// The type `ID`: that of the only property, or a struct of several.
    func typeDeclaration(access: String) -> String {
        if parts.count == 1 { return "\(access)typealias ID = \(parts[0].type)" }
        let parameters = parts.map { "\($0.label): \($0.type)" }.joined(separator: ", ")
        func lines(_ line: (Part) -> String) -> String {
            parts.map(line).joined(separator: "\n")
        }
        return """
            \(access)nonisolated struct ID: Trove.StorableKey {
            \(lines { "\(access)var \($0.codeName): \($0.type)" })

            \(access)init(\(parameters)) {
            \(lines { "self.\($0.codeName) = \($0.codeName)" })
            }

            \(access)init(from key: inout Trove.KeyDecoder) throws {
            \(lines { "self.\($0.codeName) = try key._decodePart()" })
            }

            \(access)func encode(into key: inout Trove.KeyEncoder) {
            \(lines { "key._encodePart(self.\($0.codeName))" })
            }

            \(access)static var keyParts: [(name: String, type: any Trove.StorableKey.Type)] {
            [\(parts.map { "Trove._keyPart(\($0.name.literal), \($0.type).self)" }.joined(separator: ", "))]
            }
            }
            """
    }
}
