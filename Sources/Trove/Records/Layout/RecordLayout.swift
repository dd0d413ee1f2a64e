/// Where the fields of a record are: one of the ways in which records of a type have been written.
///
/// Layouts are numbered in the catalogue and kept for ever; a record names its own.
final class RecordLayout: Sendable {
    /// The bytes before the nil bitmap: format, flags, layout number, checksum.
    static let headerSize = 8

    /// A field's type and place.
    struct Field: Sendable, Hashable {
        let name: String
        let type: FieldType
        /// The number of its first bit in the nil bitmap.
        let nilBit: Int
        /// The offset in the record of a fixed-width value; for others the number of its entry in the table of ends.
        let place: Int
        var isFixed: Bool { type.fixedSize != nil }
    }

    /// The layout's number in its store.
    let number: UInt16
    /// The name of the model.
    let typeName: String
    /// The model's version when the layout was made.
    let version: Int
    let fields: [Field]
    /// The offset of the fixed-width values.
    let fixedStart: Int
    /// The offset of the table of ends.
    let endsStart: Int
    /// The number of fields of variable width.
    let variableCount: Int
    private let positions: [String: Int]

    init(number: UInt16, typeName: String, version: Int, fields: [(name: String, type: FieldType)]) {
        self.number = number
        self.typeName = typeName
        self.version = version
        fixedStart = Self.headerSize + (fields.reduce(0) { $0 + $1.type.optionalDepth } + 7) / 8
        var nilBit = 0
        var fixedOffset = fixedStart
        var variableCount = 0
        self.fields = fields.map { field in
            let size = field.type.fixedSize
            defer {
                nilBit += field.type.optionalDepth
                fixedOffset += size ?? 0
                variableCount += size == nil ? 1 : 0
            }
            return Field(name: field.name, type: field.type, nilBit: nilBit, place: size == nil ? variableCount : fixedOffset)
        }
        endsStart = fixedOffset
        self.variableCount = variableCount
        positions = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The position of the field with this name.
    func position(of name: String) -> Int? { positions[name] }

    /// Whether records have the field, under its own name or its original one.
    func hasField(_ field: FieldSchema) -> Bool {
        position(of: field.name) != nil || field.originalName.flatMap { position(of: $0) } != nil
    }

    /// Whether records of both layouts have the same bytes but for the layout's number.
    func hasSameShape(as other: RecordLayout) -> Bool {
        typeName == other.typeName && version == other.version && fields == other.fields
    }
}
