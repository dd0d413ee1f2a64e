/// Resolves the parts and fields of a declared index in a model, and says what is wrong with the declaration.
///
/// What throws throws ``TroveError/invalidIndex(model:index:reason:)``.
struct IndexFieldsMaking {
    private let schema: IndexSchema
    private let binding: ModelBinding
    /// As ``IndexFields/types``, of what has been resolved so far.
    private(set) var types: [String] = []
    /// The number of the part that has several values, among those that have been resolved.
    private(set) var multiplePart: Int?

    init(_ schema: IndexSchema, _ binding: ModelBinding) {
        self.schema = schema
        self.binding = binding
    }

    private func invalid(_ reason: String) -> TroveError {
        .invalidIndex(model: binding.schema.name, index: schema.name, reason: reason)
    }

    func reader(_ path: FieldPath) throws -> FieldReader {
        guard path.aggregate == nil else {
            throw invalid("an index has no \(path.isCount ? "numbers of elements" : "aggregates of members"); conditions and sorts by \(path) read the records")
        }
        do {
            return try FieldReader(path, in: binding)
        } catch {
            throw invalid("\(error)")
        }
    }

    /// Checks what can be judged without the model's fields.
    func checkDeclaration() throws {
        guard !schema.parts.isEmpty else { throw invalid("it has no parts; name a property") }
        if case .fullText(let options, let weights) = schema.kind {
            guard weights.count == schema.parts.count else {
                throw invalid("it has \(weights.count) weights for \(schema.parts.count) properties; give each property one")
            }
            guard options.minimumWordLength >= 1 else { throw invalid("its shortest word has \(options.minimumWordLength) letters, but must have 1 or more") }
            do {
                try FullTextFields(zip(schema.parts, weights).map { .init($0.path.description, weight: $1) }).validate()
            } catch TroveError.invalidFullTextFields(let reason) {
                throw invalid(reason)
            }
            if hasTextsOfDocuments, let problem = schema.overlapProblem { throw invalid(problem) }
        }
        if case .blind(let options) = schema.kind, let problem = options.problem { throw invalid(problem) }
        guard !schema.name.isEmpty else { throw invalid("an index needs a name") }
    }

    /// Checks that no entries tell what is encrypted, and that blind ones have something to hide.
    func checkEncryption() throws {
        for path in schema.parts.map(\.path) + schema.covered + schema.sums {
            guard let place = binding.fieldPlace(of: path), case let field = binding.schema.fields[place.position], field.isEncrypted,
                !field.options.contains(.revealing),
                !schema.kind.isBlind
            else { continue }
            throw invalid(
                "\(path) is encrypted, and stays so without .encrypted when it is closed, and the entries would show its values; declare it with .encrypted and index it with @Attribute(.blind(bits:)) or Index(blind:), or say with @Attribute(.revealing) that they may")
        }
        if schema.kind.isBlind,
            !schema.parts.contains(where: { part in binding.fieldPlace(of: part.path).map { binding.schema.fields[$0.position].isEncrypted } ?? false })
        {
            throw invalid("it is blind, and none of its properties is encrypted; add .encrypted, or leave out blind:")
        }
        if schema.kind.isBlind, schema.parts.count == 1,
            binding.fieldPlace(of: schema.parts[0].path).map({ binding.schema.fields[$0.position].type.unwrapped == .bool }) ?? false
        {
            throw invalid(
                "a Bool has two values, which are told apart by how often they occur; index it together with another property: #Index([\\.city, \\.\(schema.parts[0].path)], blind: …)"
            )
        }
    }

    mutating func part(_ part: IndexPart, at position: Int) throws -> IndexFields.Part {
        let reader = try reader(part.path)
        let type = reader.type?.unwrapped
        // Named otherwise than that of the keys, so that a version of Trove that knows no such parts does not take it for one of keys. Nor is it to take the
        // texts of documents for one text.
        types.append((part.indexesValues ? "values of " : hasTextsOfDocuments ? "texts below " : "") + (type?.description ?? "?"))
        let members = part.indexesValues ? reader.dictionaryValues : reader.members
        if part.indexesValues, members == nil { throw invalid("\(part.path) is no dictionary, so it has no values to index") }
        if members != nil {
            guard multiplePart == nil else {
                throw invalid("\(part.path) and \(schema.parts[multiplePart ?? 0].path) both have several values; index one of them")
            }
            guard schema.aggregates.isEmpty else {
                throw invalid("\(part.path) has several values, and an index on a collection keeps no counts and sums; leave out aggregates:")
            }
            multiplePart = position
        }
        let scalar = members.map(\.type) ?? type
        if schema.kind.hasPartEntries, let unordered = binding.typeWithoutOrder(part, members.map { _ in type } ?? scalar) {
            let advice = unordered.isCodable ? ", or make the type, or that of its members, a StorableConvertible" : ""
            throw invalid("\(part.path) is of type \(unordered.shownInErrors), which has no order; index a value inside it\(advice)")
        }
        if !schema.kind.hasPartEntries, let scalar, scalar != .string {
            throw invalid("\(part.path) is of type \(scalar.shownInErrors), and only text has words; index a text, or a collection of texts")
        }
        if !part.ignoring.isEmpty, let scalar, scalar != .string {
            throw invalid("\(part.path) is of type \(scalar.shownInErrors), and \(part.ignoring.names) can be ignored only in text")
        }
        return IndexFields.Part(part: part, reader: reader, type: scalar, members: members?.part)
    }

    /// Whether the parts are paths of documents, each with all texts there and below.
    private var hasTextsOfDocuments: Bool { schema.kind.isFullText && binding.isCollection }

    func text(_ part: IndexPart) throws -> IndexedText {
        do {
            return try IndexedText(part.path, schema.kind, in: binding)
        } catch {
            throw invalid("\(error)")
        }
    }

    mutating func covered(_ path: FieldPath) throws -> FieldReader {
        let reader = try reader(path)
        types.append(reader.type?.description ?? "?")
        return reader
    }

    /// The sum that an aggregate asks for; nil when it is none.
    mutating func sum(_ aggregate: IndexSchema.Aggregate) throws -> IndexFields.Sum? {
        guard case .sum(let path) = aggregate else { return nil }
        let reader = try reader(path)
        let type = reader.type?.unwrapped
        types.append(type?.description ?? "?")
        guard let type, type == .decimal || type.scalar?.integer.map({ $0.bitWidth <= 64 }) ?? false else {
            throw invalid("\(path) is neither a decimal field nor an integer of up to 64 bits, so an index keeps no exact sum of it")
        }
        return IndexFields.Sum(path: path, reader: reader, isDecimal: type == .decimal)
    }
}

extension ModelBinding {
    /// The type of a part when its values, or those of its members, have no order.
    ///
    /// - Parameter type: what the path's reader tells.
    fileprivate func typeWithoutOrder(_ part: IndexPart, _ type: FieldType?) -> FieldType? {
        let path = part.path
        // Of a whole `Codable` field a reader tells no type.
        let field = path.names.isEmpty ? layout.position(of: path.field).map { layout.fields[$0].type } : nil
        let indexed = (type ?? field)?.unwrapped
        let scalar: FieldType? =
            switch indexed {
            case .array(let element), .set(let element): element.unwrapped
            case .dictionary(let key, let value): (part.indexesValues ? value : key).unwrapped
            default: indexed
            }
        return switch scalar {
        case .array, .set, .dictionary, .codable: scalar
        default: nil
        }
    }
}
