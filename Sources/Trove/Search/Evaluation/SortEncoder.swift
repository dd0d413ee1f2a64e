/// Makes the bytes by which records sort: the parts of the sort keys one after the other.
///
/// Ties are broken by id, so who sorts compares the record keys of equal bytes.
final class SortEncoder: Sendable {
    private let parts: [(reader: FieldReader, key: SortKey)]

    /// - Throws: ``TroveError/unknownField(model:field:)``, ``TroveError/unknownPath(model:path:reason:)``;
    ///   ``TroveError/incomparable(model:path:reason:)`` for a field whose type has no order.
    init(_ keys: [SortKey], in binding: ModelBinding) throws {
        parts = try keys.map { key in
            let reader = try FieldReader(key.path, in: binding)
            // A Codable value has no order; what a path leads to inside of one may have.
            let type = reader.type ?? binding.typeWithoutOrder(key.path)
            if let type, ComparableKind(type) ?? .collection == .collection {
                throw TroveError.incomparable(
                    model: binding.schema.name, path: key.path.description, reason: "\(type.shownInErrors.withArticle) has no order; sort by a value inside it")
            }
            return (reader, key)
        }
    }

    /// Appends the sort bytes of a record.
    func append(_ record: RecordView, to bytes: inout ByteWriter) throws {
        for part in parts {
            try part.reader.appendKeyPart(
                record, ignoringCase: part.key.ignoringCase, direction: part.key.direction, to: &bytes)
        }
    }
}

extension ModelBinding {
    /// The type of a field that is a `Codable` value as a whole; nil for other paths.
    func typeWithoutOrder(_ path: FieldPath) -> FieldType? {
        guard path.names.isEmpty, let position = layout.position(of: path.field) else { return nil }
        let type = layout.fields[position].type.unwrapped
        if case .codable = type { return type }
        return nil
    }
}
