/// A stored property of a model.
struct StoredProperty {
    /// The name in code, with the backticks of a reserved word.
    let codeName: String
    /// The name that is stored.
    let name: String
    /// Whether the property is declared with a value.
    var hasDefault = false
    /// Whether that value may be another each time.
    var computesDefault = false
    /// The tokens of that value where it is a literal, or made of literals alone.
    var literalDefault: String?
    /// The source of the value for records that lack the field.
    var valueWithoutField: String?
    /// The field options as written, `.writeOnce`.
    var options: [String] = []
    var originalName: String?
    /// The source of what `@Relationship` says.
    var relationship: String?
    /// Whether it is a relationship that says which one of the other model is its inverse.
    var hasInverse = false
    /// The type as written, where it is.
    var type: String?
    /// Whether it is a `let`.
    var isConstant = false
    /// What the values are, as far as that shows in how the property of a class is kept.
    var content = Content.value

    enum Content {
        /// Anything but references.
        case value
        /// `Reference` or `AnyReference`, or collections of them.
        case references
        /// Objects, kept as references to them.
        case objects
        /// Values that are read when they are asked for.
        case lazy

        /// Whether they refer to other objects.
        var isRelationship: Bool { self == .references || self == .objects }
    }

    init(codeName: String, name: String) {
        self.codeName = codeName
        self.name = name
    }

    /// The `id` that a model has without declaring one.
    static let generatedID = StoredProperty(codeName: "id", name: "id")

    var isID: Bool { name == "id" }
    var label: String { codeName.asArgumentLabel }
    /// The parameter of an initializer that gives it its value.
    var parameter: String { "\(label): \(type ?? "…")" }
}
