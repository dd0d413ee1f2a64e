/// Reads the fields of one record, in the order of the model's schema.
///
/// A record of the model's current layout is read with running offsets. One of an older layout is read by
/// field names, with values widened and missing fields given their defaults.
public struct RecordDecoder: ~Copyable {
    /// The record, valid during the closure of the engine's read that this decoder was made in.
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int
    /// The engine's key, with the same lifetime.
    @usableFromInline let key: UnsafeRawBufferPointer
    @usableFromInline let isWide: Bool
    @usableFromInline let hasLongKey: Bool
    let layout: RecordLayout
    /// Where the annexes of the record are read from; nil where they are not.
    var annexSource: (any AnnexSource)?
    /// Whether the record is of an earlier version of the model.
    @usableFromInline let isOutdated: Bool
    /// Where each field of the schema is found; nil when the record is of the current layout.
    @usableFromInline let plan: DecodingPlan?
    /// The position in the schema of the next field.
    @usableFromInline var field = 0
    /// The offset of the next fixed-width value.
    @usableFromInline var fixedOffset: Int
    /// The number of the next bit of the nil bitmap; negative when the field has none.
    @usableFromInline var nilBit = 0
    /// The offset of the next entry in the table of ends, and of the value it ends.
    @usableFromInline var endOffset: Int
    @usableFromInline var variableOffset: Int
    @usableFromInline let variableStart: Int
    /// The positions in ``layout`` of the fields that are encrypted and were not opened, since the store has no keys; nobody reads them.
    let sealedPositions: Set<Int>

    /// Checks the record's header and table of ends, and its checksum, which covers the key.
    ///
    /// - Parameter passesOverSealed: whether fields that are still encrypted are nil to ``storedValues(_:)``, not an error.
    /// - Throws: `DecodingFault`; `sealed` when a field is encrypted still that the plan reads.
    init(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, layout: RecordLayout, plan: DecodingPlan?, passesOverSealed: Bool = false
    ) throws {
        // All checks come first: a value that cannot be copied must not be left half made.
        let flags = try Self.checkedFlags(of: record, key: key, passingOverSealed: plan != nil || passesOverSealed)
        let isSealed = flags.contains(.sealedFields)
        let sealed = isSealed ? Set(try SealedRecord(record, key: key, layout: layout).fields.map(\.position)) : []
        if isSealed, let plan, !passesOverSealed, plan.reads(sealed) { throw DecodingFault.sealed }
        let entries = layout.variableCount + (flags.contains(.longKey) ? 1 : 0) + (isSealed ? 1 : 0)
        let variableStart = layout.endsStart + entries * (flags.contains(.wideEnds) ? 4 : 2)
        guard let base = record.baseAddress, record.count >= variableStart else {
            throw DecodingFault.damaged("it is too short for its layout")
        }
        self.base = base
        sealedPositions = sealed
        count = record.count
        isWide = flags.contains(.wideEnds)
        hasLongKey = flags.contains(.longKey)
        self.key = key
        self.layout = layout
        self.plan = plan
        isOutdated = plan?.isUpgrade ?? false
        self.variableStart = variableStart
        fixedOffset = layout.fixedStart
        endOffset = layout.endsStart
        variableOffset = variableStart
    }

    /// A decoder of a record that is known to be sound and of the model's current layout.
    @inline(__always)
    init(_ record: RecordView, layout: RecordLayout) {
        base = record.base
        count = record.count
        isWide = record.isWide
        hasLongKey = record.hasLongKey
        key = record.key
        self.layout = layout
        plan = nil
        isOutdated = false
        annexSource = record.annexes
        sealedPositions = []
        variableStart = record.variableStart
        fixedOffset = layout.fixedStart
        endOffset = layout.endsStart
        variableOffset = variableStart
    }

