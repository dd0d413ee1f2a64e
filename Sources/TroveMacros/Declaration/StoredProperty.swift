/// A stored property of a model.
struct StoredProperty {
    /// The name in code, with the backticks of a reserved word.
    let codeName: String
    /// The name that is stored.
    let name: String
    /// Whether the property is declared with a value.
    var hasDefault = false
    /// The source of the value for records that lack the field.
    var valueWithoutField: String?
    /// The field options as written, `.writeOnce`.
    var options: [String] = []
    var originalName: String?
    /// The source of what `@Relationship` says.
    var relationship: String?

    init(codeName: String, name: String) {
        self.codeName = codeName
        self.name = name
    }

    /// The `id` that a model has without declaring one.
    static let generatedID = StoredProperty(codeName: "id", name: "id")

    var isID: Bool { name == "id" }
    var label: String { codeName.asArgumentLabel }
}
