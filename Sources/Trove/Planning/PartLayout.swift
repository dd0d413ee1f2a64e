import Foundation

/// The parts that stand one after the other in an index's or a sort's bytes, so that they can be told apart.
struct PartLayout: Sendable {
    /// How each part ends behind the byte for presence, nil where only its value tells, and with what its bytes are inverted.
    private let parts: [(form: PartForm?, mask: UInt8)]
    private let start: Int

    /// - Parameter start: how many bytes stand before the first part.
    init(_ parts: [(type: FieldType?, direction: SortDirection)], from start: Int = 0) {
        self.start = start
        self.parts = parts.map { type, direction in
            (type.map { $0.unwrapped.scalar?.partForm ?? PartForm.none }, direction == .descending ? 0xFF : 0)
        }
    }

    var count: Int { parts.count }

    /// The size of the first `count` parts; nil when the bytes end before them.
    func size(ofFirst count: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        var place = start
        for part in parts.prefix(count) {
            guard let end = Self.end(of: part.form, part.mask, bytes, place), end <= bytes.count else { return nil }
            place = end
        }
        return place
    }

    /// Where each part is; nil when the bytes are not those of the parts.
    func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        for part in parts {
            let start = ranges.last?.upperBound ?? start
            guard let end = Self.end(of: part.form, part.mask, bytes, start), end <= bytes.count else { return nil }
            ranges.append(start..<end)
        }
        return ranges
    }

    /// Takes the bytes apart into as many pieces as there are parts; false when they are not those of the parts, and of nothing else.
    func split(_ bytes: UnsafeRawBufferPointer, into pieces: inout [UnsafeRawBufferPointer]) -> Bool {
        var start = start
        for (number, part) in parts.enumerated() {
            guard let end = Self.end(of: part.form, part.mask, bytes, start), end <= bytes.count else { return false }
            pieces[number] = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end
        }
        return start == bytes.count
    }

    /// Where the part that begins at `start` ends.
    private static func end(of form: PartForm?, _ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        // Below a value come nil and, for an index of members, what has none.
        guard bytes[start] ^ mask == KeyPart.present else { return start + 1 }
        guard let form else { return dynamicEnd(mask, bytes, start + 1) }
        return end(ofValue: form, mask, bytes, start + 1)
    }

    private static func dynamicEnd(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count, let valueClass = ValueClass(rawValue: bytes[start] ^ mask) else { return nil }
        return end(ofValue: valueClass.partForm, mask, bytes, start + 1)
    }

    private static func end(ofValue form: PartForm, _ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        switch form {
        case .fixed(let size): return start + size
        case .terminated: return end(terminatedBy: mask, bytes, start)
        case .decimal: return decimalEnd(mask, bytes, start)
        case .anyNumber:
            guard start + 8 < bytes.count else { return nil }
            return bytes[start + 8] ^ mask == 0 ? start + 9 : decimalEnd(mask, bytes, start + 9)
        case .none: return start
        }
    }

    private static func decimalEnd(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        // Zero and NaN are one byte; other numbers have their power of ten, and digits that a 0 ends, inverted below zero.
        switch bytes[start] ^ mask {
        case 0: return end(terminatedBy: ~mask, bytes, start + 3)
        case 2: return end(terminatedBy: mask, bytes, start + 3)
        default: return start + 1
        }
    }

    private static func end(terminatedBy byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - base + 1
    }
}