    /// The flags and layout number of a record, of which neither has been compared with anything.
    static func header(of record: UnsafeRawBufferPointer) throws -> (flags: RecordFormat.Flags, layout: UInt16) {
        guard record.count >= RecordLayout.headerSize else { throw DecodingFault.damaged("it is shorter than a header") }
        guard record[0] == RecordFormat.version else {
            throw DecodingFault.damaged("it begins with \(record[0]), not \(RecordFormat.version)")
        }
        let flags = RecordFormat.Flags(rawValue: record[1])
        return (flags, UInt16(littleEndian: record.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }

    /// The flags of a record whose checksum fits.
    ///
    /// - Throws: `DecodingFault.newer` when it has some that this version does not know; `DecodingFault.damaged`.
    static func checkedFlags(
        of record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, passingOverSealed: Bool = false
    ) throws -> RecordFormat.Flags {
        let flags = try header(of: record).flags
        guard RecordFormat.isSound(record, key: key) else { throw DecodingFault.damaged("its checksum does not fit its bytes and key") }
        try flags.checkKnown(passingOver: passingOverSealed)
        return flags
    }

    /// The next fixed-width value.
    @inlinable @inline(__always)
    mutating func fixed<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws -> Value {
        let end = fixedOffset &+ MemoryLayout<Value>.size
        guard end <= variableStart else { throw DecodingFault.overrun }
        defer { fixedOffset = end }
        return base.loadUnaligned(fromByteOffset: fixedOffset, as: Value.self)
    }

    /// The bytes of the next variable-width value.
    @inlinable @inline(__always)
    mutating func variable() throws -> UnsafeRawBufferPointer {
        let next = endOffset &+ (isWide ? 4 : 2)
        guard next <= variableStart else { throw DecodingFault.overrun }
        let end = variableStart &+ (isWide
            ? Int(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: endOffset, as: UInt32.self)))
            : Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: endOffset, as: UInt16.self))))
        guard end >= variableOffset, end <= count else { throw DecodingFault.damaged("its table of ends is not in order") }
        defer {
            endOffset = next
            variableOffset = end
        }
        return UnsafeRawBufferPointer(start: base + variableOffset, count: end &- variableOffset)
    }

    /// Whether the next field, whose type without the outermost optional layer is `wrapped`, is nil; passes over it if so.
    @inlinable
    mutating func isNil(_ wrapped: @autoclosure () -> FieldType) throws -> Bool {
        guard nilBit >= 0 else { return false }
        let offset = 8 + nilBit / 8
        guard offset < variableStart else { throw DecodingFault.overrun }
        let bit = base.load(fromByteOffset: offset, as: UInt8.self) >> UInt8(truncatingIfNeeded: nilBit & 7) & 1
        nilBit &+= 1
        if bit == 0 { return false }
        try skipNil(wrapped())
        return true
    }

    @usableFromInline mutating func skipNil(_ wrapped: FieldType) throws {
        nilBit += wrapped.optionalDepth
        if let size = wrapped.fixedSize { fixedOffset += size } else { _ = try variable() }
    }

    /// Moves to the field at a position of the schema: a class decodes its own properties before those of its superclass, which are stored before them.
    public mutating func _move(toField position: Int) throws {
        field = position
        guard plan == nil, position < layout.fields.count else { return }
        let rest = layout.fields[position...]
        nilBit = layout.fields[position].nilBit
        if let fixed = rest.first(where: \.isFixed) { fixedOffset = fixed.place }
        if let variable = rest.first(where: { !$0.isFixed }) { try move(toVariable: variable.place) }
    }

    /// Moves to the field at this position of the record's own layout.
    mutating func move(to position: Int, isOptional: Bool) throws {
        let field = layout.fields[position]
        nilBit = isOptional && field.type.optionalDepth == 0 ? -1 : field.nilBit
        if field.isFixed {
            fixedOffset = field.place
        } else {
            try move(toVariable: field.place)
        }
    }

    /// Moves to the field at this position of the record's own layout, and returns its type.
    mutating func move(to position: Int) throws -> FieldType {
        try move(to: position, isOptional: false)
        return layout.fields[position].type
    }

    private mutating func move(toVariable place: Int) throws {
        let width = isWide ? 4 : 2
        endOffset = layout.endsStart + place * width
        variableOffset = variableStart
        if place > 0 {
            endOffset -= width
            let previous = try variable()
            variableOffset = previous.count + variableStart
        }
    }

    /// The whole key of the record: the engine's, or the one stored in the record when that is a shortened form.
    @usableFromInline mutating func wholeKey() throws -> [UInt8] {
        guard hasLongKey else { return [UInt8](key) }
        let (end, offset) = (endOffset, variableOffset)
        defer { (endOffset, variableOffset) = (end, offset) }
        try move(toVariable: layout.variableCount)
        return [UInt8](try variable())
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
