/// The protocol of ``Lazy`` values, for fields of queries.
public protocol _LazyValue {
    associatedtype LoadedValue
}

extension Lazy: _LazyValue {
    public typealias LoadedValue = Value
}

extension Field where Value: _LazyValue {
    /// The value of a ``Lazy`` property. A query reads it from the store for each object that no index and no other condition has ruled out.
    ///
    /// ```swift
    /// store.fetch(Article.self).where { $0.author == "Bach" && $0.text.loaded.contains("fugue") }
    /// ```
    public var loaded: Field<Value.LoadedValue> { Field<Value.LoadedValue>(path: path, scope: scope, problem: problem) }
}
