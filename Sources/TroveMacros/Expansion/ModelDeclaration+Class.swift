// A class has all its members in the braces: an extension could not reach those of a private type, nor declare initializers that store.
extension ModelDeclaration {
    /// The extension that conforms the class `type` to those of the protocols that it does not state itself.
    func classConformance(of type: String, missing: Set<String>) -> SourceLines {
        // The compiler looks for each protocol that the macro may conform to in the extension itself.
        var protocols: [String] = []
        if missing.contains("Model") { protocols.append("nonisolated Trove.Model") }
        if missing.contains("LiveModel") { protocols.append("nonisolated Trove.LiveModel") }
        // Of `LiveModel`, but a key path to a `Set` in another class's attribute asks for it before that is known.
        if missing.contains("Hashable") { protocols.append("nonisolated Swift.Hashable") }
        // The accessors that '@Model' writes take the lock of the object's domain.
        if missing.contains("Sendable") { protocols.append("@unchecked Swift.Sendable") }
        // What is inherited says so again, or the compiler warns.
        if superclass != nil { protocols.append("@unchecked Swift.Sendable") }
        let body = handwritten.contains(.schema) || hasSchemaInBraces ? [] : schema(root: type)
        return .block("extension \(type)\(protocols.isEmpty ? "" : ": " + protocols.joined(separator: ", "))", body)
    }

    /// The extension that conforms the abstract class `type`, unless its superclass does.
    func abstractConformance(of type: String, missing: Set<String>) -> SourceLines {
        let protocols = (missing.contains("AbstractModel") ? ["nonisolated Trove.AbstractModel"] : []) + ["@unchecked Swift.Sendable"]
        return .block("extension \(type): \(protocols.joined(separator: ", "))", [])
    }

    var classMembers: [SourceLines] {
        var members: [SourceLines] = []
        if superclass == nil {
            members.append(["\(access)nonisolated let _$live = Trove._LiveObjectState()"])
            members.append(["\(access)nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }"])
        }
        if let identity {
            if !handwritten.contains(.idType) { members.append(identity.typeDeclaration(access: access)) }
            members.append(["\(access)nonisolated var id: ID { \(identity.value) }"])
        } else if hasForeignID {
            members.append(foreignID)
        } else if hasGeneratedID {
            members.append(["\(access)nonisolated var id: Trove.ObjectID { self._$live.objectID }"])
        }
        if writesInitializer { members.append(plainInitializer) }
        if inheritsInitializers { members.append(decodingRest) } else if !handwritten.contains(.decoder) { members.append(objectInitializer) }
        members += [loading, encoding]
        if isAbstract && superclass == nil || fields.contains(where: { $0.content == .lazy }) { members.append(lazyLoading) }
        // Where there may be subclasses, they change what they have themselves, and leave the others to this one.
        if isAbstract && superclass == nil || fields.contains(where: { $0.content.isRelationship }) { members += relationshipMembers }
        members += isAbstract ? abstractMembers : declarations
        if superclass != nil, !isAbstract { members.append(["\(access)nonisolated override var _$model: (any Trove.LiveModel)? { self }"]) }
        if let possibleSuperclass { members += superclassMembers(possibleSuperclass) }
        return members
    }

    /// What a member begins with that a superclass has, or subclasses replace.
    private var inheritable: String {
        let access = isAbstract && access == "public " ? "open " : access
        return "\(access)nonisolated \(superclass == nil ? "" : "override ")"
    }

    /// The initializer that Swift writes for a class without any; one of values that are missing, for the compiler, when that is the mistake.
    private var plainInitializer: SourceLines {
        if !hasMistakes { return ["nonisolated init() {}"] }
        let parameters = properties.filter { $0.type != nil && ($0.content != .objects || $0.valueWithoutField != nil) }.map {
            "\($0.parameter)\($0.valueWithoutField.map { " = \($0)" } ?? "")"
        }
        return .block("nonisolated init(\(parameters.joined(separator: ", ")))", Self.noObject)
    }

    private var objectInitializer: SourceLines {
        // One mistake is that the class is not final.
        let modifier = superclass != nil ? "override " : hasMistakes && !isAbstract ? "required " : ""
        return .block(
            "\(access)nonisolated \(modifier)init(from record: inout Trove.RecordDecoder) throws", hasMistakes ? Self.noObject : decoding)
    }

