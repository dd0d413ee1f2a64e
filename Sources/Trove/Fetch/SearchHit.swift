/// An object that a ranked full-text search found.
public struct SearchHit<Object> {
    /// The object that was found.
    public let object: Object
    /// The score of the object, by BM25 with the weights of the fields: comparable within one search, and 0 where only a NOT finds the object.
    public let score: Double
    let highlighter: FullTextHighlighter
}

extension SearchHit: Sendable where Object: Sendable {}

extension SearchHit where Object: Model {
    /// The ranges of the words sought in a text of the object, ascending and without overlap; none for a property that was not searched.
    public func ranges(in property: KeyPath<Object, String> & Sendable) -> [Range<String.Index>] {
        field(property).map { highlighter.ranges(in: object[keyPath: property], field: $0) } ?? []
    }

    /// A text of the object with `before` and `after` around the words sought.
    ///
    /// ```swift
    /// hit.highlighted(\.title, before: "<b>", after: "</b>")
    /// ```
    ///
    /// Nothing is escaped: for HTML, take ``ranges(in:)-(KeyPath<Object,String>)`` instead.
    public func highlighted(_ property: KeyPath<Object, String> & Sendable, before: String = "[", after: String = "]") -> String {
        let text = object[keyPath: property]
        return field(property).map { highlighter.highlighted(text, field: $0, before: before, after: after) } ?? text
    }

    /// The part of a text with most of the words sought, which are marked, in the middle of their context.
    ///
    /// - Parameters:
    ///   - words: how many words the part has, at least 1.
    ///   - ellipsis: what stands where text is left out.
    public func snippet(
        of property: KeyPath<Object, String> & Sendable, words: Int = 16, before: String = "[", after: String = "]", ellipsis: String = "…"
    ) -> String {
        let text = object[keyPath: property]
        guard let field = field(property) else { return text }
        return highlighter.snippet(of: text, field: field, words: words, before: before, after: after, ellipsis: ellipsis)
    }

    /// The property's name in the index; nil when it is not stored.
    private func field(_ property: PartialKeyPath<Object>) -> String? {
        do {
            return try Object.path(property).description
        } catch {
            // A computed property has no words in the index, so nothing of it is marked.
            return nil
        }
    }
}
