/// The bits of the nil bitmap that belong to a field, one for each optional layer.
struct NilBits: Sendable {
    /// The offset in the record of the first bit's byte.
    let offset: Int
    /// The first bit in its byte; 0 when there is none.
    let mask: UInt8
    private let first: Int
    private let count: Int

    /// Whether the first bit is the only one, or there is none.
    var isSingle: Bool { count < 2 }

    init(_ field: RecordLayout.Field) {
        first = field.nilBit
        count = field.type.optionalDepth
        offset = RecordLayout.headerSize + field.nilBit / 8
        mask = count == 0 ? 0 : 1 << UInt8(field.nilBit & 7)
    }

    /// Whether a layer is nil.
    @inline(__always)
    func areSet(in record: RecordView) -> Bool {
        if mask == 0 { return false }
        // A nil outer layer leaves the bits of inner ones clear.
        return record.base.load(fromByteOffset: offset, as: UInt8.self) & mask != 0 || count > 1 && isInnerSet(in: record)
    }

    private func isInnerSet(in record: RecordView) -> Bool {
        (first + 1..<first + count).contains { bit in
            record.base.load(fromByteOffset: RecordLayout.headerSize + bit / 8, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1
        }
    }
}
