extension ModelDeclaration {
    /// The members that go into the braces.
    var members: [SourceLines] { kind == .live ? classMembers : structMembers }

    private var structMembers: [SourceLines] {
        var members: [SourceLines] = []
        if let identity {
            if !handwritten.contains(.idType) { members.append(identity.typeDeclaration(access: access)) }
            members.append(["\(access)nonisolated var id: ID { \(identity.value) }"])
        } else if hasForeignID {
            members.append(foreignID)
        } else if !declaresID {
            members.append(["\(access)nonisolated var id: Trove.ObjectID = Trove.ObjectID()"])
        }
        if declaresInitializer, !handwritten.contains(.decoder) {
            members.append(assigningInitializer)
        } else if decodesInBraces {
            members.append(decodingFunction)
        }
        return members + declarations
    }

    /// In the braces and not in the extension, because what users write in an index or as an inverse may name what is only visible there.
    var declarations: [SourceLines] {
        let model = kind == .live ? modelName : "Self"
        var members: [SourceLines] = []
        if hasSchemaInBraces, !handwritten.contains(.schema) { members.append(schema(root: model)) }
        let inherited = superclass.map { "\($0)._$indexes(of: \(model).self) + " } ?? ""
        if !indexes.isEmpty || superclass != nil && !handwritten.contains(.indexes) {
            members.append(.list("\(access)nonisolated static let indexes: [Trove.Index<\(model)>] = \(inherited)", indexes.map { $0.source(of: model) }))
        }
        return members
    }

    /// Whether the schema has what users wrote: key paths, or the name of a superclass.
    var hasSchemaInBraces: Bool { superclass != nil || fields.contains { $0.relationship != nil } }

    /// The body of an initializer that has no value for properties that are left out. It never runs: all that is reported
    /// is an error, with which nothing is built.
    static let noObject: SourceLines = ["Swift.fatalError()"]

    /// The id of a model that declares its type alone.
    var foreignID: SourceLines { .block("\(access)nonisolated var id: ID", Self.noObject) }

    /// `init(from:)` for a struct that has no memberwise initializer.
    private var assigningInitializer: SourceLines {
        let statements = hasMistakes ? Self.noObject : decodedProperties.map { "self.\($0.codeName) = try \($0.decoding)" }
        return .block("\(access)nonisolated init(from record: inout Trove.RecordDecoder) throws", statements)
    }

    private var decodingFunction: SourceLines {
        .block("private nonisolated static func _decoded(from record: inout Trove.RecordDecoder) throws -> Self", memberwiseCall("Self"))
    }

    /// A call of the memberwise initializer: unlike assignments, it evaluates no default value that the record makes needless.
    func memberwiseCall(_ callee: String) -> SourceLines {
        let arguments = decodedProperties.map { "    \($0.label): \($0.decoding)" }
        if arguments.isEmpty { return ["\(callee)()"] }
        return ["try \(callee)("] + arguments.dropLast().map { $0 + "," } + [arguments.last ?? "", ")"]
    }

    /// The stored properties, with the generated `id` where the compiler has it: after the declared ones.
    private var decodedProperties: [StoredProperty] { hasGeneratedID ? properties + [.generatedID] : properties }
}

extension StoredProperty {
    /// The call that reads the property, without its `try`.
    var decoding: String {
        if isID { return "record.decodeID()" }
        return "record.decode(\(valueWithoutField.map { "default: \($0)" } ?? ""))"
    }
}
