import Synchronization

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
    let modelName: String
    /// The model's version when the layout was made.
    let version: Int
    let fields: [Field]
    /// The names and types of the fields, for each record that keeps them.
    let fieldNames: [String]
    let fieldTypes: [FieldType]
    /// The offset of the fixed-width values.
    let fixedStart: Int
    /// The offset of the table of ends.
    let endsStart: Int
    /// The number of fields of variable width.
    let variableCount: Int
    /// The positions of the fields whose values may be kept apart from the records.
    let lazyFields: [Int]
    private let positions: [String: Int]
    /// As ``sealingPlaces``, once they were asked for.
    private let knownPlaces = Mutex<[[UInt8]]>([])

    init(number: UInt16, modelName: String, version: Int, fields: [(name: String, type: FieldType)]) {
        self.number = number
        self.modelName = modelName
        self.version = version
        (fieldNames, fieldTypes) = (fields.map(\.name), fields.map(\.type))
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
        lazyFields = fields.indices.filter { fields[$0].type.isLazy }
        positions = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether it has fields of these names, of the types that another layout has them with.
    func hasSameFields(_ names: Set<String>, as other: RecordLayout) -> Bool {
        names.allSatisfy { name in positions[name].map { fields[$0].type } == other.positions[name].map { other.fields[$0].type } && positions[name] != nil }
    }

    /// What the sealed value of each field is bound to, but for the record's key: the model, the field and its type, each with its length before it, so that no
    /// two places have the same bytes.
    var sealingPlaces: [[UInt8]] {
        knownPlaces.withLock { known in
            if known.count == fields.count { return known }
            known = fields.map { field in
                var bytes: [UInt8] = []
                for part in [modelName, field.name, field.type.description] {
                    withUnsafeBytes(of: UInt32(part.utf8.count).littleEndian) { bytes += $0 }
                    bytes += part.utf8
                }
                return bytes
            }
            return known
        }
    }

    /// The position of the field with this name.
    func position(of name: String) -> Int? { positions[name] }

    /// Whether records of both layouts have the same bytes but for the layout's number.
    func hasSameShape(as other: RecordLayout) -> Bool {
        version == other.version && fields.count == other.fields.count && modelName.hasBytes(of: other.modelName)
            && zip(fields, other.fields).allSatisfy { $0.name.hasBytes(of: $1.name) && $0.type == $1.type }
    }

    /// Hashes what ``hasSameShape(as:)`` compares.
    func hashShape(into hasher: inout Hasher) {
        modelName.hashBytes(into: &hasher)
        hasher.combine(version)
        for field in fields {
            field.name.hashBytes(into: &hasher)
            hasher.combine(field.type)
        }
    }
}

extension RecordLayout {
    /// Layouts from this number on are of Trove's own models; those of a program's models have lower ones.
    static let firstReservedNumber = UInt16.max - 15

    /// The layout of bags.
    static let bagNumber = UInt16.max

    /// The number of a new layout, when this is the highest that a program's models have.
    ///
    /// - Throws: ``TroveError/tooManyLayouts(limit:)``.
    static func number(after last: UInt16) throws -> UInt16 {
        let limit = firstReservedNumber - 1
        guard last < limit else { throw TroveError.tooManyLayouts(limit: Int(limit)) }
        return last + 1
    }
}

/// Where the fields of a model's schema are found in records of an older layout.
@usableFromInline final class DecodingPlan: Sendable {
    @usableFromInline enum Source: Sendable, Hashable {
        /// The field at this position of the record's layout, of the same type but for optional layers.
        case same(position: Int, isOptional: Bool)
        /// The field at this position, whose values are converted to a wider type.
        case widened(position: Int, to: FieldType)
        /// The value that the field at this position, a nested one, has under a name, of which the type may be another.
        case member(position: Int, name: MemberName, to: FieldType)
        /// The record has no such field.
        case missing
    }

    @usableFromInline let sources: [Source]
    /// Whether the layout is of an earlier version of the model.
    let isUpgrade: Bool

    init(_ sources: [Source], isUpgrade: Bool) {
        self.sources = sources
        self.isUpgrade = isUpgrade
    }

    /// Whether values are read of one of the fields at these positions of the record's layout.
    func reads(_ positions: Set<Int>) -> Bool {
        sources.contains { source in
            switch source {
            case .same(let position, _), .widened(let position, _), .member(let position, _, _): positions.contains(position)
            case .missing: false
            }
        }
    }
}
