/// An index's parts, covered and summed fields, resolved in a model.
struct IndexFields: Sendable {
    /// One part of the index's keys. A class, since every record goes through them, and a copy of one would copy all it has.
    final class Part: Sendable {
        let part: IndexPart
        let reader: FieldReader
        /// The static type of the value, or of each member, without optional layers; nil when only the value tells.
        let type: FieldType?
        /// Which members of a collection have an entry each; nil for a part of one value.
        let members: CollectionPart?
        /// What it has of an index of all paths; nil in an index of its own.
        let slice: PathSlice?

        init(part: IndexPart, reader: FieldReader, type: FieldType?, members: CollectionPart?, slice: PathSlice? = nil) {
            self.part = part
            self.reader = reader
            self.type = type
            self.members = members
            self.slice = slice
        }
    }

    /// A field of which groups keep the sum.
    struct Sum: Sendable {
        let path: FieldPath
        let reader: FieldReader
        let isDecimal: Bool
    }

    let parts: [Part]
    let covered: [FieldReader]
    let sums: [Sum]
    /// As ``IndexCatalogueEntry/types``.
    let types: [String]
    /// The fields of the layout that all of this is made of; nil when a derived value may use any.
    let sources: [RecordLayout.Field]?
    /// The number of the part that has several values.
    let multiplePart: Int?
    /// Reads the object's id.
    let id: FieldReader
    /// Whether the id is of one value.
    var hasSimpleID: Bool { id.type != nil }

    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    init(_ schema: IndexSchema, in binding: ModelBinding) throws {
        func invalid(_ reason: String) -> TroveError {
            .invalidIndex(model: binding.schema.name, index: schema.name, reason: reason)
        }
        func reader(_ path: FieldPath) throws -> FieldReader {
            guard !path.isCount else { throw invalid("an index has no numbers of elements; conditions and sorts by \(path) read the records") }
            do {
                return try FieldReader(path, in: binding)
            } catch {
                throw invalid("\(error)")
            }
        }
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
        }
        if case .blind(let options) = schema.kind, let problem = options.problem { throw invalid(problem) }
        guard !schema.name.isEmpty else { throw invalid("an index needs a name") }
        for path in schema.parts.map(\.path) + schema.covered + schema.sums {
            guard let place = binding.fieldPlace(of: path), case let field = binding.schema.fields[place.position], field.isEncrypted, !field.options.contains(.revealing),
                !schema.kind.isBlind
            else { continue }
            throw invalid(
                "\(path) is encrypted, and stays so without .encrypted when it is closed, and the entries would show its values; declare it with .encrypted and index it with @Attribute(.blind(bits:)) or Index(blind:), or say with @Attribute(.revealing) that they may")
        }
        if schema.kind.isBlind, !schema.parts.contains(where: { part in binding.fieldPlace(of: part.path).map { binding.schema.fields[$0.position].isEncrypted } ?? false }) {
            throw invalid("it is blind, and none of its properties is encrypted; add .encrypted, or leave out blind:")
        }
        if schema.kind.isBlind, schema.parts.count == 1, binding.fieldPlace(of: schema.parts[0].path).map({ binding.schema.fields[$0.position].type.unwrapped == .bool }) ?? false {
            throw invalid("a Bool has two values, which are told apart by how often they occur; index it together with another property: #Index([\\.city, \\.\(schema.parts[0].path)], blind: …)")
        }
        id = try reader(binding.idPath)
        var types: [String] = []
        var multiplePart: Int?
        parts = try schema.parts.enumerated().map { position, part in
            let reader = try reader(part.path)
            let type = reader.type?.unwrapped
            // Named otherwise than that of the keys, so that a version of Trove that knows no such parts does not take it for one of keys.
            types.append((part.indexesValues ? "values of " : "") + (type?.description ?? "?"))
            let members = part.indexesValues ? reader.dictionaryValues : reader.members
            if part.indexesValues, members == nil { throw invalid("\(part.path) is no dictionary, so it has no values to index") }
            if members != nil {
                guard multiplePart == nil else {
                    throw invalid("\(part.path) and \(schema.parts[multiplePart ?? 0].path) both have several values; index one of them")
                }
                multiplePart = position
            }
            let scalar = members.map(\.type) ?? type
            if schema.kind.hasPartEntries, let unordered = binding.typeWithoutOrder(part, members.map { _ in type } ?? scalar) {
                throw invalid("\(part.path) is of type \(unordered.shownInErrors), which has no order; index a value inside it")
            }
            if !schema.kind.hasPartEntries, let scalar, scalar != .string {
                throw invalid("\(part.path) is of type \(scalar.shownInErrors), and only text has words; index a text, or a collection of texts")
            }
            if part.ignoringCase, let scalar, scalar != .string {
                throw invalid("\(part.path) is of type \(scalar.shownInErrors), and case can be ignored only in text")
            }
            return Part(part: part, reader: reader, type: scalar, members: members?.part)
        }
        // An entry for each value at each path.
        if case .paths = schema.kind { multiplePart = 0 }
        self.multiplePart = multiplePart
        covered = try schema.covered.map { path in
            let reader = try reader(path)
            types.append(reader.type?.description ?? "?")
            return reader
        }
        sums = try schema.aggregates.compactMap { aggregate in
            guard case .sum(let path) = aggregate else { return nil }
            let reader = try reader(path)
            let type = reader.type?.unwrapped
            types.append(type?.description ?? "?")
            guard let type, type == .decimal || type.scalar?.integer.map({ $0.bitWidth <= 64 }) ?? false else {
                throw invalid("\(path) is neither a decimal field nor an integer of up to 64 bits, so an index keeps no exact sum of it")
            }
            return Sum(path: path, reader: reader, isDecimal: type == .decimal)
        }
        let paths = schema.parts.map(\.path) + schema.covered + sums.map(\.path)
        // The id is the record's key, which does not change.
        let isPlain = !paths.contains { path in binding.derived.contains { $0.name == path.field } }
        let positions = isPlain ? Set(paths.compactMap { binding.fieldPlace(of: $0)?.position }) : nil
        sources = positions?.sorted().map { binding.layout.fields[$0] }
        // Under which names records in other layouts have the values tells what is read from them, as the types do.
        types += zip(binding.schema.fields.indices, binding.schema.fields).compactMap { position, field in
            positions?.contains(position) == false ? nil : field.originalName.map { "\(field.name) was \($0)" }
        }.sorted()
        self.types = types
    }

    /// Those of an index that is a slice of one of all paths.
    init(_ slice: PathSlice, in binding: ModelBinding) throws {
        let path = slice.subject.first
        // Of what is sought at any depth only the conditions know where it is.
        let reader = try FieldReader(slice.subject.quantifiers.isEmpty ? path : .document, in: binding)
        // What is sought at one position has the entries of all elements of its array.
        let isMultiple = !slice.subject.quantifiers.isEmpty || slice.prefixes.count != 1 || !slice.isExact
        parts = [Part(part: IndexPart(path), reader: reader, type: nil, members: slice.subject.quantifiers.first?.part, slice: slice)]
        covered = []
        sums = []
        types = IndexSchema.pathTypes
        multiplePart = isMultiple ? 0 : nil
        id = try FieldReader(binding.idPath, in: binding)
        sources = nil
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
