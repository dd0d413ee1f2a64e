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
    /// What an index of words or trigrams is made of, one a part; empty for other kinds.
    let texts: [IndexedText]
    let covered: [FieldReader]
    let sums: [Sum]
    /// As ``IndexCatalogueEntry/types``.
    let types: [String]
    /// As ``IndexCatalogueEntry/defaults``.
    let defaults: [String: String]
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
        var making = IndexFieldsMaking(schema, binding)
        try making.checkDeclaration()
        try making.checkEncryption()
        id = try making.reader(binding.idPath)
        parts = try schema.parts.enumerated().map { try making.part($1, at: $0) }
        texts = try schema.kind.isOfTexts ? schema.parts.map { try making.text($0) } : []
        // An entry for each value at each path.
        if case .paths = schema.kind { multiplePart = 0 } else { multiplePart = making.multiplePart }
        covered = try schema.covered.map { try making.covered($0) }
        sums = try schema.aggregates.compactMap { try making.sum($0) }
        let paths = schema.parts.map(\.path) + schema.covered + sums.map(\.path)
        // The id is the record's key, which does not change.
        let isPlain = !paths.contains { path in binding.derived.contains { $0.name == path.field } }
        let positions = isPlain ? Set(paths.compactMap { binding.fieldPlace(of: $0)?.position }) : nil
        sources = positions?.sorted().map { binding.layout.fields[$0] }
        // Under which names records in other layouts have the values tells what is read from them, as the types do.
        types = making.types + zip(binding.schema.fields.indices, binding.schema.fields).compactMap { position, field in
            positions?.contains(position) == false ? nil : field.originalName.map { "\(field.name) was \($0)" }
        }.sorted()
        let fields = zip(binding.schema.fields.indices, binding.schema.fields).lazy.filter { positions?.contains($0.0) ?? true }.map(\.1)
        defaults = Dictionary(fields.compactMap { field in field.valueWhenMissing.map { (field.name, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// Those of an index that is a slice of one of all paths.
    init(_ slice: PathSlice, in binding: ModelBinding) throws {
        let path = slice.subject.first
        // Of what is sought at any depth only the conditions know where it is.
        let reader = try FieldReader(slice.subject.quantifiers.isEmpty ? path : .document, in: binding)
        // What is sought at one position has the entries of all elements of its array.
        let isMultiple = !slice.subject.quantifiers.isEmpty || slice.prefixes.count != 1 || !slice.isExact
        parts = [Part(part: IndexPart(path), reader: reader, type: nil, members: slice.subject.quantifiers.first?.part, slice: slice)]
        texts = []
        covered = []
        sums = []
        types = IndexSchema.pathTypes
        defaults = [:]
        multiplePart = isMultiple ? 0 : nil
        id = try FieldReader(binding.idPath, in: binding)
        sources = nil
    }
}
