/// Writes the fields of one object into a record, in the order of the model's schema.
///
/// The place of each field follows from those before it, so nothing is looked up: fixed-width values go
/// to a running offset, others are appended and their end noted.
public struct RecordEncoder: ~Copyable {
    @usableFromInline var bytes = ByteWriter()
    /// The offset of the next fixed-width value, and where they end.
    @usableFromInline var fixedOffset = 0
    @usableFromInline var fixedEnd = 0
    /// The number of the next bit of the nil bitmap.
    @usableFromInline var nilBit = 0
    @usableFromInline var nilBitEnd = 0
    /// The offset of the next entry in the table of ends, and where the table ends.
    @usableFromInline var endOffset = 0
    @usableFromInline var variableStart = 0
    @usableFromInline var isWide = false
    /// Set when more fields are encoded than the layout has: nothing is written then, and ``finish(key:)`` throws.
    @usableFromInline var hasOverrun = false
    /// Whether lazy values that are in memory stay in the record, whatever their size: in one that is only looked at.
    var keepsLazyValues = false
    /// The annexes that the record has, and what has their bytes.
    private(set) var annexes: [AnnexOffer] = []
    private var layout: RecordLayout?

    init() {}

    /// Begins a record, forgetting the one before.
    mutating func begin(_ layout: RecordLayout, hasLongKey: Bool, isWide: Bool) {
        // Most records follow one of the same layout; not storing it again saves two reference counts.
        if self.layout !== layout { self.layout = layout }
        if !annexes.isEmpty { annexes = [] }
        self.isWide = isWide
        hasOverrun = false
        fixedOffset = layout.fixedStart
        fixedEnd = layout.endsStart
        nilBit = 0
        nilBitEnd = (layout.fixedStart - RecordLayout.headerSize) * 8
        endOffset = layout.endsStart
        variableStart = layout.endsStart + (layout.variableCount + (hasLongKey ? 1 : 0)) * (isWide ? 4 : 2)
        bytes.count = 0
        bytes.depth = 0
        bytes.reserve(variableStart)
        let flags: RecordFormat.Flags = [isWide ? .wideEnds : [], hasLongKey ? .longKey : []]
        bytes.base.storeBytes(of: RecordFormat.version, as: UInt8.self)
        bytes.base.storeBytes(of: flags.rawValue, toByteOffset: 1, as: UInt8.self)
        bytes.base.storeBytes(of: layout.number.littleEndian, toByteOffset: 2, as: UInt16.self)
        (bytes.base + 4).initializeMemory(as: UInt8.self, repeating: 0, count: layout.fixedStart - 4)
        bytes.count = variableStart
    }

    /// Writes a fixed-width value as the next field.
    @inlinable @inline(__always)
    mutating func appendFixed<Value: BitwiseCopyable>(_ value: Value) {
        guard fixedOffset &+ MemoryLayout<Value>.size <= fixedEnd else { return hasOverrun = true }
        bytes.base.storeBytes(of: value, toByteOffset: fixedOffset, as: Value.self)
        fixedOffset &+= MemoryLayout<Value>.size
    }

    /// Ends the variable-width value that was just appended to ``bytes``.
    @inlinable @inline(__always)
    mutating func endVariable() {
        let end = bytes.count &- variableStart
        guard endOffset &+ (isWide ? 4 : 2) <= variableStart else { return hasOverrun = true }
        if isWide {
            bytes.base.storeBytes(of: UInt32(truncatingIfNeeded: end).littleEndian, toByteOffset: endOffset, as: UInt32.self)
            endOffset &+= 4
        } else {
            bytes.base.storeBytes(of: UInt16(truncatingIfNeeded: end).littleEndian, toByteOffset: endOffset, as: UInt16.self)
            endOffset &+= 2
        }
    }

    /// Notes for one optional layer that the value is there.
    @inlinable @inline(__always)
    mutating func appendPresent() {
        nilBit &+= 1
    }

    /// Writes nil as the next field, whose type without the outermost optional layer is `wrapped`.
    @usableFromInline mutating func appendNil(_ wrapped: FieldType) {
        guard nilBit < nilBitEnd else { return hasOverrun = true }
        let offset = RecordLayout.headerSize + nilBit / 8
        let byte = bytes.base.load(fromByteOffset: offset, as: UInt8.self) | 1 << UInt8(nilBit & 7)
        bytes.base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        nilBit += 1 + wrapped.optionalDepth
        if let size = wrapped.fixedSize {
            guard fixedOffset + size <= fixedEnd else { return hasOverrun = true }
            (bytes.base + fixedOffset).initializeMemory(as: UInt8.self, repeating: 0, count: size)
            fixedOffset += size
        } else {
            endVariable()
        }
    }

    /// Takes note of what has the bytes of one of the record's annexes.
    mutating func offer(_ id: AnnexID, _ provider: any AnnexProvider) { annexes.append(AnnexOffer(id: id, provider: provider)) }

    /// Takes the bytes of the record's annexes from these, where they have them.
    mutating func prefer(_ offers: [AnnexOffer]) {
        if offers.isEmpty { return }
        annexes = annexes.map { annex in offers.first { $0.id == annex.id } ?? annex }
    }

