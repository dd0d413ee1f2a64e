extension FieldSchema {
    /// A field for a lazy `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Lazy<Value>> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .lazy(.codable(named: Value.self)), originalName: originalName, hasDefault: hasDefault, options: options)
    }

    /// A field for a lazy optional `Codable` property.
    @_disfavoredOverload
    public init<Root, Value: Codable>(
        _ name: String, _ property: KeyPath<Root, Lazy<Value?>> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(
            name, property: property, type: .lazy(.optional(.codable(named: Value.self))), originalName: originalName, hasDefault: hasDefault,
            options: options)
    }
}
