#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One record of a model where it lies in the engine's memory: checked, and in the model's current layout.
///
/// It is made by ``ReadTransaction/withRecordView(_:key:_:_:)`` and must not leave that call's closure.
struct RecordView {
    /// The record's bytes, `count` of them; as long as the closure.
    let base: UnsafeRawPointer
    let count: Int
    /// The engine's key, with the same lifetime.
    let key: UnsafeRawBufferPointer
    /// The offset of the table of ends, and the number of the layout's variable-width fields.
    private let endsStart: Int
    private let variableCount: Int
    /// The offset of the first variable-width value.
    let variableStart: Int
    /// Whether the table of ends has four bytes an entry.
    let isWide: Bool
    /// Whether `key` is a shortened form of the id's bytes.
    let hasLongKey: Bool
    /// The member that the innermost quantifier looks at, with the same lifetime; nil outside of quantifiers.
    var element: FieldElement?
    /// What references of the record lead to, one nested value after the other, empty for nil, with the same lifetime; nil where nobody has read it.
    var referenced: UnsafePointer<UnsafeRawBufferPointer>?
    /// Where the record's annexes are read from, with the same lifetime; nil when it has none.
    unowned(unsafe) var annexes: (any AnnexSource)?

    /// Takes a record for good whose checksum has been checked or was just computed.
    ///
    /// - Throws: `DecodingFault.damaged` when it has no header or is too short for `layout`, which must be its own; `DecodingFault.newer` when it
    ///   has flags that this version does not know.
    ///
    /// - Parameter passesOverSealed: whether the record may have fields that are still encrypted, which nobody asks for.
    init(trusting record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, layout: RecordLayout, passesOverSealed: Bool = false) throws {
        let flags = try RecordDecoder.header(of: record).flags
        try flags.checkKnown(passingOver: passesOverSealed)
        isWide = flags.contains(.wideEnds)
        hasLongKey = flags.contains(.longKey)
        endsStart = layout.endsStart
        variableCount = layout.variableCount
        variableStart = layout.endsStart + (layout.variableCount + (hasLongKey ? 1 : 0) + (flags.contains(.sealedFields) ? 1 : 0)) * (isWide ? 4 : 2)
        guard let base = record.baseAddress, record.count >= variableStart else {
            throw DecodingFault.damaged("it is too short for its layout")
        }
        self.base = base
        count = record.count
        self.key = key
    }

    /// Checks the checksum too, which covers the key.
    init(checking record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, layout: RecordLayout, passesOverSealed: Bool = false) throws {
        _ = try RecordDecoder.checkedFlags(of: record, key: key, passingOverSealed: passesOverSealed)
        try self.init(trusting: record, key: key, layout: layout, passesOverSealed: passesOverSealed)
    }

    /// Takes a record that ``isPlain(_:key:shape:)`` is true of.
    @inline(__always)
    init(plain record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, shape: PlainRecordShape) {
        base = record.baseAddress.unsafelyUnwrapped
        count = record.count
        self.key = key
        endsStart = shape.endsStart
        variableCount = shape.variableCount
        variableStart = shape.variableStart
        isWide = false
        hasLongKey = false
    }

    /// Whether a record is sound and like most: of the current layout, and without flags. Takes neither a call nor a reference count.
    @inline(__always)
    static func isPlain(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, shape: PlainRecordShape) -> Bool {
        guard record.count >= shape.variableStart, let base = record.baseAddress,
            UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)) == shape.head
        else { return false }
        let stored = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        return stored == RecordFormat.checksum(of: record, key: key)
    }

    /// The whole record.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// The bytes of a variable-width value, by its number in the table of ends.
    @inline(__always)
    func variable(_ number: Int) throws -> UnsafeRawBufferPointer {
        let start, end: Int
        if isWide {
            let entry = base + (endsStart &+ number &* 4)
            end = Int(UInt32(littleEndian: entry.loadUnaligned(as: UInt32.self)))
            start = number == 0 ? 0 : Int(UInt32(littleEndian: (entry - 4).loadUnaligned(as: UInt32.self)))
        } else {
            let entry = base + (endsStart &+ number &* 2)
            end = Int(UInt16(littleEndian: entry.loadUnaligned(as: UInt16.self)))
            start = number == 0 ? 0 : Int(UInt16(littleEndian: (entry - 2).loadUnaligned(as: UInt16.self)))
        }
        guard start <= end, end <= count &- variableStart else { throw DecodingFault.damaged("its table of ends is not in order") }
        return UnsafeRawBufferPointer(start: base + (variableStart &+ start), count: end &- start)
    }

    /// The bytes of the id: the engine's key, or the whole one stored in the record when that is a shortened form.
    var wholeKey: UnsafeRawBufferPointer {
        get throws { hasLongKey ? try variable(variableCount) : key }
    }

    /// What a record that has sealed fields has of them, behind all other values.
    func sealedList() throws -> UnsafeRawBufferPointer { try variable(variableCount + (hasLongKey ? 1 : 0)) }

    /// The record with a member for the innermost quantifier to look at.
    func looking(at element: FieldElement) -> RecordView {
        var view = self
        view.element = element
        return view
    }
}

/// What the common records of a layout have alike: those without flags.
@usableFromInline struct PlainRecordShape: Sendable {
    /// The first four bytes.
    let head: UInt32
    let endsStart, variableCount, variableStart: Int

    init(_ layout: RecordLayout) {
        head = UInt32(RecordFormat.version) | UInt32(layout.number) << 16
        endsStart = layout.endsStart
        variableCount = layout.variableCount
        variableStart = layout.endsStart + layout.variableCount * 2
    }
}

/// A member of a collection where it lies in the record's bytes.
struct FieldElement {
    /// One nested value, or the UTF-8 of a name.
    let bytes: UnsafeRawBufferPointer
    /// Whether it is the name of a keyed value, which has no tag.
    let isName: Bool
}

extension RecordView {
    /// Whether these fields of the layout, which both records have, hold the same bytes.
    func agrees(with other: RecordView, in fields: [RecordLayout.Field]) throws -> Bool {
        for field in fields {
            for bit in field.nilBit..<field.nilBit + field.type.optionalDepth where isSet(bit) != other.isSet(bit) { return false }
            if let size = field.type.fixedSize {
                if memcmp(base + field.place, other.base + field.place, size) != 0 { return false }
            } else {
                let (left, right) = (try variable(field.place), try other.variable(field.place))
                if left.count != right.count { return false }
                if left.count > 0, memcmp(left.baseAddress!, right.baseAddress!, left.count) != 0 { return false }
            }
        }
        return true
    }

    private func isSet(_ bit: Int) -> Bool {
        base.load(fromByteOffset: RecordLayout.headerSize + bit / 8, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1
    }
}