    /// The number of variable bytes is over what a narrow table of ends can tell.
    var needsWideEnds: Bool { !isWide && bytes.count - variableStart > Int(UInt16.max) }

    /// Ends the record: `longKey` is the whole key when the engine's key is a shortened form of it.
    mutating func finish(key: RawSpan, longKey: [UInt8]?) throws {
        if let longKey {
            longKey.withUnsafeBytes { bytes.append($0) }
            endVariable()
        }
        if needsWideEnds { return }
        guard !hasOverrun, fixedOffset == fixedEnd, endOffset == variableStart else {
            throw TroveError.schemaMismatch(
                model: layout?.modelName ?? "", reason: "encode(into:) wrote other fields than the schema lists")
        }
        sign(key: key)
    }

    /// Writes the checksum of the record as it is now.
    func sign(key: RawSpan) {
        let record = UnsafeRawBufferPointer(start: bytes.base, count: bytes.count)
        let checksum = key.withUnsafeBytes { RecordFormat.checksum(of: record, key: $0) }
        bytes.base.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }
}

extension RecordEncoder {
    /// The error for a value that could not be written: it names the field.
    func error(for fault: DecodingFault) -> any Error {
        guard case .unfit(let reason) = fault, let layout else { return fault }
        // Fields are written in their order, so the first one that has no end yet is it.
        let variables = (endOffset - layout.endsStart) / (isWide ? 4 : 2)
        let field = layout.fields.first { $0.place >= ($0.isFixed ? fixedOffset : variables) }
        return TroveError.encodingFailed(model: layout.modelName, field: field?.name ?? "id", reason: reason)
    }
}

extension RecordEncoder {
    /// Writes a natively stored value as the next field.
    @inlinable @inline(__always)
    public mutating func encode<Value: Storable>(_ value: Value) throws {
        try value.encodeField(into: &self)
    }

    /// Writes an enum's raw value as the next field.
    @inlinable
    public mutating func encode<Value: RawRepresentable>(_ value: Value) throws where Value.RawValue: Storable {
        try value.rawValue.encodeField(into: &self)
    }

    /// Writes an optional enum's raw value as the next field.
    @inlinable
    public mutating func encode<Value: RawRepresentable>(_ value: Value?) throws where Value.RawValue: Storable {
        try (value?.rawValue).encodeField(into: &self)
    }

    /// Writes a `Codable` value as the next field.
    @_disfavoredOverload
    public mutating func encode<Value: Codable>(_ value: Value) throws {
        try StoredValue(encoding: value).encodeNested(into: &bytes)
        endVariable()
    }

    /// Writes an optional `Codable` value as the next field.
    @_disfavoredOverload
    public mutating func encode<Value: Codable>(_ value: Value?) throws {
        guard let value else { return appendNil(.codable("")) }
        appendPresent()
        try encode(value)
    }
}

/// A key and a record being written, whose memory serves one object after the other.
@usableFromInline struct RecordBuffer: ~Copyable {
    /// The whole key: the id's bytes.
    @usableFromInline var key = KeyEncoder()
    @usableFromInline var record = RecordEncoder()
    /// The engine's key when it is a shortened form of ``key``.
    private var shortened: RecordKey?

    @usableFromInline init() {}

    var hasLongKey: Bool { shortened != nil }

    /// The engine's key.
    var recordKey: RecordKey { shortened ?? RecordKey(key.bytes) }

    /// The whole key, when the engine's is a shortened form of it.
    var longKey: [UInt8]? { shortened?.long }

    /// Leaves the key of an id in the buffer, and no record.
    mutating func setKey(_ id: some StorableKey) {
        key.removeAll()
        id.encode(into: &key)
        shortened = key.bytes.count > RecordKey.maxWholeSize ? RecordKey(key.bytes) : nil
    }

    /// Begins the record of the object whose id is in ``key``.
    mutating func begin(_ layout: RecordLayout, isWide: Bool) {
        shortened = key.bytes.count > RecordKey.maxWholeSize ? RecordKey(key.bytes) : nil
        record.begin(layout, hasLongKey: hasLongKey, isWide: isWide)
    }

    /// Ends the record; false when it has to be written again with wide ends.
    ///
    /// - Throws: ``TroveError/schemaMismatch(model:reason:)``.
    @usableFromInline mutating func finish() throws -> Bool {
        if let shortened {
            try record.finish(key: shortened.bytes.span.bytes, longKey: shortened.long)
        } else {
            try record.finish(key: key.bytes.span.bytes, longKey: nil)
        }
        return !record.needsWideEnds
    }

    /// Calls `body` with the engine's key.
    borrowing func withKey<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        let bytes = shortened?.bytes ?? key.bytes
        return try body(bytes.span.bytes)
    }

    /// Calls `body` with the engine's key and the record.
    borrowing func withBytes<Result>(_ body: (_ key: RawSpan, _ record: RawSpan) throws -> Result) rethrows -> Result {
        let bytes = shortened?.bytes ?? key.bytes
        return try record.bytes.withBytes { try body(bytes.span.bytes, $0) }
    }
}
