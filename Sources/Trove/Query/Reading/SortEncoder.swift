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
        try self.init(keys, in: binding) { try FieldReader($0, in: binding) }
    }

    /// - Parameter reader: makes the reader of the value at a path, which may be behind references.
    convenience init(_ keys: [SortKey], in binding: ModelBinding, _ reader: (FieldPath) throws -> FieldReader) throws {
        self.init(try keys.map { key in
            let reader = try reader(key.path)
            // A Codable value has no order; what a path leads to inside of one may have.
            let type = reader.type ?? reader.unorderedType
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

    /// The names of the types of values behind references, of which the model's own fields tell nothing; nil for its own values.
    var typesBehindReferences: [String?] {
        parts.map { part in
            if case .referenced = part.reader.access { part.reader.type.map { "\($0)" } ?? "" } else { nil }
        }
    }

    /// Appends the sort bytes of a record.
    func append(_ record: RecordView, to bytes: inout ByteWriter) throws {
        for part in parts {
            try part.reader.appendKeyPart(
                record, isTyped: !isAcrossTypes, ignoring: part.key.ignoring, direction: part.key.direction, to: &bytes)
        }
    }
}
