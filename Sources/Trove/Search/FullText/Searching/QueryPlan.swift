/// Turns analysed queries into iterators.
enum QueryPlan {
    /// The documents a query finds.
    static func iterator(_ query: AnalyzedQuery, _ context: SearchContext) throws -> DocumentIterator {
        switch query {
        case .words(let elements, let fields):
            if elements.count == 1 { return try context.documents(of: elements[0], fields) }
            return context.keyspaces == nil ? EmptyIterator() : try PhraseIterator(context, elements, fields)
        case .all(let parts):
            return try conjunction(parts, context)
        case .any(let parts):
            return DisjunctionIterator(try parts.map { try iterator($0, context) })
        case .not:
            return try conjunction([query], context)
        case .nothing:
            return EmptyIterator()
        }
    }

    /// How many documents there are, where that needs no counting.
    static func exactCount(_ documents: DocumentIterator, _ context: SearchContext) -> Int? {
        switch documents {
        case let term as TermIterator where term.isEveryField: term.total
        case is EveryDocumentIterator: context.totals.documentCount
        default: nil
        }
    }

    private static func conjunction(_ parts: [AnalyzedQuery], _ context: SearchContext) throws -> DocumentIterator {
        var (wanted, excluded): ([DocumentIterator], [DocumentIterator]) = ([], [])
        for part in parts {
            if case .not(let inner) = part {
                excluded.append(try iterator(inner, context))
            } else {
                wanted.append(try iterator(part, context))
            }
        }
        if wanted.isEmpty {
            guard let keyspaces = context.keyspaces else { return EmptyIterator() }
            wanted = [try EveryDocumentIterator(context, keyspaces.documents)]
        }
        return wanted.count == 1 && excluded.isEmpty ? wanted[0] : try ConjunctionIterator(wanted, excluding: excluded)
    }
}
