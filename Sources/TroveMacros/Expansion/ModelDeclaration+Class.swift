// A class has all its members in the braces: an extension could not reach those of a private type, nor declare initializers that store.
extension ModelDeclaration {
    /// The extension that conforms the class `type` to those of the protocols that it does not state itself.
    func classConformance(of type: String, missing: Set<String>) -> String {
        // The compiler looks for each protocol that the macro may conform to in the extension itself.
        var protocols: [String] = []
        if missing.contains("Model") { protocols.append("nonisolated Trove.Model") }
        if missing.contains("LiveModel") { protocols.append("nonisolated Trove.LiveModel") }
        // The accessors that '@Model' writes take the lock of the object's domain.
        if missing.contains("Sendable") { protocols.append("@unchecked Swift.Sendable") }
        let body = handwritten.contains(.schema) || hasSchemaInBraces ? "" : schema(root: type) + "\n"
        return "extension \(type)\(protocols.isEmpty ? "" : ": " + protocols.joined(separator: ", ")) {\n\(body)}"
    }

    var classMembers: [String] {
        var members = ["\(access)nonisolated let _$live = Trove._LiveObjectState()"]
        if let identity {
            if !handwritten.contains(.idType) { members.append(identity.typeDeclaration(access: access)) }
            members.append("\(access)nonisolated var id: ID { \(identity.value) }")
        } else if !declaresID {
            members.append("\(access)nonisolated var id: Trove.ObjectID { self._$live.objectID }")
        }
        if !handwritten.contains(.decoder) { members.append(objectInitializer) }
        members += [loading, encoding]
        if fields.contains(where: { $0.content != .value }) { members += relationshipMembers }
        members += declarations
        if let possibleSuperclass { members.append(superclassCheck(possibleSuperclass)) }
        return members
    }

    private var objectInitializer: String {
        var statements = fields.map { "self.\($0.storageName) = try \($0.storageDecoding)" }
        if hasGeneratedID {
            statements.append("self._$live.assignID(try record.decodeID())")
        } else if let id = properties.first(where: \.isID) {
            statements.append("self.\(id.codeName) = try \(id.decoding)")
        }
        return """
            \(access)nonisolated init(from record: inout Trove.RecordDecoder) throws {
            \(statements.joined(separator: "\n"))
            }
            """
    }

    /// Reads all fields before it assigns one. Constants stay as they are.
    private var loading: String {
        var reading: [String] = []
        var assigning: [String] = []
        for (position, field) in fields.enumerated() {
            if field.isConstant {
                reading.append("_ = try \(field.decoding)\(field.type.map { " as \($0)" } ?? "")")
            } else {
                reading.append("var field\(position) = self.\(field.storageName)\nfield\(position) = try \(field.storageDecoding)")
                assigning.append("self.\(field.storageName) = field\(position)")
            }
        }
        return """
            \(access)nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
            \((reading + assigning).joined(separator: "\n"))
            }
            """
    }

    private var encoding: String {
        """
        \(access)nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
        \(fields.map { "try record.encode(self.\($0.storageName))" }.joined(separator: "\n"))
        }
        """
    }

    private var relationshipMembers: [String] {
        func cases(_ statement: (StoredProperty) -> String) -> String {
            fields.enumerated().filter { $0.element.content != .value }
                .map { "case \($0.offset): \(statement($0.element))" }.joined(separator: "\n")
        }
        func held(_ call: String) -> String {
            fields.filter { $0.content == .objects }.map { "self.\($0.storageName).\(call)" }.joined(separator: "\n")
        }
        return [
            """
            \(access)nonisolated func _$needs(_ change: Trove._RelationshipChange, of field: Swift.Int) throws -> Swift.Bool {
            switch field {
            \(cases { "\($0.content == .objects ? "try " : "")change.isNeeded(in: self.\($0.storageName))" })
            default: false
            }
            }
            """,
            """
            \(access)nonisolated func _$change(_ change: Trove._RelationshipChange, of field: Swift.Int) throws {
            switch field {
            \(cases { $0.isConstant ? "break" : "try change.apply(to: &self.\($0.storageName))" })
            default: break
            }
            }
            """,
            """
            \(access)nonisolated func _$targets(of field: Swift.Int) -> [Trove.AnyReference] {
            switch field {
            \(cases { "self.\($0.storageName).targets" })
            default: []
            }
            }
            """,
            """
            \(access)nonisolated func _$appendHeld(to objects: inout [any Trove.LiveModel]) {
            \(held("appendHeld(to: &objects)"))
            }
            """,
            """
            \(access)nonisolated func _$releaseHeld() {
            \(held("releaseHeld()"))
            }
            """,
        ]
    }

    /// Two values of different types have a class in common only when both inherit it, so the overload tells a superclass from a protocol.
    private func superclassCheck(_ type: String) -> String {
        """
        private nonisolated static func _$checkSuperclass(_ first: some \(type), _ second: some \(type)) {
        let superclass = Trove._superclass(first, second)
        superclass.check()
        }
        """
    }

    private var hasGeneratedID: Bool { identity == nil && !declaresID }
}

extension StoredProperty {
    /// Where the property of a class is kept: constants in themselves.
    fileprivate var storageName: String { isConstant ? codeName : "_\(name)" }

    /// The call that reads what is kept, without its `try`.
    fileprivate var storageDecoding: String {
        content == .objects ? "record.decode(default: Trove._RelationshipStorage())" : decoding
    }
}
