/// The way to a stored value: a field of the record, then names inside its nested value.
///
/// `address.city` is the field `address` and the name `city`. A name is that of a `Codable` value's coding key, or a string key of a
/// dictionary. `id` is the object's id. Inside ``Filter/quantified(_:_:_:_:)`` a path with an empty field begins at the element.
public struct FieldPath: Sendable, Hashable {
    /// The record's field; `id` for the id, empty for the element of the innermost quantifier.
    public let field: String
    /// The names that lead on inside the field's value, the outermost first.
    public let names: [String]

    /// The path to a field, or by names into its nested value, each as it is: dots in them have no meaning.
    public init(field: String, names: [String] = []) {
        self.field = field
        self.names = names
    }

    /// The path written with dots, as ``description`` writes it. A name that has a dot needs ``init(field:names:)``.
    public init(_ text: String) {
        let steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.init(field: steps[0], names: Array(steps.dropFirst()))
    }

    /// The id of the object.
    public static let id = FieldPath(field: "id")

    /// The element that a quantifier looks at.
    public static let element = FieldPath(field: "")

    /// The path one name further on.
    public func appending(_ name: String) -> FieldPath {
        FieldPath(field: field, names: names + [name])
    }
}

extension FieldPath: CustomStringConvertible {
    /// The path written with dots: `address.city`.
    public var description: String { ([field.isEmpty ? "element" : field] + names).joined(separator: ".") }
}
