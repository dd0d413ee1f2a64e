extension DocumentPath {
    /// The path as queries of documents have it, from the document or, where one is given, from another path on.
    func fieldPath(from start: FieldPath?) -> FieldPath {
        if let start { return FieldPath(field: start.field, names: start.names + names) }
        // Names that stand for something else at the beginning, and the empty one, are reached from the root.
        guard let first = names.first, !first.isEmpty, ![DocumentField.root, DocumentField.id, DocumentField.className].contains(first) else {
            return FieldPath(field: DocumentField.root, names: names)
        }
        return FieldPath(field: first, names: Array(names.dropFirst()))
    }

    /// The path as it is written of objects of a type.
    fileprivate func fieldPath(in type: Any.Type) -> FieldPath { type == Document.self ? fieldPath(from: nil) : FieldPath(of: self) }
}

extension EditableByPath {
    /// The path that is written so: of a document from its root, of an object of a model from one of its properties.
    static func fieldPath(at path: DocumentPath) -> FieldPath { path.fieldPath(in: self) }
}

extension Model {
    /// The path that is written so: of a document from its root, of a model from one of its fields.
    static func path(at path: DocumentPath) -> FieldPath { path.fieldPath(in: self) }
}
