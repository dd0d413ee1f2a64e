/// A condition on one field in its place in the record, as plain data: what common filters are made of.
///
/// nil passes none of them but ``Kind/isNil``.
struct FieldTest {
    /// What is asked. An integer's bounds are `lower` and `upper`, a double's their bits, a text's literal is `text`.
    enum Kind: UInt8 {
        case int8, int16, int32, int64, uint8, uint16, uint32, uint64
        case float, double
        case textEqual, textLess, textLessOrEqual, textGreater, textGreaterOrEqual
        case hasPrefix, hasSuffix, contains
        case isNil
    }

    let kind: Kind
    /// The byte and bit that tell nil; no bit for a field that cannot be nil.
    let nilMask: UInt8
    let nilOffset: Int
    /// The offset of a fixed-width value, the number of a variable-width one.
    let place: Int
    let lower, upper: Int64
    /// The literal, which the filter's program keeps.
    let text: UnsafeRawBufferPointer

    private init(_ kind: Kind, _ nilBits: NilBits, place: Int, lower: Int64, upper: Int64, text: UnsafeRawBufferPointer) {
        self.kind = kind
        nilMask = nilBits.mask
        nilOffset = nilBits.offset
        self.place = place
        self.lower = lower
        self.upper = upper
        self.text = text
    }

    /// An integer within bounds; a `UInt64` and its bounds compare with their first bit flipped.
    init(_ kind: Kind, _ nilBits: NilBits, offset: Int, _ bounds: ClosedRange<Int64>) {
        self.init(kind, nilBits, place: offset, lower: bounds.lowerBound, upper: bounds.upperBound, text: .init(start: nil, count: 0))
    }

    /// A `Float`, `Double` or `Date` within bounds.
    init(_ kind: Kind, _ nilBits: NilBits, offset: Int, _ bounds: DoubleBounds) {
        self.init(
            kind, nilBits, place: offset, lower: Int64(bitPattern: bounds.lower.bitPattern),
            upper: Int64(bitPattern: bounds.upper.bitPattern), text: .init(start: nil, count: 0))
    }

    /// A text against a literal.
    init(_ kind: Kind, _ nilBits: NilBits, number: Int, _ text: UnsafeRawBufferPointer) {
        self.init(kind, nilBits, place: number, lower: 0, upper: 0, text: text)
    }

    init(isNil nilBits: NilBits) {
        self.init(.isNil, nilBits, place: 0, lower: 0, upper: 0, text: .init(start: nil, count: 0))
    }

    /// About how long an answer takes, in nanoseconds.
    var cost: Int {
        switch kind {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .isNil: 1
        case .textEqual, .textLess, .textLessOrEqual, .textGreater, .textGreaterOrEqual, .hasPrefix, .hasSuffix: 4
        case .contains: 30
        }
    }

    @inline(__always)
    func passes(_ record: RecordView) throws -> Bool {
        if nilMask != 0 && record.base.load(fromByteOffset: nilOffset, as: UInt8.self) & nilMask != 0 { return kind == .isNil }
        switch kind {
        case .int64: return isWithin(load(Int64.self, record))
        case .int32: return isWithin(Int64(load(Int32.self, record)))
        case .int16: return isWithin(Int64(load(Int16.self, record)))
        case .int8: return isWithin(Int64(load(Int8.self, record)))
        case .uint64: return isWithin(Int64(bitPattern: load(UInt64.self, record) ^ 1 << 63))
        case .uint32: return isWithin(Int64(load(UInt32.self, record)))
        case .uint16: return isWithin(Int64(load(UInt16.self, record)))
        case .uint8: return isWithin(Int64(load(UInt8.self, record)))
        case .double: return isWithin(Double(bitPattern: load(UInt64.self, record)))
        case .float: return isWithin(Double(Float(bitPattern: load(UInt32.self, record))))
        case .textEqual: return ByteOrder.areEqual(try record.variable(place), text)
        case .textLess: return ByteOrder.compare(try record.variable(place), text) == .less
        case .textLessOrEqual: return ByteOrder.compare(try record.variable(place), text) != .greater
        case .textGreater: return ByteOrder.compare(try record.variable(place), text) == .greater
        case .textGreaterOrEqual: return ByteOrder.compare(try record.variable(place), text) != .less
        case .hasPrefix: return ByteOrder.test(.hasPrefix, try record.variable(place), text)
        case .hasSuffix: return ByteOrder.test(.hasSuffix, try record.variable(place), text)
        case .contains: return ByteOrder.test(.contains, try record.variable(place), text)
        case .isNil: return false
        }
    }

    @inline(__always)
    private func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, _ record: RecordView) -> Value {
        Value(littleEndian: record.base.loadUnaligned(fromByteOffset: place, as: type))
    }

    @inline(__always)
    private func isWithin(_ value: Int64) -> Bool { value >= lower && value <= upper }

    @inline(__always)
    private func isWithin(_ value: Double) -> Bool {
        value >= Double(bitPattern: UInt64(bitPattern: lower)) && value <= Double(bitPattern: UInt64(bitPattern: upper))
    }
}
