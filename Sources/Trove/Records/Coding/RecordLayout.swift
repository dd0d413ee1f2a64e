import Synchronization

/// The constants of a record's header; `docs/format.md` draws it.
enum RecordFormat {
    /// The first byte of every record.
    static let version: UInt8 = 1

    /// The bits of the second byte. The checksum covers the same bytes whatever they are, so a record with others than the ``known`` ones whose
    /// checksum fits was written by a newer version, and is not damaged.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The table of ends has four bytes an entry; otherwise two.
        static let wideEnds = Flags(rawValue: 1)
        /// The last variable value is the whole key, of which the engine's key is a shortened form.
        static let longKey = Flags(rawValue: 2)
        /// Fields are encrypted: they are empty, and the last variable value has their bytes. Above ``SealingReader`` it says that nobody could open them.
        static let sealedFields = Flags(rawValue: 4)
        /// Kept for records that have the stamp of their last change.
        static let changeStamp = Flags(rawValue: 8)
        /// In memory alone, beside ``sealedFields``: the fields could not be opened with the store's keys.
        static let unopened = Flags(rawValue: 128)
        /// Those that this version reads.
        static let known: Flags = [.wideEnds, .longKey]

        /// - Parameter passingOver: whether a record may have sealed fields, which nobody is going to read.
        /// - Throws: `DecodingFault`, when there are others than the ``known`` ones.
        func checkKnown(passingOver: Bool = false) throws {
            if isSubset(of: passingOver ? Flags.known.union(.sealedFields) : .known) { return }
            if isSuperset(of: [.sealedFields, .unopened]) {
                throw DecodingFault.damaged("its encrypted properties cannot be opened: they are not what was stored with this object, or not sealed, or their key is gone")
            }
            throw isSubset(of: Flags.known.union(.sealedFields)) ? DecodingFault.sealed : .newer
        }
    }

    /// The checksum of a record of at least eight bytes: of the bytes before and after the checksum's own four, and of its key.
    @inline(__always)
    static func checksum(of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt32 {
        let head = UInt32(littleEndian: record.loadUnaligned(as: UInt32.self))
        return RecordChecksum.hash(UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerSize...]), key: key, head: head)
    }

    /// Whether the checksum of a record of at least eight bytes fits its bytes and key.
    static func isSound(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Bool {
        UInt32(littleEndian: record.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) == checksum(of: record, key: key)
    }
}

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

    /// What the sealed value of each field is bound to, but for the record's key: the model, the field and its type, each with its length before it, so that no two
    /// places have the same bytes.
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

/// Why a record could not be read; the store adds the model and the id and throws a ``TroveError``.
@usableFromInline enum DecodingFault: Error {
    /// The bytes are not a whole record of their layout.
    case damaged(String)
    /// The record is sound and has flags that this version does not know.
    case newer
    /// The record has encrypted fields, and the store was opened without their keys.
    case sealed
    /// More fields were read than the layout has.
    case overrun
    /// A value does not fit the property.
    case unfit(reason: String)
    /// The record lacks the field, and the property has no default.
    case missing
}

/// Where the fields of a model's schema are found in records of an older layout.
@usableFromInline final class DecodingPlan: Sendable {
    @usableFromInline enum Source: Sendable, Hashable {
        /// The field at this position of the record's layout, of the same type but for optional layers.
        case same(position: Int, isOptional: Bool)
        /// The field at this position, whose values are converted to a wider type.
        case widened(position: Int, to: FieldType)
        /// The value that the field at this position, a nested one, has under a name, of which the type may be another.
        case member(position: Int, name: String, to: FieldType)
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

extension RecordLayout {
    /// Layouts from this number on are of Trove's own models; those of a program's models have lower ones.
    static let firstReservedNumber = UInt16.max - 15

    /// The layout of bags.
    static let bagNumber = UInt16.max
}
