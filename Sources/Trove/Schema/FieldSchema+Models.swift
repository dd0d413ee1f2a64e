/// A type of one model, or of several objects of it. The compiler tells by it properties that hold what they should refer to.
public protocol _ModelHolding {}

extension Optional: _ModelHolding where Wrapped: Model {}

extension Array: _ModelHolding where Element: Model {}

extension Set: _ModelHolding where Element: Model {}

extension Dictionary: _ModelHolding where Value: Model {}

// The compiler comes to these overloads when a model fits no other, as one would that is 'Codable' itself.

extension FieldSchema {
    @available(
        *, unavailable,
        message: "an object of a model has its own record, and others refer to it: make this a 'Reference', as in 'Reference<Song>?' or '[Reference<Song>]', or between classes a '@Relationship'"
    )
    public init<Root, Value: _ModelHolding>(
        _ name: String, _ property: KeyPath<Root, Value> & Sendable, originalName: String? = nil, hasDefault: Bool = false,
        options: FieldOptions = []
    ) {
        self.init(name, type: .codable(named: Value.self), originalName: originalName, hasDefault: hasDefault, options: options)
    }
}

extension RecordEncoder {
    @available(*, unavailable, message: "an object of a model has its own record, and others refer to it: make this a 'Reference'")
    public mutating func encode<Value: _ModelHolding>(_ value: Value) throws {}
}

extension RecordDecoder {
    @available(*, unavailable, message: "an object of a model has its own record, and others refer to it: make this a 'Reference'")
    public mutating func decode<Value: _ModelHolding>() throws -> Value { throw DecodingFault.missing }

    @available(*, unavailable, message: "an object of a model has its own record, and others refer to it: make this a 'Reference'")
    public mutating func decode<Value: _ModelHolding>(default value: @autoclosure () throws -> Value) throws -> Value { try value() }
}
