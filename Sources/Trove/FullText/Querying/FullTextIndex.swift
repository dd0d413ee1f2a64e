/// A full-text index: its name, its fields and how words are made of them.
struct FullTextIndex: Sendable, Hashable {
    let fields: FullTextFields
    let options: FullTextOptions
    var inverted: InvertedIndex

    /// An index of a model whose keyspaces begin with `name`.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``.
    init(name: String, model: String = "", title: String? = nil, fields: FullTextFields, options: FullTextOptions) throws {
        try fields.validate()
        self.fields = fields
        self.options = options
        inverted = InvertedIndex(name: name, model: model, title: title ?? name, terms: .words(options), fieldCount: fields.count)
    }
}
