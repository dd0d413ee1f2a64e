/// The texts of a document that a ranked search found, by their paths.
extension SearchHit where Object: EditableByPath {
    /// What the search looked into at a path: the text there, or the texts there and below it, each in a line; empty when there is none.
    public func text(at path: DocumentPath) -> String { object._searchedText(at: path) ?? "" }

    /// The ranges of the words sought in ``text(at:)``, ascending and without overlap; none for a path that was not searched.
    ///
    /// A path below one of the full text was searched, too: the title of a document of which every text was.
    public func ranges(in path: DocumentPath) -> [Range<String.Index>] {
        field(path).map { highlighter.ranges(in: text(at: path), field: $0) } ?? []
    }

    /// The text at a path with `before` and `after` around the words sought.
    ///
    /// ```swift
    /// hit.highlighted("title", before: "<b>", after: "</b>")
    /// ```
    ///
    /// Nothing is escaped: for HTML, take ``ranges(in:)-(DocumentPath)`` instead.
    public func highlighted(_ path: DocumentPath, before: String = "[", after: String = "]") -> String {
        let text = text(at: path)
        return field(path).map { highlighter.highlighted(text, field: $0, before: before, after: after) } ?? text
    }

    /// The part of the text at a path with most of the words sought, which are marked, in the middle of their context.
    ///
    /// - Parameters:
    ///   - path: ``DocumentPath/document`` for all texts of a document of which every text was searched.
    ///   - words: how many words the part has, at least 1.
    ///   - ellipsis: what stands where text is left out.
    public func snippet(
        of path: DocumentPath, words: Int = 16, before: String = "[", after: String = "]", ellipsis: String = "…"
    ) -> String {
        let text = text(at: path)
        guard let field = field(path) else { return text }
        return highlighter.snippet(of: text, field: field, words: words, before: before, after: after, ellipsis: ellipsis)
    }

    private func field(_ path: DocumentPath) -> String? { highlighter.fields.name(covering: path, of: Object.self) }
}

extension FullTextFields {
    /// The name of the field that has the words at a path: the path's own, or that of the nearest one above it; nil when there is none.
    package func name<Object: EditableByPath>(covering path: DocumentPath, of type: Object.Type) -> String? {
        for count in (0...path.steps.count).reversed() {
            let steps = Array(path.steps.prefix(count))
            // A field without positions has the texts of all elements.
            let names = steps.filter { if case .name = $0 { true } else { false } }
            for steps in [steps, names] {
                let name = type.fieldPath(at: DocumentPath(steps)).description
                if position(of: name) != nil { return name }
            }
        }
        return nil
    }
}

extension Document {
    /// The texts at a path and below it, in lines.
    public func _searchedText(at path: DocumentPath) -> String? {
        do {
            return try value.texts(at: path)
        } catch {
            // What came from the store can be stored.
            return nil
        }
    }
}

extension ModelDocument {
    /// The text at a path, or the members of a collection there, in lines.
    public func _searchedText(at path: DocumentPath) -> String? { path == .document ? nil : value.value(at: path)?.textForWords }
}
