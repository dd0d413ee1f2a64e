extension ModelDeclaration {
    /// The extension that conforms the struct `type`; `missing` are the protocols that it does not name itself.
    ///
    /// Everything is `nonisolated`, so that a module with another default isolation can use its models anywhere.
    func structConformance(of type: String, missing: Set<String>) -> SourceLines {
        var members: [SourceLines] = []
        if !handwritten.contains(.schema), !hasSchemaInBraces { members.append(schema(root: "Self")) }
        if !handwritten.contains(.encoder) { members.append(encoder) }
        if !handwritten.contains(.decoder), !declaresInitializer { members.append(delegatingInitializer) }
        // Public structs are `Sendable` only when it is said. A property that is left out may be none.
        let sendable = leftOut.isEmpty ? ", Sendable" : ", @unchecked Sendable"
        let protocols = missing.contains("Model") ? ": nonisolated Trove.Model" + (missing.contains("Sendable") ? sendable : "") : ""
        return .block("extension \(type)\(protocols)", SourceLines(members))
    }

    /// The fields. Their key paths name the model as `root`: a struct through `Self`, which an extension of a nested type sees too.
    func schema(root: String) -> SourceLines {
        let inherited = superclass.map { "\($0)._$fields(of: \(root).self) + " } ?? ""
        let names = superclass.map { "identity: \($0)._$identity, " }
            ?? declaredIdentity.map { "identity: [\($0.parts.map(\.name.literal).joined(separator: ", "))], " } ?? ""
        let id = hasComputedID ? "id: \\\(root).id, " : ""
        // The type is written so that a property named `schema` can be told from this.
        return .list(
            "\(access)nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema(\(storedName.literal), version: \(version), \(names)\(id)fields: \(inherited)",
            fields.map { $0.fieldSchema(root: root) }, ")")
    }

    /// The identity, unless its type was written by hand, which has an encoding of its own; that of a single property is the property's type.
    var declaredIdentity: Identity? { identity.flatMap { $0.parts.count == 1 || !handwritten.contains(.idType) ? $0 : nil } }

    private var encoder: SourceLines {
        .block("\(access)nonisolated func encode(into record: inout Trove.RecordEncoder) throws", fields.map { "try record.encode(self.\($0.codeName))" })
    }

    private var delegatingInitializer: SourceLines {
        .block(
            "\(access)nonisolated init(from record: inout Trove.RecordDecoder) throws",
            hasMistakes ? Self.noObject : decodesInBraces ? ["self = try Self._decoded(from: &record)"] : memberwiseCall("self.init"))
    }
}

extension StoredProperty {
    func fieldSchema(root: String) -> String {
        var arguments = [(content == .lazy ? "lazy: " : "") + name.literal, "\\\(root).\(codeName)"]
        if let relationship { arguments.append("relationship: \(relationship)") }
        if let originalName { arguments.append("originalName: \(originalName.literal)") }
        if hasDefault { arguments.append("hasDefault: true") }
        if !options.isEmpty { arguments.append("options: [\(options.joined(separator: ", "))]") }
        let value = computesDefault ? ".withComputedDefault" : literalDefault.map { ".withDefault(\($0.literal))" } ?? ""
        return "Trove.FieldSchema(\(arguments.joined(separator: ", ")))\(value)"
    }
}
