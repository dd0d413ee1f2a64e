/// The properties of a model, by which a closure says what is sought.
///
/// ```swift
/// store.fetch(Song.self).where { $0.year > 1990 && $0.artist.hasPrefix("Bill") }
/// ```
///
/// Every stored property is there under its name, and `id`. A computed property compiles too, and makes the query throw
/// ``TroveError/unsupportedKeyPath(model:keyPath:)`` when it runs.
@dynamicMemberLookup
public struct Fields<Object: Model>: Sendable {
    init() {}

    /// A property of the model.
    public subscript<Value>(dynamicMember property: KeyPath<Object, Value>) -> Field<Value> {
        Field { () throws(TroveError) in try Object.path(property) }
    }

    /// The id, stored or computed.
    public var id: Field<Object.ID> { Field(path: .id) }

    /// What a path written as text leads to, as in `$0.at("address.city", as: String.self)`: for coding keys that are not named like
    /// their properties.
    ///
    /// A name that has a dot needs a ``FieldPath`` made of its names.
    public func at<Value>(_ path: String, as type: Value.Type) -> Field<Value> {
        self.at(FieldPath(path), as: type)
    }

    /// What a path leads to.
    public func at<Value>(_ path: FieldPath, as type: Value.Type) -> Field<Value> {
        Field { path }
    }

    /// Whether the object has words in any text of its full-text index: `$0.hasWords("\"autumn leaves\" bill*")`.
    ///
    /// The words are written as ``FullTextQuery/init(_:)`` reads them.
    public func hasWords(_ words: String) -> Condition {
        Condition(scopes: [], problem: nil) { () throws(TroveError) in .fullText(try FullTextQuery.reading(words).get(), nil) }
    }

    /// A derived value that the model indexes, by its name.
    ///
    /// ```swift
    /// store.fetch(Song.self).where { $0.derivedValue("decade", as: Int.self) == 1990 }
    /// ```
    public func derivedValue<Value: Storable>(_ name: String, as type: Value.Type) -> Field<Value> {
        Field { FieldPath(field: name) }
    }
}
