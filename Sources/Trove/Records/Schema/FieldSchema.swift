/// One stored property of a model.
public struct FieldSchema: Sendable, Hashable {
    /// The property's name, under which its values are stored.
    public let name: String
    /// How its values are stored.
    public let type: FieldType
    /// The name that older records may have it under.
    public let originalName: String?
    /// Whether `init(from:)` has a value for records that lack the field. Optional properties always have one.
    public let hasDefault: Bool
    /// What a save does with it.
    public let options: FieldOptions

    /// A field of the given type.
    public init(
        _ name: String, type: FieldType, originalName: String? = nil, hasDefault: Bool = false, options: FieldOptions = []
    ) {
        self.name = name
        self.type = type
        self.originalName = originalName
        self.hasDefault = hasDefault || type.optionalDepth > 0
        self.options = options
    }

    /// A field for a property whose type Trove stores natively; the key path tells the type.
    public init<Root, Value: Storable>(
        _ name: String, _ property: KeyPath<Root, Value>, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(name, type: Value.fieldType, originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for an enum that is stored as its raw value.
    public init<Root, Value: RawRepresentable>(
        _ name: String, _ property: KeyPath<Root, Value>, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) where Value.RawValue: Storable {
        self.init(name, type: Value.RawValue.fieldType, originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for an optional enum that is stored as its raw value.
    public init<Root, Value: RawRepresentable>(
        _ name: String, _ property: KeyPath<Root, Value?>, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) where Value.RawValue: Storable {
        self.init(
            name, type: .optional(Value.RawValue.fieldType), originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for a `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Value>, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, type: .codable(named: Value.self), originalName: originalName, hasDefault: hasDefault,
            options: options)
    }

    /// A field for an optional `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Value?>, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, type: .optional(.codable(named: Value.self)), originalName: originalName,
            hasDefault: hasDefault, options: options)
    }
}
