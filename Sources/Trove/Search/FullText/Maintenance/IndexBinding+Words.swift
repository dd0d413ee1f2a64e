extension IndexBinding {
    /// The index as full-text search knows it; nil when it is of another kind.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``.
    func fullTextIndex() throws -> FullTextIndex? {
        guard case .fullText = schema.kind else { return nil }
        return try schema.fullTextIndex(named: keyspaceName, of: modelName)
    }

    /// The index as substring search knows it; nil when it is of another kind.
    var substringIndex: SubstringIndex? {
        guard schema.kind == .substring else { return nil }
        return SubstringIndex(name: keyspaceName, model: modelName, title: schema.name, fieldCount: fields.parts.count)
    }

    /// The inverted index of words or trigrams; nil when it is of values.
    func invertedIndex() throws -> InvertedIndex? {
        try fullTextIndex()?.inverted ?? substringIndex?.inverted
    }

    /// The texts of a record that the index is made of, one a part: a collection's members in lines.
    func texts(of record: RecordView) throws -> [String?] {
        try fields.parts.map { try $0.reader.value(record).textForWords }
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
