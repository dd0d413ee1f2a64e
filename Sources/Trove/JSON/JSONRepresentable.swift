/// A type that describes itself as JSON: filters, queries, declarations of indexes, layouts, plans, statistics.
///
/// ```swift
/// print(try store.fetch(Song.self).where { $0.year > 1990 }.explain().json(.pretty))
/// ```
public protocol JSONRepresentable {
    /// The description, as a value.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when it nests deeper than values do.
    func jsonValue() throws -> StoredValue
}

extension JSONRepresentable {
    /// The JSON of ``jsonValue()``, with names in the order of their bytes.
    public func json(_ style: JSONStyle = .compact) throws -> String { try jsonValue().json(style) }
}

extension StoredValue: JSONRepresentable {
    /// The value itself.
    public func jsonValue() throws -> StoredValue { self }
}

extension StoredValue {
    /// A text, or nil where there is none.
    static func optional(_ text: String?) -> StoredValue { text.map { .string($0) } ?? .null }

    /// A number, or nil where there is none.
    static func optional(_ number: Int?) -> StoredValue { number.map { .int(Int64($0)) } ?? .null }

    static func number(_ number: Int) -> StoredValue { .int(Int64(number)) }
}