    private var decoding: SourceLines {
        var statements = fields.map { "self.\($0.storageName) = try \($0.storageDecoding)" }
        if let superclass {
            // What a class adds is stored behind what it inherits, and has to be there first.
            if !statements.isEmpty { statements.insert("try record._move(toField: \(superclass)._$fieldCount)", at: 0) }
            statements += ["try record._move(toField: 0)", "try super.init(from: &record)"] + endOfFields
        } else if hasGeneratedID {
            statements.append("self._$live.assignID(try record.decodeID())")
        } else if let id = properties.first(where: \.isID) {
            statements.append("self.\(id.codeName) = try \(id.decoding)")
        }
        if isAbstract, superclass == nil { statements.append("try self._$decodeRest(from: &record)") }
        return statements
    }

    /// Leaves the decoder where the fields begin of a class that inherits this one.
    private var endOfFields: [String] { isAbstract ? ["try record._move(toField: \(modelName)._$fieldCount)"] : [] }

    /// What the inherited `init(from:)` calls when it has read what is its own: so the class has no initializer itself, and inherits all of its superclass.
    private var decodingRest: SourceLines {
        var statements = ["try super._$decodeRest(from: &record)"]
        if !fields.isEmpty { statements.append("try record._move(toField: \(superclass ?? "")._$fieldCount)") }
        statements += fields.map { "self.\($0.storageName) = try \($0.storageDecoding)" }
        return .block("\(inheritable)func _$decodeRest(from record: inout Trove.RecordDecoder) throws", statements)
    }

    /// Reads all fields before it assigns one. Constants stay as they are.
    private var loading: SourceLines {
        var reading: [String] = []
        var assigning: [String] = []
        for (position, field) in fields.enumerated() {
            if field.isConstant {
                reading.append("_ = try \(field.decoding)\(field.type.map { " as \($0)" } ?? "")")
            } else {
                reading += ["var field\(position) = self.\(field.storageName)", "field\(position) = try \(field.storageDecoding)"]
                assigning.append("self.\(field.storageName) = field\(position)")
            }
        }
        if let superclass {
            if !reading.isEmpty { reading.insert("try record._move(toField: \(superclass)._$fieldCount)", at: 0) }
            reading += ["try record._move(toField: 0)", "try super._$load(from: &record)"] + endOfFields
        }
        return .block("\(inheritable)func _$load(from record: inout Trove.RecordDecoder) throws", reading + assigning)
    }

    private var encoding: SourceLines {
        .block(
            "\(inheritable)func _$encode(into record: inout Trove.RecordEncoder) throws",
            (superclass == nil ? [] : ["try super._$encode(into: &record)"]) + fields.map { "try record.encode(self.\($0.storageName))" })
    }

    /// Reads a lazy property that somebody wants to be told about if it cannot be read.
    private var lazyLoading: SourceLines {
        let cases = fields.enumerated().filter { $0.element.content == .lazy }.map {
            "case \($0.offset): _ = try self._$live.load(self) { $0(&self.\($0.element.storageName)) }"
        }
        return choice(
            "\(inheritable)func _$loadLazily(_ field: Swift.Int) throws", cases + ["default: \(superclass == nil ? "break" : "try super._$loadLazily(field)")"])
    }

    /// A function that does one of several things by the number of a field.
    private func choice(_ header: String, _ cases: [String]) -> SourceLines {
        // With a superclass the numbers are those behind its fields.
        let field = superclass.map { "field &- \($0)._$fieldCount" } ?? "field"
        return .block(header, ["switch \(field) {"] + cases + ["}"])
    }

    private var relationshipMembers: [SourceLines] {
        func cases(_ statement: (StoredProperty) -> String, else inherited: String) -> [String] {
            let cases = fields.enumerated().filter { $0.element.content.isRelationship }.map { "case \($0.offset): \(statement($0.element))" }
            return cases + ["default: \(inherited)"]
        }
        func held(_ call: String) -> [String] {
            let own = fields.filter { $0.content == .objects }.map { "self.\($0.storageName).\(call)" }
            return (superclass == nil ? [] : ["super._$\(call)"]) + own
        }
        let isInherited = superclass != nil
        return [
            choice(
                "\(inheritable)func _$needs(_ change: Trove._RelationshipChange, of field: Swift.Int) throws -> Swift.Bool",
                cases(
                    { $0.content == .objects ? "try change.isNeeded(in: &self.\($0.storageName))" : "change.isNeeded(in: self.\($0.storageName))" },
                    else: isInherited ? "try super._$needs(change, of: field)" : "false")),
            choice(
                "\(inheritable)func _$change(_ change: Trove._RelationshipChange, of field: Swift.Int) throws",
                cases(
                    { $0.isConstant ? "break" : "try change.apply(to: &self.\($0.storageName))" },
                    else: isInherited ? "try super._$change(change, of: field)" : "break")),
            choice(
                "\(inheritable)func _$targets(of field: Swift.Int) -> [Trove.AnyReference]",
                cases({ "self.\($0.storageName).targets" }, else: isInherited ? "super._$targets(of: field)" : "[]")),
            .block("\(inheritable)func _$appendHeld(to objects: inout [any Trove.LiveModel])", held("appendHeld(to: &objects)")),
            .block("\(inheritable)func _$releaseHeld()", held("releaseHeld()")),
        ]
    }

