/// What a model declares of a field beside its name and type.
///
/// The catalogue keeps it with the layout, so that programs without the model's type know of relationships, rules and policies. It has no part
/// in how records are read: the bytes of two layouts that differ in it alone are the same, and it is that of the last program that opened the store.
struct FieldAttributes: Equatable, Sendable {
    /// The name that older records may have the field under.
    var originalName: String?
    /// Whether the model has a value for records that lack the field.
    var hasDefault: Bool
    /// What a save does with it.
    var options: FieldOptions
    /// What it refers to; nil when its values are no references.
    var relationship: StoredRelationship?
    /// What later versions have written besides, which is kept.
    var others: [String: StoredValue] = [:]

    init(_ field: FieldSchema, relationship: StoredRelationship? = nil) {
        originalName = field.originalName
        hasDefault = field.hasDefault
        options = field.options
        self.relationship = relationship
    }

    /// As a part of a keyed value, of which what is usual is left out.
    var values: [String: StoredValue] {
        var values = others
        if let originalName { values["original"] = .string(originalName) }
        if hasDefault { values["default"] = .bool(true) }
        if !options.isEmpty { values["saving"] = .array(Self.names.filter { options.contains($0.option) }.map { .string($0.name) }) }
        if let relationship { values["relationship"] = relationship.value }
        return values
    }

    /// nil when a part is not what it should be.
    ///
    /// - Throws: ``TroveError/newerFeatures(_:)`` for a rule of saving that this version does not know, and so could not keep.
    init?(_ values: [String: StoredValue]) throws {
        var values = values
        switch values.removeValue(forKey: "original") {
        case nil: break
        case .string(let name)?: originalName = name
        default: return nil
        }
        switch values.removeValue(forKey: "default") {
        case nil: hasDefault = false
        case .bool(let value)?: hasDefault = value
        default: return nil
        }
        options = []
        switch values.removeValue(forKey: "saving") {
        case nil: break
        case .array(let list)?:
            for value in list {
                guard case .string(let name) = value else { return nil }
                guard let known = Self.names.first(where: { $0.name == name }) else { throw TroveError.newerFeatures([name]) }
                options.insert(known.option)
            }
        default: return nil
        }
        if let value = values.removeValue(forKey: "relationship") {
            guard let relationship = StoredRelationship(value) else { return nil }
            self.relationship = relationship
        }
        others = values
    }

    private static let names: [(option: FieldOptions, name: String)] = [
        (.writeOnce, "writeOnce"), (.keepIfNil, "keepIfNil"), (.encrypted, "encrypted"), (.revealing, "revealing"),
        (.creationDate, "creationDate"), (.modificationDate, "modificationDate"),
    ]
}

/// A relationship as the catalogue keeps it.
struct StoredRelationship: Equatable, Sendable {
    /// The name of the model it points at; nil when it may be any.
    let target: String?
    let shape: RelationshipShape
    let deleteRule: DeleteRule
    let targetDeleteRule: TargetDeleteRule
    /// The name of the target's field that says the same the other way round, whichever side declares it.
    let inverse: String?

    init(_ schema: RelationshipSchema, inverse: String?) {
        target = schema.targetModel?.schema.name
        shape = schema.shape
        deleteRule = schema.deleteRule
        targetDeleteRule = schema.targetDeleteRule
        self.inverse = inverse
    }

    /// The type of a field that has such a relationship.
    ///
    /// - Parameter reference: the type of one reference.
    func fieldType(_ reference: FieldType) -> FieldType {
        switch shape {
        case .optionalOne: .optional(reference)
        case .requiredOne: reference
        case .ordered: .array(reference)
        case .set: .set(reference)
        case .keyed: .dictionary(.string, reference)
        }
    }

    var value: StoredValue {
        .object([
            "target": target.map { .string($0) } ?? .null, "shape": .string(shape.rawValue), "deleteRule": .string(deleteRule.rawValue),
            "whenTargetDeleted": .string(targetDeleteRule.rawValue), "inverse": inverse.map { .string($0) } ?? .null,
        ])
    }

    /// nil when a part is missing or unknown.
    init?(_ value: StoredValue) {
        guard case .string(let shapeName) = value.value(at: "shape"), let shape = RelationshipShape(rawValue: shapeName),
            case .string(let ruleName) = value.value(at: "deleteRule"), let deleteRule = DeleteRule(rawValue: ruleName),
            case .string(let targetRuleName) = value.value(at: "whenTargetDeleted"), let targetRule = TargetDeleteRule(rawValue: targetRuleName)
        else { return nil }
        if case .string(let name) = value.value(at: "target") { target = name } else { target = nil }
        if case .string(let name) = value.value(at: "inverse") { inverse = name } else { inverse = nil }
        self.shape = shape
        self.deleteRule = deleteRule
        targetDeleteRule = targetRule
    }
}
