extension IndexBinding {
    /// The index as full-text search knows it; nil when it is of another kind.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``.
    func fullTextIndex() throws -> FullTextIndex? {
        guard case .fullText = schema.kind else { return nil }
        return try schema.fullTextIndex(named: keyspaceName, of: modelName)
    }

    /// The index as substring search knows it; nil when it is of another kind.
    var substringIndex: SubstringIndex? { schema.substringIndex(named: keyspaceName, of: modelName) }

    /// The inverted index of words or trigrams; nil when it is of values.
    func invertedIndex() throws -> InvertedIndex? {
        try schema.invertedIndex(named: keyspaceName, of: modelName)
    }

    /// The texts of a record that the index is made of, one a part: a collection's members in lines.
    func texts(of record: RecordView) throws -> [String?] {
        try fields.parts.map { try $0.reader.value(record).textForWords }
    }
}

extension IndexSchema {
    fileprivate func substringIndex(named keyspace: String, of model: String) -> SubstringIndex? {
        guard kind == .substring else { return nil }
        return SubstringIndex(name: keyspace, model: model, title: name, fieldCount: parts.count)
    }

    /// The inverted index of a model with entries in the keyspace of this name; nil when the index is one of values.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``.
    func invertedIndex(named keyspace: String, of model: String) throws -> InvertedIndex? {
        switch kind {
        case .ordered: nil
        case .fullText: try fullTextIndex(named: keyspace, of: model).inverted
        case .substring: substringIndex(named: keyspace, of: model)?.inverted
        }
    }
}

extension StoredValue {
    /// The text whose words an index holds.
    var textForWords: String? {
        switch self {
        case .string(let text): text
        case .array(let values): values.compactMap(\.textForWords).joined(separator: "\n")
        case .object(let values): values.keys.sorted().joined(separator: "\n")
        default: nil
        }
    }
}
