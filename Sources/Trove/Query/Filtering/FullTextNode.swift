/// Whether a full-text query finds a record, told from its texts as the index would tell it.
final class FullTextNode: FilterNode {
    private let matcher: FullTextMatcher
    private let texts: [IndexedText]
    /// Words have to be made of every text.
    let cost = 5_000

    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the model has no full-text index of the path;
    ///   ``TroveError/unsupportedFullTextQuery(index:reason:)``.
    init(_ query: FullTextQuery, _ path: FieldPath?, in binding: ModelBinding) throws {
        let schema = try binding.fullTextSchema(of: path)
        if binding.isCollection, let problem = schema.overlapProblem {
            throw TroveError.invalidIndex(model: binding.schema.name, index: schema.name, reason: problem)
        }
        let index = try schema.fullTextIndex(named: schema.name, of: binding.schema.name)
        matcher = try FullTextMatcher(query.restricted(to: path), index)
        texts = try schema.parts.map { try IndexedText($0.path, schema.kind, in: binding) }
    }

    func matches(_ record: RecordView) throws -> Bool {
        matcher.matches(try texts.map { try $0.text(of: record) })
    }
}

extension ModelBinding {
    /// The full-text index that answers queries of a path, or of the whole model.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when there is none, or none that is meant.
    func fullTextSchema(of path: FieldPath?) throws -> IndexSchema {
        guard let path else {
            guard let first = fullTextIndexes.first else {
                let problem = isCollection ? "has no full text\(TroveError.setFullText)" : "has no full-text index\(TroveError.declareFullText)"
                throw TroveError.invalidQuery(reason: "\(schema.name) \(problem)")
            }
            if fullTextIndexes.count == 1 { return first }
            throw TroveError.invalidQuery(
                reason: "\(schema.name) has several full-text indexes; name the property to search in, as search(\"…\", in: \\.\(first.parts[0].path)) does, "
                    + "or declare one index of all of them instead, with #FullText")
        }
        guard let index = fullTextIndexes.first(where: { $0.parts.contains { $0.path == path } }) else {
            throw TroveError.invalidQuery(
                reason: isCollection
                    ? "\(path) is no path of the full text of \(schema.name)\(TroveError.setFullText)"
                    : "\(schema.name).\(path) is in no full-text index\(TroveError.declareFullText)")
        }
        return index
    }
}

extension IndexSchema {
    /// The index as full-text search knows it, its keyspaces named by `name`.
    ///
    /// - Throws: ``TroveError/invalidFullTextFields(reason:)``; ``TroveError/invalidIndex(model:index:reason:)`` when it is of another kind.
    func fullTextIndex(named keyspace: String, of model: String) throws -> FullTextIndex {
        guard case .fullText(let options, let weights) = kind else {
            throw TroveError.invalidIndex(model: model, index: name, reason: "it is not a full-text index")
        }
        let fields = FullTextFields(zip(parts, weights).map { .init($0.path.description, weight: $1) })
        return try FullTextIndex(name: keyspace, model: model, title: name, fields: fields, options: options)
    }
}

extension FullTextQuery {
    /// The query in the text at a path alone; in all texts for nil.
    func restricted(to path: FieldPath?) -> FullTextQuery {
        path.map { .field($0.description, self) } ?? self
    }
}
