/// Makes the bytes by which records sort: the parts of the sort keys one after the other.
///
/// Ties are broken by id, so who sorts compares the record keys of equal bytes.
final class SortEncoder: Sendable {
    private let parts: [(reader: FieldReader, key: SortKey)]
    /// Whether the bytes compare with those of other models, which may have values of other types.
    private let isAcrossTypes: Bool

    /// That of no criteria.
    static let none = SortEncoder([])

    private init(_ parts: [(reader: FieldReader, key: SortKey)], isAcrossTypes: Bool = false) {
        self.parts = parts
        self.isAcrossTypes = isAcrossTypes
    }

    /// - Throws: ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``;
    ///   ``TroveError/incomparable(model:path:reason:)`` for a field whose type has no order.
    convenience init(_ keys: [SortKey], in binding: ModelBinding) throws {
        self.init(try keys.map { key in
            let reader = try FieldReader(key.path, in: binding)
            // A Codable value has no order; what a path leads to inside of one may have.
            let type = reader.type ?? binding.typeWithoutOrder(key.path)
            if let type, ValueClass(type) ?? .container == .container {
                throw TroveError.incomparable(
                    model: binding.schema.name, path: key.path.description, reason: "\(type.shownInErrors.withArticle) has no order; sort by a value inside it")
            }
            return (reader, key)
        })
    }

    /// The encoder that makes the same order of values of any types.
    var acrossTypes: SortEncoder { SortEncoder(parts, isAcrossTypes: true) }

    /// The types of the criteria's values; nil where only a value tells its type.
    var types: [FieldType?] { parts.map(\.reader.type) }

    /// Appends the sort bytes of a record.
    func append(_ record: RecordView, to bytes: inout ByteWriter) throws {
        for part in parts {
            try part.reader.appendKeyPart(
                record, isTyped: !isAcrossTypes, ignoringCase: part.key.ignoringCase, direction: part.key.direction, to: &bytes)
        }
    }
}

extension ModelBinding {
    /// The type of a field that is a `Codable` value as a whole; nil for other paths.
    func typeWithoutOrder(_ path: FieldPath) -> FieldType? {
        guard path.names.isEmpty, !path.isCount, let position = layout.position(of: path.field) else { return nil }
        let type = layout.fields[position].type.unwrapped
        if case .codable = type { return type }
        return nil
    }
}