    /// What models that inherit the class make their schema and indexes of. Each is generic over the model, so that its key paths are those of the model's own.
    private var abstractMembers: [SourceLines] {
        let list = { (inherited: String, own: [String]) in SourceLines.list(superclass.map { "\($0).\(inherited) + " } ?? "", own) }
        let named = fields.map { ($0.codeName, $0.name) } + (superclass == nil ? [("id", "id")] : [])
        let properties = named.map { "(property: \\_Root.\($0) as Swift.PartialKeyPath<_Root>, name: \($1.literal))" }
        let fieldSchemas = fields.map { "\($0.fieldSchema(root: "_Root"))._observed(as: \\\(modelName).\($0.codeName))" }
        var members: [SourceLines] = [
            ["\(inheritable)class var _$abstractClass: Swift.AnyClass { \(modelName).self }"],
            ["\(inheritable)class var _$fieldCount: Swift.Int { \(superclass.map { "\($0)._$fieldCount + " } ?? "")\(fields.count) }"],
            .block(
                "\(access)nonisolated static func _$fields<_Root: \(modelName) & Trove.LiveModel>(of root: _Root.Type) -> [Trove.FieldSchema]",
                list("_$fields(of: root)", fieldSchemas)),
            .block(
                "\(access)nonisolated static func _$indexes<_Root: \(modelName) & Trove.LiveModel>(of root: _Root.Type) -> [Trove.Index<_Root>]",
                list("_$indexes(of: root)", indexes.map { $0.source(of: "_Root", written: modelName) })),
            .block(
                "\(access)nonisolated static func _$properties<_Root: \(modelName)>(of root: _Root.Type) -> [(property: Swift.PartialKeyPath<_Root>, name: Swift.String)]",
                list("_$properties(of: root)", properties)),
            .block(
                "\(inheritable)class var _$properties: [(property: Swift.AnyKeyPath, name: Swift.String)]",
                ["\(modelName)._$properties(of: \(modelName).self).map { (property: $0.property, name: $0.name) }"]),
        ]
        if superclass == nil {
            let names = declaredIdentity.map { $0.parts.map(\.name.literal).joined(separator: ", ") } ?? ""
            members += [
                ["\(access)nonisolated static var _$identity: [Swift.String] { [\(names)] }"],
                .block("\(inheritable)func _$decodeRest(from record: inout Trove.RecordDecoder) throws", []),
                ["\(inheritable)var _$model: (any Trove.LiveModel)? { nil }"],
            ]
        }
        return members
    }

    /// What a class with a superclass needs, or one that may have one.
    private func superclassMembers(_ type: String) -> [SourceLines] {
        [
            ["private nonisolated static var _$firstField: Swift.Int { \(superclass.map { "\($0)._$fieldCount" } ?? "0") }"],
            // Two values of different types have a class in common only when both inherit it, so the overload tells a superclass from a protocol.
            .block(
                "private nonisolated static func _$checkSuperclass(_ first: some \(type), _ second: some \(type))",
                ["let superclass = Trove._superclass(first, second)", "superclass.check()"]),
        ]
    }
}

extension StoredProperty {
    /// Where the property of a class is kept: constants in themselves.
    fileprivate var storageName: String { isConstant ? codeName : "_\(name)".asIdentifier }

    /// The call that reads what is kept, without its `try`.
    fileprivate var storageDecoding: String {
        switch content {
        case .objects: "record.decode(default: Trove._RelationshipStorage())"
        case .lazy: "record.decode(\(valueWithoutField.map { "default: Trove.Lazy<\(type ?? "")>(\($0))" } ?? ""))"
        case .value, .references: decoding
        }
    }
}
