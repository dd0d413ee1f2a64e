extension Field {
    /// A property of a nested `Codable` value.
    ///
    /// The property's name is taken for its coding key. When the type has no such coding key the query throws
    /// ``TroveError/unsupportedKeyPath(model:keyPath:)``; ``path(_:as:)`` names the coding key itself.
    public subscript<Next>(dynamicMember property: KeyPath<Value, Next>) -> Field<Next> {
        nested(property)
    }

    /// A property of an optional nested value, nil when the value is.
    public subscript<Wrapped, Next>(dynamicMember property: KeyPath<Wrapped, Next>) -> Field<Next?> where Value == Wrapped? {
        nested(property)
    }

    /// An optional property of an optional nested value, nil when either is.
    public subscript<Wrapped, Next>(dynamicMember property: KeyPath<Wrapped, Next?>) -> Field<Next?> where Value == Wrapped? {
        nested(property)
    }

    /// What a coding key of the nested value leads to; further names follow dots, as in `$0.address.at("geo.lat", as: Double.self)`.
    ///
    /// A name that has a dot goes by ``subscript(_:)``.
    public func at<Next>(_ path: String, as type: Next.Type) -> Field<Next> {
        let further = FieldPath(path)
        return Field<Next>(path: FieldPath(field: self.path.field, names: self.path.names + [further.field] + further.names), scope: scope, problem: problem)
    }

    private func nested<Root, Next, Result>(_ property: KeyPath<Root, Next>) -> Field<Result> {
        Field<Result>(scope: scope, problem: problem) { () throws(TroveError) in path.appending(try property.codingName()) }
    }
}

/// A dictionary with string keys, or an optional one.
public protocol KeyedMembers {
    associatedtype Member
}

extension Dictionary: KeyedMembers where Key == String {
    public typealias Member = Value
}

extension Optional: KeyedMembers where Wrapped: KeyedMembers {
    public typealias Member = Wrapped.Member
}

extension Field where Value: KeyedMembers {
    /// The value under a key, which is nil when there is none.
    public subscript(_ key: String) -> Field<Value.Member?> {
        Field<Value.Member?>(path: path.appending(key), scope: scope, problem: problem)
    }
}
